import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Store } from "wavepoint";
import { openStore } from "wavepoint/store/open";
import { postgresStore } from "wavepoint/store/postgres";
import { runWriter, storeConformance } from "wavepoint/testing";
import { freezable } from "../support/freezable.ts";
import { hasPostgres, startPostgres, type PostgresServer } from "../support/postgres-server.ts";

const LEASE_MS = 3_000;

/** A server of the system's packages; without one these tests are left out, and PGlite alone tries the store. */
describe.skipIf(!hasPostgres)("a Postgres server", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  }, 120_000);
  afterAll(() => server.stop());

  const cases = storeConformance(
    async () => {
      const address = server.newPlace();
      const opened = new Map<Store, { readonly pool: pg.Pool; freeze(): () => void }>();
      return {
        async open() {
          const pool = new pg.Pool({ connectionString: address });
          const { client, freeze } = freezable(pool);
          const store = postgresStore(client, { leaseMs: LEASE_MS });
          opened.set(store, { pool, freeze });
          return store;
        },
        freeze: async (store) => opened.get(store)!.freeze(),
        async dispose() {
          for (const { pool } of opened.values()) await pool.end();
        },
      };
    },
    { leaseMs: LEASE_MS },
  );
  for (const { name, run } of cases) test(name, run, 60_000);

  test("a pool without a listener hears of others as well", async () => {
    const pool = new pg.Pool({ connectionString: server.newPlace() });
    const [one, two] = [postgresStore(pool), postgresStore(pool)];
    const changed: (string | undefined)[] = [];
    one.watch!((run) => changed.push(run));
    await runWriter(two, "run_a").commit(["{}"]);
    await expect.poll(() => changed).toContain("run_a");
    changed.length = 0;
    await two.delete("run_a");
    await expect.poll(() => changed).toContain("run_a");
    await one.close();
    await two.close();
    await pool.end();
  });

  test("tables of a newer version are refused and left as they are", async () => {
    const pool = new pg.Pool({ connectionString: server.newPlace() });
    const store = postgresStore(pool);
    await runWriter(store, "run_a").commit(["{}"]);
    await pool.query("update wavepoint_version set version = 99");
    await expect(postgresStore(pool).head("run_a")).rejects.toMatchObject({
      code: "STORE_FAILED",
      message: expect.stringContaining("version 99"),
    });
    expect((await pool.query("select version from wavepoint_version")).rows).toEqual([{ version: 99 }]);
    await store.close();
    await pool.end();
  });

  test("several processes that open an empty place make its tables once", async () => {
    const address = server.newPlace();
    const stores = await Promise.all(Array.from({ length: 4 }, () => openStore(address)));
    await Promise.all(stores.map((store, number) => runWriter(store, `run_${number}`).commit(["{}"])));
    expect((await stores[0]!.runs()).items).toHaveLength(4);
    for (const store of stores) await store.close();
  });

  test("lists read what they show: no plan goes through a table", async () => {
    const pool = new pg.Pool({ connectionString: server.newPlace(), max: 1 });
    const texts: { text: string; values: unknown[] }[] = [];
    const store = postgresStore({
      query(text, values = []) {
        texts.push({ text, values });
        return pool.query(text, values);
      },
    });
    await runWriter(store, "run_a").commit(["{}"]);
    texts.length = 0;
    await store.runs({ workflow: "w", status: ["paused", "failed"], topLevel: true, after: "5 run_b" });
    await store.runs({ oldestFirst: true });
    await store.runs({ where: { plan: "team", seats: 1 }, workflow: "w", status: ["running", "failed"], after: "5 run_b" });
    await store.runs({ where: { plan: "team" }, oldestFirst: true });
    await store.checkpoints({ workflow: "w", after: "5 run_b 3 wave" });
    await store.checkpoints({ run: "run_a", kind: "pause" });
    await store.checkpoints();
    // With so few rows the planner would rather read all of them.
    await pool.query("set enable_seqscan = off");
    for (const { text, values } of texts) {
      const plan = (await pool.query(`explain ${text}`, values)).rows.map((row) => Object.values(row as object)[0] as string);
      expect(
        plan.filter((line) => line.includes("Seq Scan")),
        text,
      ).toEqual([]);
      // Sorted is what was collected, not what was searched.
      expect(plan.filter((line) => line.includes("Index")).length, text).toBeGreaterThan(0);
    }
    await store.close();
    await pool.end();
  });

  test("D1: what was acknowledged is there after the server died while many wrote, and the writers go on", async () => {
    const store = await openStore(server.newPlace());
    const writers = Array.from({ length: 8 }, (_, number) => runWriter(store, `run_${number}`));
    for (const writer of writers) await writer.commit(["0"]);
    const acknowledged = writers.map(() => 1);
    let isCrashing = true;
    const writing = writers.map(async (writer, number) => {
      while (isCrashing) {
        try {
          await writer.commit([String(acknowledged[number])]);
          acknowledged[number]! += 1;
        } catch (error) {
          expect(error).toMatchObject({ code: expect.stringMatching(/^STORE_(LOST|FAILED)$/) });
          return;
        }
      }
    });
    // In the midst of it, however long that takes here.
    await expect.poll(() => Math.max(...acknowledged), { interval: 1 }).toBeGreaterThan(20);
    await server.crash();
    isCrashing = false;
    await Promise.all(writing);
    for (const [number, count] of acknowledged.entries()) {
      const entries = await store.read(`run_${number}`);
      // The one that was on its way may be there.
      expect([count, count + 1]).toContain(entries.length);
      expect(entries).toEqual(entries.map((_, index) => String(index)));
      await runWriter(store, `run_${number}`, await store.head(`run_${number}`)).commit(["more"]);
    }
    await store.close();
  });
});
