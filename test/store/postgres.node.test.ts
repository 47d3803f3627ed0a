import { PGlite } from "@electric-sql/pglite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { postgresStore } from "wavepoint/store/postgres";
import type { Store } from "wavepoint";
import { storeConformance } from "wavepoint/testing";
import { freezable } from "../support/freezable.ts";
import { hasPostgres } from "../support/postgres-server.ts";

let database: PGlite;
beforeAll(async () => {
  database = await PGlite.create();
}, 120_000);
afterAll(() => database.close());

const LEASE_MS = 3_000;

let places = 0;
const cases = storeConformance(
  async () => {
    const schema = `place_${(places += 1)}`;
    await database.exec(`create schema ${schema}; set search_path = ${schema}`);
    const freezes = new Map<Store, () => () => void>();
    return {
      async open() {
        const { client, freeze } = freezable(database);
        const store = postgresStore(client, { listen: (channel, called) => database.listen(channel, called), leaseMs: LEASE_MS });
        freezes.set(store, freeze);
        return store;
      },
      freeze: async (store) => freezes.get(store)!(),
      dispose: async () => void (await database.exec(`drop schema ${schema} cascade`)),
    };
  },
  // The database has its time from this process.
  { leaseMs: LEASE_MS, skewedClock: false },
);

// Where there is a server, the short tier tries all of them there: what differs here is the client, which every call goes through.
const stride = hasPostgres && process.env.WAVEPOINT_LONG === undefined ? 4 : 1;
for (const { name, run } of cases.filter((_, i) => i % stride === 0)) test(name, run, 60_000);

test("it says that what it keeps outlives it", () => {
  expect(postgresStore(database)).toMatchObject({ kind: "postgres", durable: true });
});

test("a run whose release the database did not take is free once its lease is over, though its store holds others", async () => {
  await database.exec("create schema release; set search_path = release");
  let isCut = false;
  const query = async (text: string, values?: unknown[]) => {
    if (isCut && text.startsWith("delete from wavepoint_claims")) throw new Error("The connection is cut, as the test planned.");
    return database.query<Record<string, unknown>>(text, values);
  };
  const store = postgresStore({ query }, { leaseMs: 3_000 });
  const [release, other] = [await store.claim("run_a"), await store.claim("run_b")];
  isCut = true;
  await expect(release!()).rejects.toMatchObject({ code: expect.stringMatching(/^STORE_/) });
  isCut = false;
  const another = postgresStore(database);
  await expect.poll(() => another.claim("run_a")).toBeTypeOf("function");
  expect(await another.claim("run_b")).toBeUndefined();
  await other!();
});
