import { PGlite } from "@electric-sql/pglite";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { postgresStore, type PostgresPool } from "wavepoint/store/postgres";
import { runWriter, storeConformance } from "wavepoint/testing";
import { hasPostgres, startPostgres, type PostgresServer } from "../support/postgres-server.ts";

const LEASE_MS = 3_000;
const REFUSED = { code: "STORE_FAILED", message: expect.stringContaining("A transaction of yours is open") };

describe.skipIf(!hasPostgres)("a Postgres server, over clients as they can be set up", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  }, 120_000);
  afterAll(() => server.stop());

  describe("one that gives every value as the text that the server sends", () => {
    const cases = storeConformance(
      async () => {
        const connectionString = server.newPlace();
        const pools: pg.Pool[] = [];
        return {
          async open() {
            const pool = new pg.Pool({ connectionString, types: { getTypeParser: () => (text: unknown) => text } });
            pools.push(pool);
            return postgresStore(pool, { leaseMs: LEASE_MS });
          },
          async dispose() {
            for (const pool of pools) await pool.end();
          },
        };
      },
      { leaseMs: LEASE_MS },
    );
    for (const { name, run } of cases) test(name, run, 60_000);
  });

  test("D1: what would be written within a transaction of yours on the same client is refused, not acknowledged", async () => {
    const client = new pg.Client({ connectionString: server.newPlace() });
    await client.connect();
    const store = postgresStore(client);
    const writer = runWriter(store, "run_a");
    await writer.commit(["0"]);
    const { head } = writer;
    await client.query("begin");
    await expect(writer.commit(["1"])).rejects.toMatchObject(REFUSED);
    await expect(store.claim!("run_a", () => {})).rejects.toMatchObject(REFUSED);
    await client.query("rollback");
    await runWriter(store, "run_a", head).commit(["1"]);
    expect(await store.read("run_a")).toEqual(["0", "1"]);
    await store.close();
    await client.end();
  });

  test("D1: neither is what waited behind the beginning of one", async () => {
    const client = new pg.Client({ connectionString: server.newPlace() });
    await client.connect();
    const store = postgresStore(client);
    const writer = runWriter(store, "run_a");
    await writer.commit(["0"]);
    const begun = client.query("begin");
    await expect(writer.commit(["1"])).rejects.toMatchObject(REFUSED);
    await begun;
    await client.query("rollback");
    expect(await store.read("run_a")).toEqual(["0"]);
    await store.close();
    await client.end();
  });

  test("a database in whose encoding most characters cannot be kept is refused before a run begins", async () => {
    const admin = new pg.Client({ connectionString: server.newPlace() });
    await admin.connect();
    await admin.query("create database latin encoding 'LATIN1' template template0 lc_collate 'C' lc_ctype 'C'");
    const { host, port, user } = admin;
    const pool = new pg.Pool({ host, port, user: user!, database: "latin" });
    await expect(postgresStore(pool).runs()).rejects.toMatchObject({
      code: "STORE_FAILED",
      message: expect.stringMatching(/LATIN1.*encoding 'UTF8'/),
    });
    await pool.end();
    await admin.end();
  });
});

describe("a PGlite", () => {
  let database: PGlite;
  beforeAll(async () => {
    database = await PGlite.create();
  }, 120_000);
  afterAll(() => database.close());

  test("D1: what would be written within a transaction of yours that has written is refused, not acknowledged", async () => {
    await database.exec("create table things (name text)");
    const store = postgresStore(database);
    const writer = runWriter(store, "run_a");
    await writer.commit(["0"]);
    await database.exec("begin; insert into things values ('mine')");
    await expect(writer.commit(["1"])).rejects.toMatchObject(REFUSED);
    await database.exec("rollback");
    expect(await store.read("run_a")).toEqual(["0"]);
    await store.close();
  });

  test("behind a pooler that passes on no calls, a store that listens hears of others as one that does not", async () => {
    const [deaf, other] = [postgresStore(database, { listen: async () => async () => {} }), postgresStore(database)];
    const changed: (string | undefined)[] = [];
    deaf.watch!((run) => changed.push(run));
    await expect.poll(() => deaf.usage!()).toBeDefined();
    await runWriter(other, "run_deaf").commit(["{}"]);
    await expect.poll(() => changed, { timeout: 4_000 }).toContain("run_deaf");
    await deaf.close();
    await other.close();
  });

  test("a store whose calls come looks no more often than in case one was lost", async () => {
    const asked: string[] = [];
    const pool: PostgresPool = {
      query(text, values) {
        asked.push(text);
        return database.query(text, values);
      },
    };
    const store = postgresStore(pool, { listen: (channel, called) => database.listen(channel, called) });
    store.watch!(() => {});
    const looks = (): number => asked.filter((text) => text.includes("pg_snapshot_xmin")).length;
    await expect.poll(() => asked.some((text) => text.includes("pg_notify"))).toBe(true);
    await expect.poll(looks).toBeGreaterThan(1);
    const before = looks();
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(looks() - before).toBeLessThanOrEqual(1);
    await store.close();
  });
});
