import { describe, expect, test } from "vitest";
import {
  bulkRuns,
  createExecutor,
  defineBlock,
  failure,
  success,
  WorkflowError,
  type BulkProgress,
  type Store,
  type Workflow,
} from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";

const ask: Workflow = { name: "ask", blocks: [{ id: "q", type: "GetInput", inputs: { prompt: "Well?" } }] };
const weak: Workflow = { name: "weak", blocks: [{ id: "b", type: "Weak" }] };
const outer: Workflow = { name: "outer", blocks: [{ id: "call", type: "ExecuteWorkflow", inputs: { workflow: "ask" } }] };

function setUp(store: Store = memoryStore()) {
  const state = { isWeak: true };
  const weakBlock = defineBlock({ type: "Weak", execute: () => (state.isWeak ? failure("too weak") : success({ ok: true })) });
  const host = fakeHost();
  const executor = createExecutor({ store, host, workflows: [ask, weak, outer], blocks: [weakBlock] });
  const start = async (workflow: string, id: string) => (await executor.start(workflow, {}, { id })).settled();
  const statuses = async () =>
    Object.fromEntries((await executor.runs.list({ topLevel: true })).items.map(({ id, status }) => [id.slice(4), status]));
  return { store, host, executor, state, start, statuses };
}

describe("many runs at once", () => {
  test("are counted before anything is changed", async () => {
    const { executor, start, statuses } = setUp();
    for (const id of ["a", "b"]) await start("ask", id);
    await start("weak", "c");
    const before = await statuses();
    expect(await bulkRuns(executor, { do: "delete" }, { status: ["paused", "failed"] }, { preview: true })).toMatchObject({
      total: 3,
      done: 0,
    });
    expect(await bulkRuns(executor, { do: "delete" }, { workflow: "weak" }, { preview: true })).toMatchObject({ total: 1 });
    expect(await statuses()).toEqual(before);
  });

  test("are those that are named, or have certain values, where the filter says so", async () => {
    const { executor, host, statuses, start } = setUp();
    for (const id of ["a", "b", "c"]) await start("ask", id);
    expect(await bulkRuns(executor, { do: "cancel" }, { runs: ["run_a", "run_a", "run_gone"] })).toMatchObject({
      total: 2,
      done: 1,
      skipped: 1,
    });
    // One that stands otherwise by then is left.
    expect(await bulkRuns(executor, { do: "cancel" }, { runs: ["run_a", "run_b"], status: "paused" })).toMatchObject({
      done: 1,
      skipped: 1,
    });
    expect(await statuses()).toEqual({ a: "cancelled", b: "cancelled", c: "paused" });

    const found: Workflow = { ...ask, name: "found", inputs: { who: { type: "string" } }, search: { who: "${inputs.who}" } };
    const searching = createExecutor({ store: memoryStore(), host, workflows: [found] });
    for (const who of ["Ada", "Grace"]) await (await searching.start("found", { who }, { id: who })).settled();
    expect(await bulkRuns(searching, { do: "cancel" }, { where: { who: "Ada" } })).toMatchObject({ total: 1, done: 1 });
    expect((await searching.open("run_Grace")).getSnapshot().status).toBe("paused");
  });

  test("are given to a function of one's own, which may fail with some", async () => {
    const { executor, start } = setUp();
    for (const id of ["a", "b"]) await start("ask", id);
    const seen: string[] = [];
    const act = async ({ id }: { readonly id: string }): Promise<void> => {
      seen.push(id);
      if (id === "run_a") throw new WorkflowError("LIMIT_EXCEEDED", "Not this one.");
    };
    const report = await bulkRuns(executor, { do: "call", act }, { status: "paused" });
    expect(seen.toSorted()).toEqual(["run_a", "run_b"]);
    expect(report).toMatchObject({ total: 2, done: 1, failed: [{ run: "run_a", error: { code: "LIMIT_EXCEEDED" } }] });
  });

  test("are cancelled, with progress, and the runs they called with them", async () => {
    const { executor, start, statuses } = setUp();
    await start("ask", "a");
    await start("outer", "b");
    await start("weak", "c");
    const told: BulkProgress[] = [];
    const report = await bulkRuns(
      executor,
      { do: "cancel", reason: "over" },
      { status: "paused" },
      { onProgress: (one) => told.push(one) },
    );
    expect(report).toEqual({ total: 2, done: 2, skipped: 0, failed: [] });
    expect(told.map(({ done, total }) => `${done}/${total}`)).toEqual(["1/2", "2/2"]);
    expect(await statuses()).toEqual({ a: "cancelled", b: "cancelled", c: "failed" });
    expect((await executor.runs.list({ status: "paused" })).items).toEqual([]);
  });

  test("are resumed, and what fails again is named", async () => {
    const { executor, start, state, statuses } = setUp();
    await start("weak", "a");
    expect(await bulkRuns(executor, { do: "resume" }, { status: "failed" })).toMatchObject({
      total: 1,
      done: 0,
      failed: [{ run: "run_a", error: { message: expect.stringContaining("too weak") } }],
    });
    state.isWeak = false;
    expect(await bulkRuns(executor, { do: "resume" }, { status: "failed" })).toMatchObject({ done: 1, failed: [] });
    expect(await statuses()).toEqual({ a: "completed" });
  });

  test("are exported one after another, and taken in elsewhere", async () => {
    const { executor, start } = setUp();
    for (const id of ["a", "b"]) await start("ask", id);
    const away = setUp();
    await bulkRuns(executor, { do: "export", take: async (file) => void (await away.executor.runs.import(file, { accept: true })) }, {});
    expect(await away.statuses()).toEqual({ a: "paused", b: "paused" });
  });

  test("are meant by when they changed last", async () => {
    const { executor, start, host, statuses } = setUp();
    await start("ask", "old");
    await host.advance(10_000);
    await start("ask", "new");
    expect(await bulkRuns(executor, { do: "delete" }, { updatedBefore: host.now() - 5_000 })).toMatchObject({ total: 1, done: 1 });
    expect(await statuses()).toEqual({ new: "paused" });
  });

  test("are left where they changed before their turn: an answer is not deleted", async () => {
    const { start, store, statuses } = setUp();
    const elsewhere = setUp(store);
    for (const id of ["c", "d"]) await start("ask", id);
    let isFirst = true;
    const answering: Store = {
      ...store,
      delete: async (run) => {
        if (isFirst) {
          isFirst = false;
          const other = run === "run_c" ? "pause_d.0" : "pause_c.0";
          await elsewhere.executor.answer(other, "yes");
        }
        await store.delete(run);
      },
    };
    expect(await bulkRuns(setUp(answering).executor, { do: "delete" }, { status: "paused" })).toMatchObject({
      total: 2,
      done: 1,
      skipped: 1,
    });
    expect(Object.values(await statuses())).toEqual(["completed"]);
  });

  test("end after the one under way when the caller aborts, and name those that cannot be read", async () => {
    const { executor, start, store } = setUp();
    for (const id of ["a", "b", "c"]) await start("ask", id);
    const ending = new AbortController();
    await expect(
      bulkRuns(executor, { do: "cancel" }, {}, { signal: ending.signal, onProgress: () => ending.abort() }),
    ).rejects.toMatchObject({ code: "ABORTED", details: { done: 1, total: 3 } });
    const broken: Store = { ...store, read: (run, range) => (run === "run_a" ? Promise.resolve(["{}"]) : store.read(run, range)) };
    const report = await bulkRuns(setUp(broken).executor, { do: "cancel" }, {});
    expect(report.failed).toMatchObject([{ run: "run_a", error: { code: "RUN_CORRUPT" } }]);
    expect(report.done).toBe(2);
    await expect(bulkRuns(executor, { do: "cancel" }, { state: "paused" } as object)).rejects.toMatchObject({ code: "KEY_UNKNOWN" });
  });
});
