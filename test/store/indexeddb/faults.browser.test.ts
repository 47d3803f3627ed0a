import { openDB } from "idb";
import { afterEach, expect, test, vi } from "vitest";
import { indexedDbStore } from "wavepoint/store/indexeddb";
import { runWriter } from "wavepoint/testing";
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
  const newer = await openDB(name, 3);
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

test("a full quota is told as such, and what was stored stays readable", async () => {
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
