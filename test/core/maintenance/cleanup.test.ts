import { createExecutor, type CheckpointPolicy, type Executor, type RunEvent, type Store, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { failAt, fakeHost, faultyStore, type FakeHost } from "wavepoint/testing";
import { beforeEach, describe, expect, test, vi } from "vitest";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const ask: Workflow = { name: "ask", blocks: [{ id: "ok", type: "ConfirmOperation", inputs: { message: "Well?" } }] };
const echo: Workflow = {
  name: "echo",
  blocks: ["a", "b", "c"].map((id, i) => ({
    id,
    type: "EchoBlock",
    inputs: { message: id },
    ...(i > 0 ? { dependsOn: ["abc"[i - 1]!] } : {}),
  })),
};
const call: Workflow = { name: "call", blocks: [{ id: "inner", type: "ExecuteWorkflow", inputs: { workflow: "echo" } }] };

let store: Store;
let host: FakeHost;
let events: RunEvent[];

beforeEach(() => {
  store = memoryStore();
  // Later than the clock of the store, by which it tells how old a blob is.
  host = fakeHost({ autoAdvance: true, startAt: Date.now() + 100 * DAY });
  events = [];
});

function executorWith(policy: CheckpointPolicy = {}, on: Store = store): Executor {
  return createExecutor({
    store: on,
    host,
    policy: { autoCleanup: false, ...policy },
    workflows: [ask, echo, call],
    onEvent: (event) => void events.push(event),
  });
}

async function ended(executor: Executor, workflow = "echo"): Promise<string> {
  const run = await executor.start(workflow);
  await run.settled();
  return run.id;
}

const idsOf = async (): Promise<string[]> => (await store.runs()).items.map(({ id }) => id);

describe("a cleanup", () => {
  test("removes what ended longer ago than the policy keeps it, with all it called", async () => {
    const executor = executorWith({ ttlMs: DAY });
    await ended(executor, "call");
    expect(await idsOf()).toHaveLength(2);
    await host.advance(DAY / 2);
    const young = await ended(executor);
    await host.advance(DAY / 2);
    expect(await executor.cleanup()).toMatchObject({ runs: 2, done: true });
    expect(await idsOf()).toEqual([young]);
    expect(await executor.cleanup()).toMatchObject({ runs: 0 });
  });

  test("removes nothing unless the policy says how old is too old", async () => {
    const executor = executorWith();
    await ended(executor);
    await host.advance(1_000 * DAY);
    expect(await executor.cleanup()).toMatchObject({ runs: 0, checkpoints: 0 });
    expect(await executor.cleanup({ ttlMs: DAY })).toMatchObject({ runs: 1 });
  });

  test.each([{ ttlMs: -1 }, { ttlMs: Number.NaN }, { maxPerWorkflow: 0 }, { maxPerWorkflow: 1.5 }])(
    "refuses %j and removes nothing",
    async (options) => {
      const executor = executorWith();
      await ended(executor);
      await host.advance(DAY);
      await expect(executor.cleanup(options)).rejects.toMatchObject({ code: "POLICY_INVALID" });
      expect(await executor.metrics()).toMatchObject({ runs: 1, automaticCheckpoints: 3 });
    },
  );

  test("keeps what waits for an answer, unless told otherwise", async () => {
    const executor = executorWith({ ttlMs: DAY });
    const waiting = await ended(executor, "ask");
    await host.advance(30 * DAY);
    expect(await executor.cleanup()).toMatchObject({ runs: 0 });
    expect(await idsOf()).toEqual([waiting]);
    expect(await executor.cleanup({ keepPaused: false })).toMatchObject({ runs: 1 });
  });

  test("keeps the blobs that a run needs, and removes the others after a day", async () => {
    const executor = executorWith({ ttlMs: DAY });
    const kept = await ended(executor, "ask");
    await ended(executor);
    await host.advance(2 * DAY);
    expect(await executor.cleanup()).toMatchObject({ runs: 1, blobs: 1 });
    expect(await (await executorWith().open(kept)).answer((await store.head(kept))!.pauses[0]!.id, "yes")).toMatchObject({
      status: "success",
    });
    // The definition that was removed is put back with the next run of it.
    expect(await (await executor.open(await ended(executor))).settled()).toMatchObject({ status: "success" });
  });

  test("keeps all blobs while a run is damaged: what it needs is not known", async () => {
    const whole = store;
    const damaged = [{ run: "run_x", error: { code: "STORE_DATA_CORRUPT", message: "The head is damaged." } }] as const;
    const hurt: Store = { ...whole, runs: async (query = {}) => ({ ...(await whole.runs(query)), damaged }) };
    const executor = executorWith({ ttlMs: DAY }, hurt);
    await ended(executor);
    await host.advance(2 * DAY);
    expect(await executor.cleanup()).toMatchObject({ runs: 1, blobs: 0 });
    expect((await executor.metrics()).damagedRuns).toBe(1);
    expect(await executorWith({ ttlMs: DAY }).cleanup()).toMatchObject({ blobs: 1 });
  });

  test("leaves alone what executes, and what another cleaner is at", async () => {
    const executor = executorWith({ ttlMs: 1 });
    const id = await ended(executor);
    await host.advance(DAY);
    const release = (await store.claim(id))!;
    expect(await executor.cleanup()).toMatchObject({ runs: 0, done: true });
    await release();
    const cleaning = await store.claim("wavepoint-cleaner");
    expect(await executor.cleanup()).toEqual({ runs: 0, checkpoints: 0, blobs: 0, done: false });
    await cleaning!();
    expect(await executor.cleanup()).toMatchObject({ runs: 1, done: true });
  });

  test("D13: stopped at any write leaves runs that are whole, and the next one ends it", async () => {
    for (const when of ["before", "after"] as const) {
      for (let write = 1; write <= 4; write++) {
        store = memoryStore();
        const executor = executorWith({ ttlMs: DAY });
        await ended(executor, "call");
        await ended(executor, "call");
        const waiting = await ended(executor, "ask");
        await host.advance(2 * DAY);
        const failing = executorWith({ ttlMs: DAY }, faultyStore(store, failAt(write, { when, times: "forever" })));
        await expect(failing.cleanup()).rejects.toMatchObject({ code: "STORE_FAILED" });
        for (const { id } of (await store.runs()).items) await expect(executorWith().open(id)).resolves.toMatchObject({ id });
        await executorWith({ ttlMs: DAY }).cleanup();
        expect(await idsOf()).toEqual([waiting]);
      }
    }
  });

  test("runs on first use, and by timer until the executor is closed", async () => {
    const cleanups = (): number => events.filter(({ type }) => type === "cleaned").length;
    const before = executorWith();
    const old = await ended(before);
    await before.close();
    await host.advance(2 * DAY);
    const executor = executorWith({ autoCleanup: true, ttlMs: DAY, cleanupIntervalMs: HOUR });
    expect(cleanups()).toBe(0);
    await expect(executor.open("run_none")).rejects.toMatchObject({ code: "RUN_NOT_FOUND" });
    await expect.poll(cleanups).toBe(1);
    expect(await idsOf()).not.toContain(old);
    const young = await ended(executor);
    for (let hours = 1; hours <= 23; hours += 1) await host.advance(HOUR);
    expect(await idsOf()).toEqual([young]);
    await host.advance(2 * HOUR);
    await expect.poll(idsOf).toEqual([]);
    await executor.close();
    const count = cleanups();
    expect(host.sleeping).toBe(0);
    await host.advance(DAY);
    expect(cleanups()).toBe(count);
  });

  test("does not run by itself where the policy keeps everything, or says so", async () => {
    for (const policy of [{ autoCleanup: true }, { autoCleanup: false, ttlMs: DAY, maxPerWorkflow: 1 }]) {
      const executor = executorWith(policy);
      await ended(executor);
      await host.advance(10 * DAY);
      expect(host.sleeping).toBe(0);
      await executor.close();
    }
    expect(events.filter(({ type }) => type === "cleaned")).toEqual([]);
  });

  test("keeps no process alive by its timer", async () => {
    const timers: { delay: number | undefined; timer: unknown }[] = [];
    const real = globalThis.setTimeout;
    const spy = vi.spyOn(globalThis, "setTimeout").mockImplementation(((work: () => void, delay?: number) => {
      const timer = real(work, delay);
      timers.push({ delay, timer });
      return timer;
    }) as typeof setTimeout);
    const executor = createExecutor({ store, workflows: [echo], policy: { ttlMs: DAY } });
    await (await executor.start("echo")).settled();
    await expect.poll(() => timers.filter(({ delay }) => delay === HOUR)).toHaveLength(1);
    const { timer } = timers.find(({ delay }) => delay === HOUR)!;
    expect((timer as { hasRef?: () => boolean }).hasRef?.() ?? false).toBe(false);
    await executor.close();
    spy.mockRestore();
  });
});

describe("a store that is full", () => {
  const full = (times: "once" | "forever"): Store => faultyStore(store, failAt(4, { code: "STORE_QUOTA", times }));

  test("gets room by what the policy lets go, and the write is made once more", async () => {
    await ended(executorWith());
    await host.advance(2 * DAY);
    const executor = executorWith({ ttlMs: DAY, durability: "sync" }, full("once"));
    const young = await ended(executor);
    expect((await (await executor.open(young)).settled()).status).toBe("success");
    expect(events).toContainEqual({ type: "cleaned", report: expect.objectContaining({ runs: 1, done: true }) });
    expect(await idsOf()).toEqual([young]);
  });

  test("fails the write where there is still no room", async () => {
    const executor = executorWith({ durability: "sync" }, full("forever"));
    const run = await executor.start("echo");
    await expect(run.settled()).rejects.toMatchObject({ code: "STORE_QUOTA" });
  });
});

describe("automatic checkpoints", () => {
  const listed = async (): Promise<string[]> => (await store.checkpoints()).items.map(({ kind, workflow }) => `${kind} ${workflow}`);

  test("beyond the newest of a workflow go when its run comes to rest", async () => {
    const executor = executorWith({ autoCleanup: true, maxPerWorkflow: 2, cleanupIntervalMs: DAY });
    await ended(executor);
    await ended(executor, "ask");
    await ended(executor);
    await expect.poll(async () => (await listed()).filter((row) => row === "wave echo")).toHaveLength(2);
    expect(await listed()).toContain("pause ask");
    await executor.close();
  });

  test("are trimmed to the newest of each workflow; pauses stay, answered ones too", async () => {
    const executor = executorWith();
    const first = await executor.open(await ended(executor, "ask"));
    await first.answer(first.getSnapshot().pauses[0]!.id, "yes");
    await ended(executor);
    await ended(executor);
    expect(await listed()).toHaveLength(8);
    expect(await executor.checkpoints.trim(2)).toBe(4);
    expect(await listed()).toEqual(["wave echo", "wave echo", "wave ask", "pause ask"]);
    await expect(executor.checkpoints.trim(-1)).rejects.toMatchObject({ code: "POLICY_INVALID" });
  });

  test("of runs that wait expire, and what is left still loads and goes on", async () => {
    const executor = executorWith({ ttlMs: DAY, maxPerWorkflow: 1 });
    const workflow: Workflow = {
      ...ask,
      name: "later",
      blocks: [
        { id: "a", type: "EchoBlock", inputs: { message: "a" } },
        { ...ask.blocks[0]!, dependsOn: ["a"] },
      ],
    };
    await executor.load(workflow);
    const run = await executor.open(await ended(executor, "later"));
    await host.advance(2 * DAY);
    expect(await executor.cleanup()).toMatchObject({ runs: 0, checkpoints: 1 });
    expect(await listed()).toEqual(["pause later"]);
    const other = executorWith();
    expect(await other.answer(run.getSnapshot().pauses[0]!.id, "yes")).toMatchObject({ status: "success" });
    await run.refresh();
    expect(await run.settled()).toMatchObject({ status: "success" });
  });
});

test("metrics count runs and checkpoints by status, workflow and age", async () => {
  const executor = executorWith();
  await ended(executor, "ask");
  await host.advance(2 * HOUR);
  await ended(executor);
  const metrics = await executor.metrics();
  expect(metrics).toMatchObject({
    runs: 2,
    runsByStatus: { paused: 1, completed: 1, running: 0 },
    damagedRuns: 0,
    checkpoints: 4,
    pausedCheckpoints: 1,
    automaticCheckpoints: 3,
    requestedCheckpoints: 0,
    byWorkflow: { ask: { runs: 1, checkpoints: 1 }, echo: { runs: 1, checkpoints: 3 } },
    ages: { underHour: 3, underDay: 1, underWeek: 0, older: 0 },
    newestAgeMs: 0,
    oldestAgeMs: 2 * HOUR,
  });
  expect(metrics.bytes).toBeGreaterThan(500);
  store = memoryStore();
  expect(await executorWith().metrics()).toMatchObject({ runs: 0, checkpoints: 0 });
});
