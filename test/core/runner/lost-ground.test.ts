import { describe, expect, test } from "vitest";
import { createExecutor, defineBlock, success, type CheckpointPolicy, type Executor, type Run, type Store, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { failAt, fakeHost, faultyStore } from "wavepoint/testing";

const chain: Workflow = {
  name: "chain",
  blocks: ["a", "b", "c"].map((id, i, all) => ({ id, type: "Work", ...(i > 0 ? { dependsOn: [all[i - 1]!] } : {}) })),
  outputs: { last: "${blocks.c.done}" },
};

function chainExecutor(
  store: Store,
  seed: number,
  durability: NonNullable<CheckpointPolicy["durability"]>,
  during: (block: string, run: string) => Promise<void>,
) {
  const work = defineBlock({
    type: "Work",
    async execute({ block, run }) {
      await during(block, run);
      return success({ done: block });
    },
  });
  return createExecutor({ store, policy: { durability }, blocks: [work], workflows: [chain], host: fakeHost({ seed, autoAdvance: true }) });
}

// The first two writes are the definition and the start of the run. Steps that follow each other quickly share one, where it is not awaited.
describe.each([
  { durability: "sync", writes: [3, 4, 5] },
  { durability: "async", writes: [3, 4] },
] as const)("written $durability", ({ durability, writes }) => {
  test.each(["a", "b", "c"])("a run deleted while block %s executes does not end well", async (at) => {
    const store = memoryStore();
    const executor = chainExecutor(store, 1, durability, async (block, run) => {
      if (block === at) await store.delete(run);
    });
    const run = await executor.start(chain);
    await expect(run.settled()).rejects.toMatchObject({ code: "RUN_NOT_FOUND" });
    expect(run.getSnapshot()).toMatchObject({ active: false, error: { code: "RUN_NOT_FOUND" } });
    expect((await store.runs()).items).toEqual([]);
  });

  test.each(writes)("after a failed write %i the run shows what is stored, and goes on once writes succeed", async (write) => {
    const store = memoryStore();
    const executor = chainExecutor(faultyStore(store, failAt(write)), 1, durability, async () => {});
    const run = await executor.start(chain);
    await expect(run.settled()).rejects.toMatchObject({ code: "STORE_FAILED" });
    expect(run.getSnapshot()).toMatchObject({ status: "running", active: false, error: { code: "STORE_FAILED" } });
    expect(run.getSnapshot().outputs).toBeUndefined();
    expect(await run.resume()).toMatchObject({ status: "success", outputs: { last: "c" } });
    expect(run.getSnapshot().error).toBeUndefined();
    expect((await store.head(run.id))?.status).toBe("completed");
  });
});

test("an executor that waits for a run in other hands can be closed, and says so to those who wait", async () => {
  const store = memoryStore();
  let finish = (): void => {};
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const holder = chainExecutor(store, 1, "sync", () => finished);
  const waiting = chainExecutor(store, 2, "sync", async () => {});
  const run = await holder.start(chain);
  const again = await waiting.open(run.id);
  const waits = Promise.allSettled([again.resume(), again.settled()]);
  await waiting.close();
  const closed = expect.objectContaining({ status: "rejected", reason: expect.objectContaining({ code: "STORE_CLOSED" }) });
  expect(await waits).toEqual([closed, closed]);
  await expect(again.resume()).rejects.toMatchObject({ code: "STORE_CLOSED" });
  finish();
  expect(await run.settled()).toMatchObject({ status: "success" });
});

test("an answer that could not be stored leaves the question on the screen", async () => {
  const store = memoryStore();
  const ask: Workflow = { name: "ask", blocks: [{ id: "q", type: "GetInput", inputs: { prompt: "Name?" } }] };
  const faulty = faultyStore(store, failAt(4));
  const executor = createExecutor({ store: faulty, workflows: [ask], host: fakeHost({ autoAdvance: true }) });
  const run = await executor.start(ask);
  const { pauses } = await run.settled();
  expect(faulty.writes).toBe(3);
  await expect(run.answer(pauses![0]!.id, "Ada")).rejects.toMatchObject({ code: "STORE_FAILED" });
  expect(run.getSnapshot().pauses.map(({ id }) => id)).toEqual([pauses![0]!.id]);
  expect(await run.answer(pauses![0]!.id, "Ada")).toMatchObject({ status: "success" });
});

test.each<readonly [string, (run: Run, executor: Executor, pause: string) => Promise<unknown>]>([
  ["a run that could not be cancelled", (run) => run.cancel()],
  ["a question whose checkpoint could not be deleted", (_, executor, pause) => executor.checkpoints.delete(pause)],
  ["a question that could not be declined", (run, _, pause) => run.decline(pause, { action: "cancel" })],
  ["a run that could not be handed over", (run, executor) => executor.runs.transfer(run.id, { to: "the desk" })],
])("%s waits as it did", async (_, change) => {
  const ask: Workflow = { name: "ask", blocks: [{ id: "q", type: "GetInput", inputs: { prompt: "Name?" } }] };
  const store = faultyStore(memoryStore(), failAt(4));
  const executor = createExecutor({ store, workflows: [ask], host: fakeHost({ autoAdvance: true }) });
  const run = await executor.start(ask);
  const pause = (await run.settled()).pauses![0]!.id;
  const before = run.getSnapshot();
  await expect(change(run, executor, pause)).rejects.toMatchObject({ code: "STORE_FAILED" });
  const { status, pauses, transferredTo } = run.getSnapshot();
  expect({ status, pauses, transferredTo }).toEqual({ status: "paused", pauses: before.pauses, transferredTo: undefined });
  expect(await run.answer(pause, "Ada")).toMatchObject({ status: "success" });
});
