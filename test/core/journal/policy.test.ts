import { createExecutor, defineBlock, success, type CheckpointPolicy, type Executor, type Store, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { failAt, fakeHost, faultyStore } from "wavepoint/testing";
import { describe, expect, test } from "vitest";

/** Two questions in a row, with a step before and behind each. */
const WIZARD: Workflow = {
  name: "wizard",
  blocks: [
    { id: "hello", type: "EchoBlock", inputs: { message: "hello" } },
    { id: "name", type: "GetInput", inputs: { prompt: "Name?" }, dependsOn: ["hello"] },
    { id: "greet", type: "EchoBlock", inputs: { message: "${blocks.name.input_value}" }, dependsOn: ["name"] },
    { id: "town", type: "GetInput", inputs: { prompt: "Town?" }, dependsOn: ["greet"] },
    { id: "bye", type: "EchoBlock", inputs: { message: "${blocks.greet.echoed} of ${blocks.town.input_value}" }, dependsOn: ["town"] },
  ],
  outputs: { text: "${blocks.bye.echoed}" },
};

let seed = 0;

function executorOn(store: Store, policy: CheckpointPolicy): Executor {
  return createExecutor({ store, policy, workflows: [WIZARD], host: fakeHost({ seed: (seed += 1), autoAdvance: true }) });
}

test.each([
  [{ durability: "exit" }, 'needs retention "latest"'],
  [{ durability: "exit", retention: "windowed", window: 2 }, 'needs retention "latest"'],
  [{ retention: "windowed" }, "needs a window"],
  [{ retention: "latest", window: 2 }, "goes only with"],
  [{ retention: "windowed", window: 0 }, "whole number from 1"],
  [{ ttlMs: 1.5 }, "whole number from 1"],
  [{ durability: "often" as "sync" }, "durability"],
  // A text from a settings file: every text would count as true.
  [{ keepPaused: "false" as unknown as boolean }, "keepPaused is true or false"],
  [{ autoCleanup: 0 as unknown as boolean }, "autoCleanup is true or false"],
] satisfies [CheckpointPolicy, string][])("a policy that contradicts itself is refused: %j", (policy, message) => {
  expect(() => createExecutor({ store: memoryStore(), policy })).toThrowError(
    expect.objectContaining({ code: "POLICY_INVALID", message: expect.stringContaining(message) as string }),
  );
});

describe.each([
  { durability: "sync", retention: "latest" },
  { durability: "async", retention: "latest" },
  { durability: "exit", retention: "latest" },
  { durability: "sync", retention: "windowed", window: 1 },
  { durability: "async", retention: "windowed", window: 2 },
  { durability: "async", retention: "full" },
] satisfies CheckpointPolicy[])("under %j", (policy) => {
  test("a run is answered by one process after another and ends as it should", async () => {
    const store = memoryStore();
    const first = await executorOn(store, policy).start("wizard");
    const { pauses } = await first.settled();
    const second = await executorOn(store, policy).open(first.id);
    const paused = await second.answer(pauses![0]!.id, "Ada");
    const third = executorOn(store, policy);
    const result = await third.answer(paused.pauses![0]!.id, "London");
    expect(result).toMatchObject({ status: "success", outputs: { text: "Ada of London" } });
    expect((await (await executorOn(store, policy).open(first.id)).steps()).map(({ block, status }) => `${block} ${status}`)).toEqual([
      "hello completed",
      "name completed",
      "greet completed",
      "town completed",
      "bye completed",
    ]);
  });

  test("D3: every checkpoint in a list loads", async () => {
    const store = memoryStore();
    const executor = executorOn(store, policy);
    const run = await executor.start("wizard");
    const { pauses } = await run.settled();
    for (const step of ["paused", "again", "ended"]) {
      for (const { id } of (await executorOn(store, policy).checkpoints.list()).items) {
        await expect(executorOn(store, policy).checkpoints.get(id), `${step}: ${id}`).resolves.toMatchObject({ id });
      }
      if (step === "paused") await run.answer(pauses![0]!.id, "Ada");
      if (step === "again") await run.answer(run.getSnapshot().pauses[0]!.id, "London");
    }
  });
});

test("with retention latest nothing of the past is kept but what going on needs, and what is gone is said to be gone", async () => {
  const store = memoryStore();
  const executor = executorOn(store, { retention: "latest" });
  const run = await executor.start("wizard");
  const { pauses } = await run.settled();
  const asked = pauses![0]!.id;
  await run.answer(asked, "Ada");
  expect((await store.read(run.id)).length).toBe(1);
  await expect(executor.checkpoints.get(asked)).rejects.toMatchObject({ code: "CHECKPOINT_PRUNED" });
  await expect(run.steps({ superstep: 0 })).rejects.toMatchObject({ code: "CHECKPOINT_PRUNED" });
  expect((await run.state()).values["greet"]).toMatchObject({ echoed: "Ada" });
  const [open] = run.getSnapshot().pauses;
  await expect(executor.checkpoints.get(open!.id)).resolves.toMatchObject({ completedBlocks: ["hello", "name", "greet"] });
});

test("with retention windowed the supersteps of the window can be looked at, and older ones cannot", async () => {
  const store = memoryStore();
  const executor = executorOn(store, { retention: "windowed", window: 2 });
  const run = await executor.start("wizard");
  await run.settled();
  await run.answer(run.getSnapshot().pauses[0]!.id, "Ada");
  await run.answer(run.getSnapshot().pauses[0]!.id, "London");
  expect((await run.state({ superstep: 4 })).values).toHaveProperty("bye");
  expect((await run.state({ superstep: 3 })).values).not.toHaveProperty("bye");
  await expect(run.state({ superstep: 1 })).rejects.toMatchObject({ code: "CHECKPOINT_PRUNED" });
  await expect(run.state({ superstep: 5 })).rejects.toMatchObject({ code: "CHECKPOINT_NOT_FOUND" });
});

test("with retention full the state at each superstep is what had been recorded by then", async () => {
  const executor = executorOn(memoryStore(), {});
  const run = await executor.start("wizard");
  await run.settled();
  await run.answer(run.getSnapshot().pauses[0]!.id, "Ada");
  const known = await Promise.all([0, 1, 2].map(async (superstep) => Object.keys((await run.state({ superstep })).values)));
  expect(known).toEqual([["hello"], ["hello", "name"], ["hello", "name", "greet"]]);
  expect((await run.steps({ superstep: 1 })).map(({ block }) => block)).toEqual(["hello", "name"]);
  expect((await run.state()).superstep).toBe(2);
});

test("with durability exit a run is written once when it comes to rest, and not at all before", async () => {
  const store = faultyStore(memoryStore());
  const seen: number[] = [];
  const work = defineBlock({
    type: "Look",
    execute: async () => {
      seen.push(store.writes, (await store.runs()).items.length);
      return success({});
    },
  });
  const workflow: Workflow = {
    name: "look",
    blocks: [0, 1, 2].map((i) => ({ id: `b${i}`, type: "Look", ...(i > 0 ? { dependsOn: [`b${i - 1}`] } : {}) })),
  };
  const executor = createExecutor({ store, blocks: [work], workflows: [workflow], policy: { durability: "exit", retention: "latest" } });
  const run = await executor.start("look");
  await expect(run.settled()).resolves.toMatchObject({ status: "success" });
  const definition = 1;
  expect(seen).toEqual([definition, 0, definition, 0, definition, 0]);
  expect(store.writes).toBe(definition + 1);
  // The state at its last checkpoint, from which it can be forked, and its end.
  expect((await store.read(run.id)).length).toBe(2);
});

test("with durability exit a run whose one write fails leaves nothing", async () => {
  const inner = memoryStore();
  const executor = executorOn(faultyStore(inner, failAt(2)), { durability: "exit", retention: "latest" });
  const run = await executor.start("wizard");
  await expect(run.settled()).rejects.toMatchObject({ code: "STORE_FAILED" });
  expect((await inner.runs()).items).toEqual([]);
});

test("a run may be given a name of your own, once", async () => {
  const executor = executorOn(memoryStore(), {});
  const run = await executor.start("wizard", {}, { id: "order-123" });
  expect(run.id).toBe("run_order-123");
  expect((await executor.open("order-123")).id).toBe(run.id);
  await expect(executor.start("wizard", {}, { id: "order-123" })).rejects.toMatchObject({ code: "RUN_EXISTS" });
  await expect(executor.start("wizard", {}, { id: "../x" })).rejects.toMatchObject({ code: "STORE_KEY_INVALID" });
});

test("with retention latest a large state is not written anew for each answer, and still as one and its end once the run has ended", async () => {
  const store = memoryStore();
  const bases = new Set<string>();
  const watched: Store = {
    ...store,
    commit: (commit) => {
      if (commit.base) bases.add(commit.base.text);
      return store.commit(commit);
    },
  };
  const large = defineBlock({ type: "Large", execute: () => success({ text: "x".repeat(200_000) }) });
  const questions = 8;
  const blocks = Array.from({ length: questions }, (_, i) => ({
    id: `q${i}`,
    type: "ConfirmOperation",
    inputs: { message: "Well?" },
    dependsOn: [i === 0 ? "large" : `q${i - 1}`],
  }));
  const workflow: Workflow = { name: "large", blocks: [{ id: "large", type: "Large" }, ...blocks] };
  const policy = { retention: "latest" } as const;
  const open = () =>
    createExecutor({
      store: watched,
      policy,
      workflows: [workflow],
      blocks: [large],
      host: fakeHost({ seed: (seed += 1), autoAdvance: true }),
    });
  const { id } = await open().start("large");
  for (let i = 0; i < questions; i++) {
    const { pauses } = await (await open().open(id)).resume();
    await open().answer(pauses![0]!.id, "yes");
  }
  expect(bases.size).toBeLessThanOrEqual(2);
  expect((await store.head(id))!.status).toBe("completed");
  expect(await store.read(id)).toHaveLength(2);
});
