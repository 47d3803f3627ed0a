import { openDB } from "idb";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import type { Store } from "../../../src/core/ports/store.ts";
import { checkpointRow, runWriter } from "../../../src/testing/conformance/writer.ts";
import { indexedDbStore } from "wavepoint/store/indexeddb";
import { clearDatabase } from "../../support/clear-database.ts";

const name = "faults";

afterEach(async () => {
  vi.restoreAllMocks();
  await clearDatabase(name);
});

test("the connection gives way when another page upgrades the database, and then says that this page is older", async () => {
  const store = indexedDbStore({ name });
  const writer = runWriter(store, "run_a");
  await writer.commit(["{}"]);
  const newer = await openDB(name, 1_000);
  await expect(writer.commit(["{}"])).rejects.toMatchObject({ code: "STORE_FAILED", message: expect.stringContaining("Reload") });
  newer.close();
  await store.close();
});

test("an upgrade that another page holds up is refused with what to do, and may be tried again", async () => {
  const open = IDBFactory.prototype.open;
  vi.spyOn(IDBFactory.prototype, "open").mockImplementationOnce(function (this: IDBFactory, ...rest) {
    const request = open.apply(this, rest);
    queueMicrotask(() => request.dispatchEvent(new IDBVersionChangeEvent("blocked", { oldVersion: 2, newVersion: 3 })));
    return request;
  });
  const store = indexedDbStore({ name });
  await expect(store.head("run_a")).rejects.toMatchObject({
    code: "STORE_BLOCKED",
    message: expect.stringContaining("Close the other tabs"),
  });
  expect(await store.head("run_a")).toBeUndefined();
  await store.close();
});

describe("a database that does not open, since another page waits for it", () => {
  /** Opening it reports nothing until the test releases it. */
  async function holdUp(): Promise<() => void> {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const held = await openDB(name);
    indexedDB.deleteDatabase(name);
    return () => held.close();
  }

  test("is refused after a while with what to do, and may be tried again", async () => {
    const letGo = await holdUp();
    const store = indexedDbStore({ name });
    const refusal = store.head("run_a").catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(15_000);
    expect(await refusal).toMatchObject({ code: "STORE_BLOCKED", message: expect.stringContaining("restart the browser") });
    expect(vi.getTimerCount()).toBe(0);
    letGo();
    expect(await store.head("run_a")).toBeUndefined();
    await store.close();
    // What opened after all is not left open: the database could not be deleted.
    await clearDatabase(name);
  });

  test("is waited for until then", async () => {
    const letGo = await holdUp();
    const store = indexedDbStore({ name });
    const head = store.head("run_a");
    await vi.advanceTimersByTimeAsync(14_000);
    letGo();
    expect(await head).toBeUndefined();
    expect(vi.getTimerCount()).toBe(0);
    await store.close();
  });
});

test("a connection lost before a commit is opened again", async () => {
  const store = indexedDbStore({ name });
  const writer = runWriter(store, "run_a");
  await writer.commit(["1"]);
  const begin = IDBDatabase.prototype.transaction;
  vi.spyOn(IDBDatabase.prototype, "transaction").mockImplementationOnce(function (this: IDBDatabase, ...rest) {
    this.close();
    return begin.apply(this, rest);
  });
  await writer.commit(["2"]);
  expect(await store.read("run_a")).toEqual(["1", "2"]);
  await store.close();
});

test("a connection that stays lost is reported after a few tries, and nothing is acknowledged", async () => {
  const store = indexedDbStore({ name });
  const writer = runWriter(store, "run_a");
  await writer.commit(["1"]);
  const begin = vi.spyOn(IDBDatabase.prototype, "transaction").mockImplementation(() => {
    throw new DOMException("The database connection is closing.", "InvalidStateError");
  });
  await expect(writer.commit(["2"])).rejects.toMatchObject({ code: "STORE_LOST" });
  expect(begin).toHaveBeenCalledTimes(3);
  begin.mockRestore();
  expect(await store.read("run_a")).toEqual(["1"]);
  await store.close();
});

test("a commit whose acknowledgement was lost knows itself when it is tried again", async () => {
  const store = indexedDbStore({ name });
  const writer = runWriter(store, "run_a");
  await writer.commit(["1"]);
  const listen = IDBTransaction.prototype.addEventListener;
  let completed = 0;
  vi.spyOn(IDBTransaction.prototype, "addEventListener").mockImplementation(function (
    this: IDBTransaction,
    type: string,
    listener: EventListenerOrEventListenerObject,
  ) {
    if (type !== "complete" || completed > 0) return listen.call(this, type, listener);
    listen.call(this, type, () => {
      completed += 1;
      this.dispatchEvent(new Event("abort"));
    });
  });
  await writer.commit(["2"]);
  expect(completed).toBe(1);
  expect(await store.read("run_a")).toEqual(["1", "2"]);
  expect(await store.head("run_a")).toEqual(writer.head);
  await store.close();
});

test("D15: a full quota is reported as such, and what was stored stays readable", async () => {
  const store = indexedDbStore({ name });
  const writer = runWriter(store, "run_a");
  await writer.commit(["1"]);
  const full = vi.spyOn(IDBObjectStore.prototype, "add").mockImplementation(() => {
    throw new DOMException("Full.", "QuotaExceededError");
  });
  await expect(writer.commit(["2"])).rejects.toMatchObject({ code: "STORE_QUOTA" });
  expect(await store.read("run_a")).toEqual(["1"]);
  expect(await store.head("run_a")).toEqual(writer.head);
  full.mockRestore();
  await writer.commit(["3"]);
  expect(await store.read("run_a")).toEqual(["1", "3"]);
  await store.close();
});

