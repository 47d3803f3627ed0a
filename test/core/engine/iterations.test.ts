import { describe, expect, test } from "vitest";
import { createExecutor, defineBlock, failure, pause, success, type Block, type Store, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";

/** Counts up by one each time it runs until it has reached `to`, remembering the keys it was given. */
function counter() {
  const keys: string[] = [];
  const type = defineBlock({
    type: "Count",
    inputs: { jsonSchema: { type: "object", properties: { to: { type: "number" } }, required: ["to"] } },
    execute(context) {
      keys.push(context.idempotencyKey.replace(/^run_\w+\//, ""));
      const count = ((context.carried as number | undefined) ?? 0) + 1;
      return count < context.inputs.to ? context.nextIteration(count) : success({ count, iteration: context.iteration });
    },
  });
  return { type, keys };
}

const workflow = (...blocks: readonly Block[]): Workflow => ({ name: "flow", blocks });
const counting = (more: Partial<Block> = {}): Block => ({ id: "a", type: "Count", inputs: { to: 4 }, ...more });

function executorFor(store: Store, flow: Workflow, blocks: Parameters<typeof createExecutor>[0]["blocks"] = [], seed = 1) {
  return createExecutor({ store, workflows: [flow], blocks, host: fakeHost({ autoAdvance: true, seed }) });
}

describe("a block that asks to run again", () => {
  test("runs once more with what it gave, under a key of its own each time", async () => {
    const { type, keys } = counter();
    const run = await executorFor(memoryStore(), workflow(counting()), [type]).start("flow");
    expect(await run.settled()).toMatchObject({ status: "success" });
    expect(await run.steps()).toMatchObject([{ block: "a", outputs: { count: 4, iteration: 4 }, iterations: 4 }]);
    expect(keys).toEqual(["a", "a#2", "a#3", "a#4"]);
  });

  test("ends with an error after max_iterations, and not before", async () => {
    const { type } = counter();
    const open = async (maxIterations: number | undefined, to: number) => {
      const flow = workflow(counting({ inputs: { to }, ...(maxIterations === undefined ? {} : { maxIterations }) }));
      return (await executorFor(memoryStore(), flow, [type]).start("flow")).settled();
    };
    expect(await open(3, 3)).toMatchObject({ status: "success" });
    expect(await open(3, 4)).toMatchObject({ status: "failure", error: { code: "LIMIT_EXCEEDED", details: { limit: 3 } } });
    expect(await open(undefined, 100)).toMatchObject({ status: "success" });
    expect(await open(undefined, 101)).toMatchObject({ status: "failure", error: { details: { limit: 100 } } });
  });

  test("goes on where it was in another executor, and no finished iteration runs again", async () => {
    const store = memoryStore();
    const { type, keys } = counter();
    const asking = defineBlock({
      type: "Ask",
      execute: ({ carried, nextIteration }) => (carried === undefined ? nextIteration("once") : pause({ prompt: `${carried as string}?` })),
      resume: ({ response, iteration, nextIteration }) =>
        iteration < 3 ? nextIteration(response) : success({ last: response, iteration }),
    });
    const flow = workflow(counting(), { id: "b", type: "Ask" });
    const first = await (await executorFor(store, flow, [type, asking]).start("flow")).settled();
    if (first.status !== "paused") throw new Error(first.status);
    expect(first.pauses).toMatchObject([{ prompt: "once?" }]);
    const second = await executorFor(store, flow, [type, asking], 2).answer(first.pauses[0]!.id, "twice");
    if (second.status !== "paused") throw new Error(second.status);
    expect(second.pauses).toMatchObject([{ prompt: "twice?" }]);
    const run = await executorFor(store, flow, [type, asking], 3).open(first.run);
    expect(await run.answer(second.pauses[0]!.id, "done")).toMatchObject({ status: "success" });
    expect((await run.steps()).find(({ block }) => block === "b")).toMatchObject({ outputs: { last: "done", iteration: 3 } });
    expect(keys).toHaveLength(4);
  });

  test("does so for each item by itself", async () => {
    const { type } = counter();
    const flow = workflow(counting({ forEach: [1, 3, 2], inputs: { to: "${each.value}" } }));
    const run = await executorFor(memoryStore(), flow, [type]).start("flow");
    await run.settled();
    expect((await run.steps()).find(({ item }) => item === undefined)?.outputs).toMatchObject({
      results: [{ count: 1 }, { count: 3 }, { count: 2 }],
    });
  });

  test("is tried again after a failure without that counting as an iteration", async () => {
    let tries = 0;
    const type = defineBlock({
      type: "Shaky",
      execute: ({ iteration, attempt, nextIteration }) => {
        tries++;
        if (attempt === 1) return failure("not yet");
        return iteration < 2 ? nextIteration() : success({ iteration });
      },
    });
    const flow = workflow({ id: "a", type: "Shaky", retry: { maxAttempts: 2, delayMs: 10 }, maxIterations: 2 });
    const run = await executorFor(memoryStore(), flow, [type]).start("flow");
    expect(await run.settled()).toMatchObject({ status: "success" });
    expect(await run.steps()).toMatchObject([{ outputs: { iteration: 2 } }]);
    expect(tries).toBe(4);
  });

  test("ends where the whole run has asked 10,000 times", async () => {
    const { type } = counter();
    const blocks = ["a", "b", "c"].map((id): Block => ({ id, type: "Count", inputs: { to: 4_000 }, maxIterations: 10_000 }));
    const run = await executorFor(memoryStore(), workflow(...blocks), [type]).start("flow");
    expect(await run.settled()).toMatchObject({ status: "failure", error: { code: "LIMIT_EXCEEDED", details: { limit: 10_000 } } });
  });
});
