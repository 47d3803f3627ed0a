import { openDB } from "idb";
import type { IDBPDatabase } from "idb";
import { afterEach, expect, test } from "vitest";
import type { RunHead } from "../../../src/core/model/run.ts";
import { checkpointRow, nextHead, runWriter } from "../../../src/testing/conformance/writer.ts";
import { indexedDbStore } from "wavepoint/store/indexeddb";
import { clearDatabase } from "../../support/clear-database.ts";

if (!("document" in globalThis)) await import("fake-indexeddb/auto");

const name = "upgrade";
let first: RunHead;
let second: RunHead;

afterEach(() => clearDatabase(name));

/** A database as version 1 of its form had it: a run with a tail, and a definition. Stays open. */
async function makeOldDatabase(): Promise<IDBPDatabase> {
  const database = await openDB(name, 1, {
    upgrade(made) {
      for (const store of ["heads", "created", "journal", "takeovers", "tails", "blobs"]) made.createObjectStore(store);
      made
        .createObjectStore("rows", { keyPath: ["run", "createdAt", "number", "kind"] })
        .createIndex("newest", ["createdAt", "run", "number", "kind"]);
    },
  });
  first = nextHead("run_old", undefined, 2);
  second = nextHead("run_old", first, 1);
  await database.put("heads", first, "run_old");
  await database.put("created", 1, [first.createdAt, "run_old"]);
  await database.put("tails", 1, "run_old");
  await database.put("rows", checkpointRow("run_old", 0));
  await database.put("journal", { first: 0, entries: ["0", "1"], by: "old.1" }, ["run_old", 1]);
  await database.put("journal", { first: 2, entries: ["2"], by: "old.2", at: second.updatedAt, rows: [checkpointRow("run_old", 1)] }, [
    "run_old",
    2,
  ]);
  await database.put("blobs", "definition", "f00d");
  return database;
}

test("a database of the first form is taken over as it is, and can do what is new", async () => {
  (await makeOldDatabase()).close();
  const store = indexedDbStore({ name });
  expect(await store.head("run_old")).toEqual(second);
  expect(await store.read("run_old")).toEqual(["0", "1", "2"]);
  expect(await store.getBlob("f00d")).toBe("definition");
  expect((await store.checkpoints()).items).toEqual([checkpointRow("run_old", 1), checkpointRow("run_old", 0)]);
  const writer = runWriter(store, "run_old", second);
  await writer.commit(["3"], { base: { at: 2, text: "base" } });
  await store.putNote("run_old", "draft.0", "typed");
  expect(await store.read("run_old")).toEqual(["base", "2", "3"]);
  expect(await store.notes("run_old")).toEqual([{ key: "draft.0", text: "typed" }]);
  expect(await store.sweepBlobs(new Set(["f00d"]), Date.now() + 60_000)).toBe(0);
  expect(await store.sweepBlobs(new Set(), Date.now())).toBe(1);
  await store.close();
});

test("a blob from before the upgrade that is kept again is young", async () => {
  (await makeOldDatabase()).close();
  const store = indexedDbStore({ name });
  const before = Date.now();
  await store.putBlob("f00d", "definition");
  expect(await store.sweepBlobs(new Set(), before)).toBe(0);
  await store.close();
});

test("while a page that does not let go holds the old form open the store is blocked, and then goes on", async () => {
  const held = await makeOldDatabase();
  const store = indexedDbStore({ name });
  await expect(store.head("run_old")).rejects.toMatchObject({ code: "STORE_BLOCKED" });
  held.close();
  await expect.poll(() => store.head("run_old").catch(() => "blocked")).toEqual(second);
  expect(await store.read("run_old")).toEqual(["0", "1", "2"]);
  await store.close();
});