test("a page whose origin may keep nothing gets a clear error", async () => {
  vi.spyOn(IDBFactory.prototype, "open").mockImplementation(() => {
    throw new DOMException("Access is denied.", "SecurityError");
  });
  const store = indexedDbStore({ name });
  await expect(store.head("run_a")).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  await store.close();
});

/** Has the browser give up the transaction of the next such request, once that and what is asked together with it is sent. */
function abortAfterNext(method: "get" | "getAll" | "getAllKeys" | "put" | "openCursor"): void {
  const request = IDBObjectStore.prototype[method];
  vi.spyOn(IDBObjectStore.prototype, method).mockImplementationOnce(function (this: IDBObjectStore, ...rest: unknown[]) {
    const sent: IDBRequest = Reflect.apply(request, this, rest);
    const giveUp = (): void => this.transaction.abort();
    // Behind a write comes the order to commit, which cannot be taken back.
    if (method === "put") giveUp();
    else queueMicrotask(giveUp);
    return sent;
  });
}

/** The errors of a call that were not caught. */
async function uncaughtIn(call: () => Promise<unknown>): Promise<readonly unknown[]> {
  const uncaught: unknown[] = [];
  const note = (event: PromiseRejectionEvent) => {
    event.preventDefault();
    uncaught.push(event.reason);
  };
  addEventListener("unhandledrejection", note);
  await call();
  // The browser tells of them in a task of its own, before a timer that is set now.
  await new Promise((resolve) => setTimeout(resolve));
  removeEventListener("unhandledrejection", note);
  return uncaught;
}

test.each<[what: string, method: Parameters<typeof abortAfterNext>[0], read: (store: Store) => Promise<unknown>]>([
  ["a head", "get", (store) => store.head("run_a")],
  ["the end of a journal", "getAll", (store) => store.head("run_a")],
  ["entries", "get", (store) => store.read("run_a")],
  ["rows", "openCursor", (store) => store.checkpoints({ run: "run_a" })],
  ["runs", "getAllKeys", (store) => store.runs()],
  ["notes", "getAllKeys", (store) => store.notes("run_a")],
  ["a blob", "get", (store) => store.getBlob("f00d")],
])("where the browser gives up reading %s, it is read again, and no error is left uncaught", async (_, method, read) => {
  const store = indexedDbStore({ name });
  await runWriter(store, "run_a").commit(["1"], { checkpoints: [checkpointRow("run_a", 0)] });
  await store.putBlob("f00d", "definition");
  const before = await read(store);
  abortAfterNext(method);
  expect(await uncaughtIn(async () => expect(await read(store)).toEqual(before))).toEqual([]);
  await store.close();
});

test.each<[what: string, write: (store: Store) => Promise<unknown>, look: (store: Store) => Promise<unknown>, found: unknown]>([
  [
    "the first commit of a run",
    (store) => runWriter(store, "run_b").commit(["1"], { checkpoints: [checkpointRow("run_b", 0)] }),
    (store) => store.read("run_b"),
    ["1"],
  ],
  [
    "a base",
    async (store) => runWriter(store, "run_a", await store.head("run_a")).commit(["2"], { base: { at: 1, text: "base" } }),
    (store) => store.read("run_a"),
    ["base", "2"],
  ],
  ["a blob", (store) => store.putBlob("beef", "definition"), (store) => store.getBlob("beef"), "definition"],
  ["a note", (store) => store.putNote("run_a", "draft.0", "typed"), (store) => store.notes("run_a"), [{ key: "draft.0", text: "typed" }]],
  ["a deletion", (store) => store.delete("run_a"), (store) => store.head("run_a"), undefined],
])("where the browser gives up writing %s, it is written again, and no error is left uncaught", async (_, write, look, found) => {
  const store = indexedDbStore({ name });
  await runWriter(store, "run_a").commit(["1"]);
  abortAfterNext("put");
  expect(await uncaughtIn(() => write(store))).toEqual([]);
  expect(await look(store)).toEqual(found);
  await store.close();
});

test("a quota that runs full while a commit is being read for is reported as such", async () => {
  const store = indexedDbStore({ name });
  const full = new DOMException("Full.", "QuotaExceededError");
  const get = IDBObjectStore.prototype.get;
  vi.spyOn(IDBObjectStore.prototype, "get").mockImplementation(function (this: IDBObjectStore, key) {
    const sent = get.call(this, key);
    if (this.name !== "heads") return sent;
    Object.defineProperty(this.transaction, "error", { value: full });
    queueMicrotask(() => this.transaction.abort());
    return sent;
  });
  await expect(runWriter(store, "run_a").commit(["1"])).rejects.toMatchObject({ code: "STORE_QUOTA", cause: full });
  await store.close();
});

test.each([
  ["while others are sent", "kept"],
  ["at the end", "blobs"],
])(
  "a write that the database refuses %s is reported as such, not as a lost connection, and takes the others along",
  async (_, refusing) => {
    const store = indexedDbStore({ name });
    await store.putBlob("f00d", "definition");
    const put = IDBObjectStore.prototype.put;
    vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(function (this: IDBObjectStore, value, key) {
      return this.name === refusing ? this.add(value, "f00d") : put.call(this, value, key);
    });
    const refused = async () => expect(store.putBlob("beef", "definition")).rejects.toMatchObject({ code: "STORE_FAILED" });
    expect(await uncaughtIn(refused)).toEqual([]);
    expect(await store.getBlob("beef")).toBeUndefined();
    await store.close();
  },
);
