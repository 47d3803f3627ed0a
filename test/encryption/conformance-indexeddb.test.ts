import { deleteDB } from "idb";
import { test } from "vitest";
import { encryptedStore } from "wavepoint/encryption";
import { indexedDbStore } from "wavepoint/store/indexeddb";
import { storeConformance } from "wavepoint/testing";
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
