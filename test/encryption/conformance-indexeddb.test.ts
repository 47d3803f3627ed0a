import { deleteDB, openDB } from "idb";
import { expect, test } from "vitest";
import { encryptedStore } from "wavepoint/encryption";
import { indexedDbStore } from "wavepoint/store/indexeddb";
import { runWriter, storeConformance } from "wavepoint/testing";
import { keyBytes } from "./keys.ts";

if (!("document" in globalThis)) await import("fake-indexeddb/auto");

let places = 0;
const cases = storeConformance(async () => {
  const name = `encrypted-${(places += 1)}`;
  return {
    open: () => encryptedStore(indexedDbStore({ name }), { key: keyBytes(1) }),
    dispose: () => deleteDB(name),
  };
});

for (const { name, run } of cases) test(name, run, 60_000);

test("while blocks execute, a commit writes one record, as in a store without a key", async () => {
  const name = "encrypted-tail";
  const store = await encryptedStore(indexedDbStore({ name }), { key: keyBytes(1) });
  const writer = runWriter(store, "run_a");
  for (let entry = 0; entry < 6; entry++) await writer.commit([`entry ${entry}`]);
  const database = await openDB(name);
  expect(await database.get("heads", "run_a")).toMatchObject({ revision: 1 });
  database.close();
  const other = await encryptedStore(indexedDbStore({ name }), { key: keyBytes(1) });
  expect([await other.head("run_a"), (await other.read("run_a")).length]).toEqual([writer.head, 6]);
  for (const one of [store, other]) await one.close();
  await deleteDB(name);
});
