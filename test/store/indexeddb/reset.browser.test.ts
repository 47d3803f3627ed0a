import { deleteDB } from "idb";
import { afterEach, expect, test, vi } from "vitest";
import { indexedDbStore } from "wavepoint/store/indexeddb";
import { openStore } from "wavepoint/store/open";
import { runWriter } from "wavepoint/testing";
import { clearDatabase } from "../../support/clear-database.ts";

const name = "reset";
const lost = { code: "STORE_RESET", message: expect.stringContaining('onReset: "accept"'), details: { database: name } };

afterEach(async () => {
  vi.restoreAllMocks();
  await clearDatabase(name);
});

async function keepRun(): Promise<void> {
  const store = indexedDbStore({ name });
  await runWriter(store, "run_a").commit(["{}"]);
  await store.close();
}

test("D16: a database that was lost is not an empty one: every call says so, in this store and in the next ones", async () => {
  await keepRun();
  await deleteDB(name);
  for (let visit = 0; visit < 2; visit += 1) {
    const store = indexedDbStore({ name });
    const calls = [
      () => store.runs(),
      () => store.checkpoints(),
      () => store.head("run_a"),
      () => store.read("run_a"),
      () => store.notes("run_a"),
      () => store.putNote("run_a", "draft.0", "typed"),
      () => store.getBlob("f00d"),
      () => store.putBlob("f00d", "blob"),
      () => store.usage(),
      () => store.delete("run_a"),
      () => runWriter(store, "run_b").commit(["{}"]),
    ];
    for (const call of calls) await expect(call(), String(call)).rejects.toMatchObject(lost);
    await store.close();
  }
  await expect(openStore(`indexeddb:${name}`)).rejects.toMatchObject(lost);
});

test("who accepts the loss begins anew, and the next loss is noticed too", async () => {
  for (let loss = 0; loss < 2; loss += 1) {
    await keepRun();
    await deleteDB(name);
    const store = indexedDbStore({ name, onReset: "accept" });
    expect((await store.runs()).items).toEqual([]);
    await store.close();
  }
  await keepRun();
  const store = indexedDbStore({ name });
  expect((await store.runs()).items).toHaveLength(1);
  await store.close();
});

test("a database deleted under an open store is noticed by the next call", async () => {
  const store = indexedDbStore({ name });
  const writer = runWriter(store, "run_a");
  await writer.commit(["{}"]);
  await deleteDB(name);
  await expect(writer.commit(["{}"])).rejects.toMatchObject(lost);
  await expect(store.head("run_a")).rejects.toMatchObject(lost);
  const anew = indexedDbStore({ name, onReset: "accept" });
  expect(await anew.head("run_a")).toBeUndefined();
  await expect(writer.commit(["{}"])).rejects.toMatchObject({ code: "STORE_CONFLICT" });
  await runWriter(store, "run_a").commit(["[]"]);
  expect(await anew.read("run_a")).toEqual(["[]"]);
  for (const one of [store, anew]) await one.close();
});

test("a database to which nothing was ever committed is nothing to miss", async () => {
  const store = indexedDbStore({ name });
  expect(await store.head("run_a")).toBeUndefined();
  await deleteDB(name);
  expect((await store.runs()).items).toEqual([]);
  await store.close();
});

test("a run that cannot be written leaves no mark, and what was kept before the first mark is marked by the next commit", async () => {
  const store = indexedDbStore({ name });
  await expect(runWriter(store, "run_a", { ...(await someHead()), revision: 3 }).commit(["{}"])).rejects.toMatchObject({
    code: "STORE_CONFLICT",
  });
  expect(localStorage.getItem(`wavepoint:${name}`)).toBeNull();
  const writer = runWriter(store, "run_a");
  await writer.commit(["{}"]);
  localStorage.removeItem(`wavepoint:${name}`);
  await store.close();
  const next = indexedDbStore({ name });
  await runWriter(next, "run_a", writer.head).commit(["{}"]);
  expect(localStorage.getItem(`wavepoint:${name}`)).not.toBeNull();
  await next.close();
});

test("a page without localStorage keeps its runs all the same", async () => {
  for (const method of ["getItem", "setItem"] as const) {
    vi.spyOn(Storage.prototype, method).mockImplementation(() => {
      throw new DOMException("Not here.", "SecurityError");
    });
  }
  await keepRun();
  const store = indexedDbStore({ name });
  expect((await store.runs()).items).toHaveLength(1);
  await store.close();
});

async function someHead() {
  const store = indexedDbStore({ name: "reset-other" });
  const writer = runWriter(store, "run_a");
  await writer.commit(["{}"]);
  await store.close();
  await clearDatabase("reset-other");
  return writer.head!;
}
