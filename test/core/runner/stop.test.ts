import { describe, expect, test } from "vitest";
import { bulkRuns, createExecutor, defineBlock, success, type Block, type Executor, type Store, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";

const HOUR_MS = 3_600_000;

const flow = (...blocks: readonly Block[]): Workflow => ({ name: "flow", blocks });
const work = (id: string, ...dependsOn: readonly string[]): Block => ({ id, type: "Work", dependsOn });
const ask = (id: string): Block => ({ id, type: "GetInput", inputs: { prompt: `${id}?` } });
const CALLER: Workflow = { name: "caller", blocks: [{ id: "call", type: "ExecuteWorkflow", inputs: { workflow: "flow" } }] };

/** Blocks that work until the test ends them, or aborted, and what became of each execution. */
function workers() {
  const log: string[] = [];
  const ends = new Map<string, () => void>();
  const type = defineBlock({
    type: "Work",
    async execute({ block, attempt, mayHaveRun, idempotencyKey, signal }) {
      log.push(`${block} begins ${attempt}${mayHaveRun ? " again" : ""} ${idempotencyKey.split("/")[1]!}`);
      await new Promise<void>((resolve, reject) => {
        ends.set(block, resolve);
        signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
      }).catch((reason: { readonly code: string }) => {
        log.push(`${block} aborted ${reason.code}`);
        ends.delete(block);
        throw reason;
      });
      return success({ did: block });
    },
  });
  /** Lets a block end that works, or that will. */
  async function end(block: string): Promise<void> {
    await expect.poll(() => ends.get(block)).toBeDefined();
    ends.get(block)!();
  }
  return { type, log, end };
}

let seed = 1;

function place(workflows: readonly Workflow[], store: Store = memoryStore()) {
  const { type, log, end } = workers();
  const open = (): Executor =>
    createExecutor({ store, workflows, blocks: [type], host: fakeHost({ autoAdvance: true, seed: (seed += 1) }) });
  return { store, open, executor: open(), log, end };
}

describe("a run that is stopped for now", () => {
  test("aborts what executes, is paused, and executes that again once it is resumed", async () => {
    const { executor, log, end, store } = place([flow(work("one"), work("two"), work("after", "one", "two"))]);
    const run = await executor.start("flow");
    await end("one");
    await expect.poll(() => run.getSnapshot().waves[0]!.blocks.map(({ status }) => status)).toEqual(["completed", "running"]);
    expect(await run.stop()).toMatchObject({ status: "paused", run: run.id, reason: "stopped", pauses: [] });
    expect(run.getSnapshot()).toMatchObject({ status: "paused", reason: "stopped", active: false });
    expect(await store.head(run.id)).toMatchObject({ status: "paused", reason: "stopped" });
    expect((await run.steps()).map(({ block, status }) => `${block} ${status}`)).toEqual(["one completed"]);
    const resumed = run.resume();
    await end("two");
    await end("after");
    expect((await resumed).status).toBe("success");
    expect(run.getSnapshot()).not.toHaveProperty("reason");
    expect(await store.head(run.id)).not.toHaveProperty("reason");
    expect(log).toEqual(["one begins 1 one", "two begins 1 two", "two aborted ABORTED", "two begins 2 again two", "after begins 1 after"]);
  });

  test("is left alone by recover, and goes on in another process once it is resumed there", async () => {
    const { open, executor, end } = place([flow(work("one"))]);
    const run = await executor.start("flow");
    await expect.poll(() => run.getSnapshot().waves[0]!.blocks[0]!.status).toBe("running");
    await executor.stop(run.id);
    await executor.close();
    const other = open();
    expect(await other.recover()).toEqual({ runs: [], failed: [] });
    const there = await other.open(run.id);
    expect(await there.settled()).toMatchObject({ status: "paused", reason: "stopped" });
    const resumed = there.resume();
    await end("one");
    expect((await resumed).status).toBe("success");
  });

  test("keeps answers that come meanwhile, and goes on with them only when it is resumed", async () => {
    const { executor } = place([
      flow(ask("name"), { id: "greet", type: "EchoBlock", inputs: { message: "${blocks.name.input_value}" }, dependsOn: ["name"] }),
    ]);
    const run = await executor.start("flow");
    const { pauses } = await run.settled();
    await run.stop();
    expect(await run.answer(pauses![0]!.id, "Ada")).toMatchObject({ status: "paused", run: run.id, reason: "stopped", pauses: [] });
    expect(await run.steps()).toMatchObject([{ status: "paused" }]);
    expect((await run.resume()).status).toBe("success");
    expect(await run.state()).toMatchObject({ values: { greet: { echoed: "Ada" } } });
  });

  test("waits for no instant; one that has passed meanwhile counts once it goes on", async () => {
    const host = fakeHost();
    const executor = createExecutor({
      store: memoryStore(),
      host,
      workflows: [flow({ id: "wait", type: "Wait", inputs: { duration_ms: HOUR_MS } })],
    });
    const run = await executor.start("flow");
    await expect.poll(() => host.sleeping).toBe(1);
    await run.stop();
    expect(host.sleeping).toBe(0);
    await host.advance(2 * HOUR_MS);
    expect(run.getSnapshot()).toMatchObject({ status: "paused", waves: [{ blocks: [{ status: "waiting" }] }] });
    expect((await run.resume()).status).toBe("success");
  });

  test("can be cancelled, and refuses to be stopped once it has ended", async () => {
    const { executor } = place([flow(ask("name"))]);
    const run = await executor.start("flow");
    await run.stop();
    await run.stop();
    expect((await run.cancel()).status).toBe("failure");
    expect(run.getSnapshot()).toMatchObject({ status: "cancelled" });
    expect(run.getSnapshot()).not.toHaveProperty("reason");
    await expect(run.stop()).rejects.toMatchObject({ code: "RUN_ENDED", message: expect.stringContaining("is cancelled") });
  });

  test("lets an answer be changed, and forks go on", async () => {
    const { executor } = place([
      flow(ask("name"), { ...ask("age"), inputs: { prompt: "${blocks.name.input_value}, age?" }, dependsOn: ["name"] }),
    ]);
    const run = await executor.start("flow");
    const first = (await run.settled()).pauses![0]!.id;
    await run.answer(first, "Ada");
    await run.stop();
    const preview = await run.previewRevise(first, "Eve");
    expect(preview.asked).toEqual(["age"]);
    expect(await run.revise(first, "Eve")).toMatchObject({ status: "paused", reason: "stopped" });
    const [, newest] = (await executor.checkpoints.list({ run: run.id })).items;
    const fork = await executor.fork(newest!.id);
    expect((await fork.settled()) as object).not.toHaveProperty("reason");
    expect((await run.resume()).pauses).toMatchObject([{ prompt: "Eve, age?" }]);
  });

  test("many are stopped by a filter, and resumed", async () => {
    const { executor } = place([flow(ask("name"))]);
    for (const id of ["a", "b"]) await (await executor.start("flow", {}, { id })).settled();
    expect(await bulkRuns(executor, { do: "stop" }, { status: ["running", "paused"] })).toMatchObject({ done: 2, failed: [] });
    expect((await executor.runs.list()).items.map(({ reason }) => reason)).toEqual(["stopped", "stopped"]);
    await bulkRuns(executor, { do: "resume" }, { status: "paused" });
    expect((await executor.runs.list()).items.map(({ reason }) => reason)).toEqual([undefined, undefined]);
  });
});

describe("a run that is stopped while another executor executes it", () => {
  test("stops there as soon as that learns of it", async () => {
    const { open, executor, log } = place([flow(work("one"), work("two"))]);
    const run = await executor.start("flow");
    await expect.poll(() => log.length).toBe(2);
    run.subscribe(() => {});
    expect(await open().stop(run.id)).toMatchObject({ status: "paused", reason: "stopped" });
    await expect.poll(() => run.getSnapshot()).toMatchObject({ status: "paused", reason: "stopped", active: false });
    expect(log.slice(2)).toContain("two aborted ABORTED");
  });

  test("whose store tells of nothing: at its next write", async () => {
    const memory = memoryStore();
    const { watch: _, ...deaf } = memory;
    const { open, executor, log, end } = place([flow(work("one"), work("two"), work("after", "one", "two"))], deaf);
    const run = await executor.start("flow");
    await expect.poll(() => log.length).toBe(2);
    const other = open();
    await other.stop(run.id);
    expect(log).toHaveLength(2);
    await end("one");
    await expect.poll(() => log.slice(2)).toEqual(["two aborted ABORTED"]);
    const there = await other.open(run.id);
    const resumed = there.resume();
    await end("two");
    await end("after");
    expect((await resumed).status).toBe("success");
    expect(log.filter((line) => line.startsWith("one"))).toHaveLength(1);
  });
});

describe("a run that calls another one", () => {
  test("is stopped with it, and goes on with it", async () => {
    const { executor, log, end } = place([CALLER, flow(work("one"))]);
    const run = await executor.start("caller");
    await expect.poll(() => log.length).toBe(1);
    await run.stop();
    const called = await executor.open(`${run.id}/call`);
    expect(called.getSnapshot()).toMatchObject({ status: "paused", reason: "stopped" });
    expect(log[1]).toBe("one aborted ABORTED");
    const resumed = run.resume();
    await end("one");
    expect((await resumed).status).toBe("success");
  });

  test("and is then stopped by itself, goes on only by itself", async () => {
    const { executor, log, end } = place([CALLER, flow(work("one"))]);
    const run = await executor.start("caller");
    await expect.poll(() => log.length).toBe(1);
    await run.stop();
    const called = await executor.open(`${run.id}/call`);
    await called.stop();
    expect(await run.resume()).toMatchObject({ status: "paused", pauses: [] });
    expect(called.getSnapshot()).toMatchObject({ status: "paused", reason: "stopped" });
    const resumed = called.resume();
    await end("one");
    expect((await resumed).status).toBe("success");
  });

  test("waits for a called run that was stopped alone, across processes, and goes on after it", async () => {
    const { executor, open, log, end } = place([CALLER, flow(work("one"))]);
    const run = await executor.start("caller");
    await expect.poll(() => log.length).toBe(1);
    await (await executor.open(`${run.id}/call`)).stop();
    expect(await run.settled()).toMatchObject({ status: "paused", run: run.id, pauses: [] });
    await executor.close();
    const other = open();
    const there = await other.open(run.id);
    // To look at it once more changes nothing.
    expect(await there.resume()).toMatchObject({ status: "paused", pauses: [] });
    const steps = await there.steps();
    const called = await other.open(`${run.id}/call`);
    const resumed = called.resume();
    await end("one");
    expect((await resumed).status).toBe("success");
    expect((await there.settled()).status).toBe("success");
    expect(steps).toMatchObject([{ block: "call", status: "waiting" }]);
  });

  test("goes on after a question of it was answered that was stopped alone", async () => {
    const { executor } = place([CALLER, flow(ask("name"))]);
    const run = await executor.start("caller");
    const { pauses } = await run.settled();
    const called = await executor.open(`${run.id}/call`);
    await called.stop();
    expect(await run.answer(pauses![0]!.id, "Ada")).toMatchObject({ status: "paused", run: run.id, pauses: [] });
    await called.resume();
    expect((await run.settled()).status).toBe("success");
  });
});
