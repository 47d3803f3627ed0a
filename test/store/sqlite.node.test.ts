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

test("a run whose release the database did not take is free once its lease is over, though its store holds others", async () => {
  const place = sqlitePlace((path) => new Database(path));
  const database = new Database(place.path);
  let isFull = false;
  const store = sqliteStore(
    {
      prepare(sql) {
        if (isFull && sql.startsWith("delete from wavepoint_claims")) throw new Error("The disk is full, as the test planned.");
        return database.prepare(sql);
      },
    },
    { leaseMs: 3_000 },
  );
  const [release, other] = [await store.claim("run_a"), await store.claim("run_b")];
  isFull = true;
  await expect(release!()).rejects.toMatchObject({ code: "STORE_FAILED" });
  isFull = false;
  const another = await place.open();
  await expect.poll(() => another.claim("run_a")).toBeTypeOf("function");
  expect(await another.claim("run_b")).toBeUndefined();
  await other!();
  await store.close();
  database.close();
  await place.dispose();
});
