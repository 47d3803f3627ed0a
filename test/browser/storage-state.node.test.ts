import { afterEach, expect, test, vi } from "vitest";
import { createExecutor, WorkflowError, type Store, type Workflow } from "wavepoint";
import { keepStorage, storageState } from "wavepoint/browser";
import { memoryStore } from "wavepoint/store/memory";
import { failAt, faultyStore } from "wavepoint/testing";

const one: Workflow = { name: "one", blocks: [{ id: "ask", type: "GetInput", inputs: { prompt: "Name?" } }] };

/** As a database is, but for the tests. */
function lastingStore(): Store {
  return { ...memoryStore(), kind: "indexeddb", durable: true };
}

function stubStorage(storage: object): Map<string, string> {
  const kept = new Map<string, string>();
  vi.stubGlobal("navigator", { storage });
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
  return kept;
}

async function answerOnce(store: Store): Promise<void> {
  const run = await createExecutor({ store, workflows: [one] }).start("one");
  await run.settled();
  await run.answer(run.getSnapshot().pauses[0]!.id, "Ada");
}

afterEach(() => {
  vi.unstubAllGlobals();
});

test("a store that lasts is kept, one in memory for the session only", async () => {
  expect(storageState(lastingStore()).getSnapshot()).toMatchObject({ kept: "kept", where: "indexeddb", persisted: false });
  expect(storageState(memoryStore()).getSnapshot()).toMatchObject({ kept: "session only", where: "memory" });
});

test("the browser is asked what room there is, and whether it keeps its word", async () => {
  stubStorage({ persisted: async () => true, estimate: async () => ({ usage: 10, quota: 1_000 }) });
  const state = storageState(lastingStore());
  let told = 0;
  state.subscribe(() => (told += 1));
  expect(await state.refresh()).toMatchObject({ kept: "kept", persisted: true, usageBytes: 10, quotaBytes: 1_000 });
  expect(await state.refresh()).toBe(state.getSnapshot());
  expect(told).toBe(1);
});

test("a store that cannot be read is degraded, until it can", async () => {
  const faulty = faultyStore(lastingStore(), failAt(1, { calls: "reads", times: "forever", code: "STORE_LOST" }));
  const state = storageState(faulty);
  expect(await state.refresh()).toMatchObject({ kept: "degraded", error: { code: "STORE_LOST" } });
  faulty.mend();
  expect((await state.refresh()).kept).toBe("kept");
});

test("an error of a write is reported, and over when something was stored again", async () => {
  const store = lastingStore();
  const state = storageState(store);
  const faulty = faultyStore(store, failAt(1, { times: "forever", code: "STORE_QUOTA" }));
  await answerOnce(faulty).catch((error: unknown) => state.report(error));
  expect(state.getSnapshot()).toMatchObject({ kept: "degraded", error: { code: "STORE_QUOTA" } });
  expect((await state.refresh()).kept).toBe("degraded");
  await answerOnce(store);
  await expect.poll(() => state.getSnapshot().kept).toBe("kept");
});

test("a store made to fail tells those who watch it, as real ones do", async () => {
  const faulty = faultyStore(lastingStore(), failAt(3, { code: "STORE_LOST" }));
  const state = storageState(faulty);
  await answerOnce(faulty).catch(() => {});
  expect(state.getSnapshot()).toMatchObject({ kept: "degraded", error: { code: "STORE_LOST" } });
  state.dispose();
});

test("what has nothing to do with the store leaves the state as it is", () => {
  const state = storageState(lastingStore());
  state.report(new TypeError("no"));
  state.report(new WorkflowError("STORE_CONFLICT", "Another writer was first."));
  state.report({ code: "BLOCK_FAILED", message: "no" });
  expect(state.getSnapshot().kept).toBe("kept");
  state.report({ code: "STORE_LOST", message: "The view says so." });
  expect(state.getSnapshot().kept).toBe("degraded");
});

test("the browser is asked to keep it after the first answer, once", async () => {
  const persist = vi.fn(async () => true);
  const kept = stubStorage({ persist, persisted: async () => false });
  const store = memoryStore();
  const executor = createExecutor({ store, workflows: [one] });
  const keeping = keepStorage(executor);
  const run = await executor.start("one");
  await run.settled();
  expect(persist).not.toHaveBeenCalled();
  await run.answer(run.getSnapshot().pauses[0]!.id, "Ada");
  expect(await keeping).toBe(true);
  expect(kept.size).toBe(1);
  expect(await keepStorage(executor)).toBe(false);
  expect(persist).toHaveBeenCalledTimes(1);
});

test("a page that has the promise does not ask again, and none asks where it cannot be given", async () => {
  const persist = vi.fn();
  const executor = createExecutor({ store: memoryStore() });
  stubStorage({ persist, persisted: async () => true });
  expect(await keepStorage(executor)).toBe(true);
  stubStorage({});
  expect(await keepStorage(executor)).toBe(false);
  expect(persist).not.toHaveBeenCalled();
});

test("a browser that refuses to say disturbs nothing", async () => {
  const refuse = () => Promise.reject(new TypeError("The operation is not supported here."));
  stubStorage({ persist: refuse, persisted: refuse, estimate: refuse });
  const store = memoryStore();
  const executor = createExecutor({ store, workflows: [one] });
  const keeping = keepStorage(executor);
  const run = await executor.start("one");
  await run.settled();
  await run.answer(run.getSnapshot().pauses[0]!.id, "Ada");
  expect(await keeping).toBe(false);
  expect(await storageState(lastingStore()).refresh()).toMatchObject({ kept: "kept", persisted: false });
});

test("waiting for the first answer can be given up", async () => {
  stubStorage({ persist: vi.fn(), persisted: async () => false });
  const controller = new AbortController();
  const keeping = keepStorage(createExecutor({ store: memoryStore() }), { signal: controller.signal });
  controller.abort();
  expect(await keeping).toBe(false);
});
