import { expect, test } from "vitest";
import { indexedDbStore } from "wavepoint/store/indexeddb";
import { storeConformance } from "wavepoint/testing";
import { clearDatabase } from "../support/clear-database.ts";

const inBrowser = "document" in globalThis;
if (!inBrowser) await import("fake-indexeddb/auto");
const silent = inBrowser ? await import("./silent-holders.ts") : undefined;

let places = 0;
const cases = storeConformance(
  async () => {
    const name = `conformance-${(places += 1)}`;
    return {
      open: async () => indexedDbStore({ name }),
      ...silent?.placeWithSilentHolders(name),
      dispose: () => clearDatabase(name),
    };
  },
  { scale: inBrowser ? 100_000 : 2000 },
);

for (const { name, run } of cases) test(name, run, 60_000);

test("the store keeps what it is given", () => {
  expect(indexedDbStore({ name: "unopened" })).toMatchObject({ kind: "indexeddb", durable: true });
});
