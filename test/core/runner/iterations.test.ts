import { describe, expect, test } from "vitest";
import {
  createExecutor,
  defineBlock,
  failure,
  pause,
  success,
  type Block,
  type Executor,
  type Run,
  type Store,
  type Workflow,
} from "wavepoint";
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
    expect(await run.steps()).toMatchObject([
      ...[1, 2, 3].map((iteration) => ({ block: "a", iteration, status: "completed" })),
      { block: "a", iteration: 4, status: "completed", outputs: { count: 4, iteration: 4 } },
    ]);
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
    expect((await run.steps()).findLast(({ block }) => block === "b")).toMatchObject({ outputs: { last: "done", iteration: 3 } });
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
    expect(await run.steps()).toMatchObject([
      { iteration: 1, attempts: 2 },
      { iteration: 2, attempts: 2, outputs: { iteration: 2 } },
    ]);
    expect(tries).toBe(4);
  });

  test("ends where the whole run has asked 10,000 times", async () => {
    const { type } = counter();
    const blocks = ["a", "b", "c"].map((id): Block => ({ id, type: "Count", inputs: { to: 4_000 }, maxIterations: 10_000 }));
    const run = await executorFor(memoryStore(), workflow(...blocks), [type]).start("flow");
    expect(await run.settled()).toMatchObject({ status: "failure", error: { code: "LIMIT_EXCEEDED", details: { limit: 10_000 } } });
  });
});

describe("supersteps, checkpoints and steps show every iteration", () => {
  /** Which iterations of which blocks are recorded, in the order of the records. */
  const shown = (steps: Awaited<ReturnType<Run["steps"]>>): readonly string[] =>
    steps.map(({ block, item, iteration = 1, status }) => `${block}${item === undefined ? "" : `[${item}]`}#${iteration} ${status}`);
  const checkpointsOf = async (executor: Executor, run: Run): Promise<readonly string[]> =>
    (await executor.checkpoints.list({ run: run.id })).items.map(({ id }) => id.replace(run.id.slice(4), "")).toReversed();

  test("a block that runs four times makes four of each", async () => {
    const { type } = counter();
    const flow = workflow(counting(), { id: "after", type: "EchoBlock", inputs: { message: "x" }, dependsOn: ["a"] });
    const executor = executorFor(memoryStore(), flow, [type]);
    const run = await executor.start("flow");
    await run.settled();
    expect((await run.state()).superstep).toBe(4);
    expect(await checkpointsOf(executor, run)).toEqual(["chk_.0", "chk_.1", "chk_.2", "chk_.3", "chk_.4"]);
    expect(shown(await run.steps({ superstep: 1 }))).toEqual(["a#1 completed", "a#2 completed"]);
    expect(shown(await run.steps({ superstep: 3 }))).toEqual(["a#1 completed", "a#2 completed", "a#3 completed", "a#4 completed"]);
    expect((await run.state({ superstep: 2 })).values).toEqual({});
    expect(Object.keys((await run.state({ superstep: 3 })).values)).toEqual(["a"]);
  });

  test("blocks and items that iterate side by side share their supersteps", async () => {
    const { type } = counter();
    const flow = workflow(
      counting({ id: "two", inputs: { to: 2 } }),
      counting({ id: "three", inputs: { to: 3 } }),
      counting({ id: "each", forEach: [1, 3], inputs: { to: "${each.value}" } }),
      { id: "once", type: "EchoBlock", inputs: { message: "x" } },
    );
    const run = await executorFor(memoryStore(), flow, [type]).start("flow");
    await run.settled();
    expect((await run.state()).superstep).toBe(2);
    expect(shown(await run.steps({ superstep: 0 })).toSorted()).toEqual(
      ["each[0]#1 completed", "each[1]#1 completed", "once#1 completed", "three#1 completed", "two#1 completed"].toSorted(),
    );
    expect(shown(await run.steps({ superstep: 1 })).filter((step) => step.includes("#2"))).toHaveLength(3);
  });

  test("in the same way for a later reader, however questions were answered meanwhile", async () => {
    const store = memoryStore();
    const { type } = counter();
    const ask = defineBlock({
      type: "Ask",
      execute: ({ iteration }) => pause({ prompt: `${iteration}?` }),
      resume: ({ iteration, nextIteration, response }) => (iteration < 3 ? nextIteration() : success({ response })),
    });
    const flow = workflow(counting(), { id: "b", type: "Ask" });
    const executor = executorFor(store, flow, [type, ask]);
    const run = await executor.start("flow");
    for (let result = await run.settled(); result.status === "paused"; result = await run.answer(result.pauses[0]!.id, "yes"));
    const seen = async (reader: Executor) => {
      const read = await reader.open(run.id);
      return { ...(await read.state()), steps: shown(await read.steps()), checkpoints: await checkpointsOf(reader, run) };
    };
    const here = await seen(executor);
    expect(here.steps.filter((step) => step.startsWith("b"))).toEqual(["b#1 completed", "b#2 completed", "b#3 completed"]);
    expect(here.checkpoints.filter((id) => id.startsWith("chk"))).toHaveLength(here.superstep + 1);
    expect(await seen(executorFor(store, flow, [type, ask], 2))).toEqual(here);
  });

  test("each with its own time, the sum being that of the block", async () => {
    const host = fakeHost({ autoAdvance: true });
    const type = defineBlock({
      type: "Slow",
      execute: async ({ iteration, nextIteration }) => {
        await host.sleep(iteration * 100);
        return iteration < 3 ? nextIteration() : success({});
      },
    });
    const flow = workflow({ id: "a", type: "Slow" });
    const executor = createExecutor({
      store: memoryStore(),
      workflows: [{ ...flow, outputs: { ms: "${blocks.a.metadata.execution_time_ms}" } }],
      blocks: [type],
      host,
    });
    const run = await executor.start("flow");
    expect((await run.settled()).outputs).toEqual({ ms: 600 });
    expect((await run.steps()).map(({ tookMs }) => tookMs)).toEqual([100, 200, 300]);
  });

  test("a checkpoint between iterations loads, and a fork goes on from there", async () => {
    const store = memoryStore();
    const { type, keys } = counter();
    const executor = executorFor(
      store,
      workflow({ id: "before", type: "EchoBlock", inputs: { message: "x" } }, counting({ dependsOn: ["before"] })),
      [type],
    );
    const run = await executor.start("flow");
    await run.settled();
    const second = `chk_${run.id.slice(4)}.2`;
    expect(await executor.checkpoints.get(second)).toMatchObject({ currentWave: 1, totalWaves: 2, completedBlocks: ["before"] });
    expect(await executor.checkpoints.get(`chk_${run.id.slice(4)}.0`)).toMatchObject({ currentWave: 0 });
    const fork = await executor.fork(second);
    expect(await fork.settled()).toMatchObject({ status: "success" });
    expect(shown(await fork.steps())).toEqual(shown(await run.steps()));
    expect(keys).toEqual(["a", "a#2", "a#3", "a#4", "a#3", "a#4"]);
  });

  test("where only the newest state is kept, steps() still does", async () => {
    const { type } = counter();
    const policy = { retention: "latest" } as const;
    const executor = createExecutor({ store: memoryStore(), workflows: [workflow(counting())], blocks: [type], policy, host: fakeHost() });
    const run = await executor.start("flow");
    await run.settled();
    expect(shown(await run.steps())).toEqual(["a#1 completed", "a#2 completed", "a#3 completed", "a#4 completed"]);
  });
});
