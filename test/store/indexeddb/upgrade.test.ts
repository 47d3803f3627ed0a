import { openDB } from "idb";
import type { IDBPDatabase } from "idb";
import { afterEach, expect, test } from "vitest";
import { runWriter } from "../../../src/testing/conformance/writer.ts";
import { indexedDbStore } from "wavepoint/store/indexeddb";
import { clearDatabase } from "../../support/clear-database.ts";

if (!("document" in globalThis)) await import("fake-indexeddb/auto");

const name = "upgrade";

afterEach(() => clearDatabase(name));

/** A database of a form from before the first release. Stays open. */
async function makeOldDatabase(): Promise<IDBPDatabase> {
  const database = await openDB(name, 1, {
    upgrade(made) {
      for (const store of ["heads", "journal", "former"]) made.createObjectStore(store);
    },
  });
  await database.put("heads", { id: "run_old" }, "run_old");
  return database;
}

async function expectToWork(): Promise<void> {
  const store = indexedDbStore({ name });
  expect(await store.head("run_old")).toBeUndefined();
  const writer = runWriter(store, "run_new");
  await writer.commit(["0", "1"]);
  expect(await store.read("run_new")).toEqual(["0", "1"]);
  await store.close();
}

test("a database of a form from before the first release begins anew", async () => {
  (await makeOldDatabase()).close();
  await expectToWork();
});

test("while a page that does not let go holds the old form open the store is blocked, and then goes on", async () => {
  const held = await makeOldDatabase();
  const store = indexedDbStore({ name });
  await expect(store.head("run_old")).rejects.toMatchObject({ code: "STORE_BLOCKED" });
  held.close();
  await expect.poll(() => store.head("run_old").catch(() => "blocked")).toBeUndefined();
  await store.close();
  await expectToWork();
});
