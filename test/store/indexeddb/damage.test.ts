import { openDB } from "idb";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Store } from "../../../src/core/ports/store.ts";
import { checkpointRow, runWriter } from "../../../src/testing/conformance/writer.ts";
import { indexedDbStore } from "wavepoint/store/indexeddb";
import { clearDatabase } from "../../support/clear-database.ts";

if (!("document" in globalThis)) await import("fake-indexeddb/auto");

const name = "damage";
/** The number of `run_b`, which was the second one. */
const B = 2;
const corrupt = { code: "STORE_DATA_CORRUPT" };
let store: Store;

beforeEach(async () => {
  store = indexedDbStore({ name });
  for (const [index, run] of ["run_a", "run_b", "run_c"].entries()) {
    const writer = runWriter(store, run);
    const createdAt = 1000 + index;
    await writer.commit(["0", "1"], { head: { createdAt }, checkpoints: [checkpointRow(run, 0, { createdAt })] });
    await writer.commit(["2"], { head: { status: "paused" } });
    await writer.commit(["3"], { head: { status: "running" } });
    await writer.commit(["4"]);
  }
});
afterEach(async () => {
  vi.restoreAllMocks();
  await store.close();
  await clearDatabase(name);
});

/** Changes what stands in the database behind the store's back. */
async function put(objectStore: string, value: unknown, key?: IDBValidKey): Promise<void> {
  const database = await openDB(name);
  if (value === undefined) await database.delete(objectStore, key!);
  else await database.put(objectStore, value, key);
  database.close();
}

async function get(objectStore: string, key: IDBValidKey): Promise<object> {
  const database = await openDB(name);
  const value = (await database.get(objectStore, key)) as object;
  database.close();
  return value;
}

async function expectOthersUnharmed(): Promise<void> {
  expect((await store.runs()).items.map(({ id }) => id)).toEqual(["run_c", "run_a"]);
  for (const run of ["run_a", "run_c"]) expect(await store.read(run)).toEqual(["0", "1", "2", "3", "4"]);
}

test.each<[what: string, damage: () => Promise<void>]>([
  ["is no head", () => put("heads", "junk", "run_b")],
  ["is of another run", async () => put("heads", await get("heads", "run_a"), "run_b")],
  ["lacks its counts", async () => put("heads", { ...(await get("heads", "run_b")), revision: "many" }, "run_b")],
  ["is missing", () => put("heads", undefined, "run_b")],
  ["is followed by no commit", () => put("journal", { junk: true }, [B, 4])],
  [
    "is followed by a gap",
    async () => {
      await runWriter(store, "run_b", await store.head("run_b")).commit(["5"]);
      await put("journal", undefined, [B, 4]);
    },
  ],
])("a run whose head %s is listed as damaged, and can be deleted", async (_, damage) => {
  await damage();
  await expectOthersUnharmed();
  expect((await store.runs()).damaged).toEqual([{ run: "run_b", error: expect.objectContaining(corrupt) }]);
  expect((await store.runs({ limit: 1 })).items).toHaveLength(1);
  await store.delete("run_b");
  await expectOthersUnharmed();
  expect((await store.runs()).damaged).toBeUndefined();
  expect((await store.usage()).runs).toBe(2);
  await runWriter(store, "run_b").commit(["anew"]);
  expect(await store.read("run_b")).toEqual(["anew"]);
});

test("a damaged head is an error for all that read or write the run, and stays as it is", async () => {
  const head = (await store.head("run_b"))!;
  const stored = await get("heads", "run_b");
  await put("heads", { ...stored, id: "run_x" }, "run_b");
  await store.close();
  store = indexedDbStore({ name });
  await expect(store.head("run_b")).rejects.toMatchObject(corrupt);
  await expect(store.read("run_b")).rejects.toMatchObject(corrupt);
  await expect(runWriter(store, "run_b", head).commit(["5"])).rejects.toMatchObject(corrupt);
  await put("heads", stored, "run_b");
  expect(await store.head("run_b")).toEqual(head);
});

test("a damaged part of the index leaves out itself, and names its run", async () => {
  await put("rows", { ...(await get("rows", ["run_b", 1001, 1, 0])), rows: "junk" });
  const rows = await store.checkpoints();
  expect(rows.items.map(({ run }) => run)).toEqual(["run_c", "run_a"]);
  expect(rows.damaged).toEqual([{ run: "run_b", error: expect.objectContaining(corrupt) }]);
  expect(await store.read("run_b")).toHaveLength(5);
});

test.each<[what: string, damage: () => Promise<void>]>([
  ["a commit", () => put("journal", undefined, [B, 2])],
  ["the entries of a commit", () => put("journal", [2], [B, 2])],
])("a journal without %s is an error that says which entry", async (_, damage) => {
  await damage();
  await expect(store.read("run_b")).rejects.toMatchObject({ ...corrupt, message: expect.stringContaining("Entry 2 ") });
  await expectOthersUnharmedButListed();
});

test.each<[what: string, value: unknown]>([
  ["missing", undefined],
  ["of another place", { at: 1, text: "base", revision: 1 }],
])("a base that is %s is an error", async (_, value) => {
  const writer = runWriter(store, "run_b", await store.head("run_b"));
  await writer.commit([], { base: { at: 2, text: "base" } });
  await put("bases", value, "run_b");
  await expect(store.read("run_b")).rejects.toMatchObject({ ...corrupt, message: expect.stringContaining("The base ") });
});

test("a note that is no text is left out", async () => {
  await store.putNote("run_b", "draft.0", "typed");
  await put("notes", { junk: true }, ["run_b", "draft.1"]);
  expect(await store.notes("run_b")).toEqual([{ key: "draft.0", text: "typed" }]);
});

test("a head that the browser itself cannot read damages its own run alone", async () => {
  const get = IDBObjectStore.prototype.get;
  vi.spyOn(IDBObjectStore.prototype, "get").mockImplementation(function (this: IDBObjectStore, key) {
    if (this.name !== "heads" || key !== "run_b") return get.call(this, key);
    // A request that fails takes its transaction along.
    this.transaction.abort();
    throw new DOMException("Failed to read large IndexedDB value.", "DataError");
  });
  await expectOthersUnharmed();
  for (const page of [await store.runs(), await store.checkpoints({ run: "run_b" })]) {
    expect(page.damaged).toEqual([
      { run: "run_b", error: expect.objectContaining({ ...corrupt, message: expect.stringContaining("large") }) },
    ]);
  }
  await store.delete("run_b");
  await expectOthersUnharmed();
  expect((await store.runs()).damaged).toBeUndefined();
});

async function expectOthersUnharmedButListed(): Promise<void> {
  expect((await store.runs()).items.map(({ id }) => id)).toEqual(["run_c", "run_b", "run_a"]);
  expect(await store.read("run_a")).toHaveLength(5);
}
