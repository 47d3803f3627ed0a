import Database from "libsql";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sqliteStore } from "wavepoint/store/sqlite";
import { storeConformance } from "wavepoint/testing";
import { type ClaimAbandoner, claimAbandoner } from "../support/abandon-claim.ts";
import { LEASE_MS, sqlitePlace } from "./sqlite-places.ts";

let abandoner: ClaimAbandoner | undefined;
beforeAll(async () => {
  abandoner = await claimAbandoner();
}, 120_000);
afterAll(() => abandoner?.remove());

const cases = storeConformance(
  async () => {
    const place = sqlitePlace((path) => new Database(path));
    return { ...place, abandon: (run) => abandoner!.abandon(`sqlite:${place.path}`, run) };
  },
  { leaseMs: LEASE_MS },
);

for (const { name, run } of cases) test(name, run, 60_000);

test("a database in memory says that nothing it keeps outlives it", () => {
  const database = new Database(":memory:");
  expect(sqliteStore(database)).toMatchObject({ kind: "sqlite", durable: false });
  database.close();
});
