import { Redis } from "ioredis";
import Database from "libsql";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Store } from "wavepoint";
import { postgresStore } from "wavepoint/store/postgres";
import { redisStore } from "wavepoint/store/redis";
import { s3Store } from "wavepoint/store/s3";
import { sqliteStore } from "wavepoint/store/sqlite";
import { runWriter } from "wavepoint/testing";
import { checkpointRow } from "../../src/testing/conformance/writer.ts";
import { hasPostgres, startPostgres } from "../support/postgres-server.ts";
import { hasRedis, startRedis } from "../support/redis-server.ts";
import { signedFetch as fetch, startS3Stub } from "../support/s3-stub.ts";

const isLong = process.env.WAVEPOINT_LONG !== undefined;
const RUNS = isLong ? 100_000 : 500;
const TIMEOUT_MS = isLong ? 1_800_000 : 60_000;
/** How many runs are made at once. */
const AT_ONCE = 500;
const SHOWN = 20;
/** All runs are so many milliseconds apart. */
const APART_MS = 10;
const FIRST_AT = 1_767_225_600_000;

const changedAt = (number: number): number => FIRST_AT + number * APART_MS;
const idOf = (number: number): string => `run_${String(number).padStart(6, "0")}`;

/** Runs of ten workflows; one in ten waits, one in fifty is that of a customer. */
async function fill(store: Store): Promise<void> {
  for (let from = 0; from < RUNS; from += AT_ONCE) {
    await Promise.all(
      Array.from({ length: AT_ONCE }, (_, index) => {
        const number = from + index;
        const workflow = `w${number % 10}`;
        const [id, at] = [idOf(number), changedAt(number)];
        return runWriter(store, id).commit([], {
          head: {
            workflow,
            changedAt: at,
            status: number % 10 === 3 ? "paused" : "completed",
            search: { kind: "order", customer: number % 50 },
          },
          checkpoints: [checkpointRow(id, 0, { workflow, createdAt: at })],
        });
      }),
    );
  }
}

interface Question {
  readonly what: string;
  readonly ask: (store: Store) => Promise<{ readonly items: readonly { readonly id?: string; readonly run?: string }[] }>;
  /** Which runs it shows, the newest first. */
  readonly shows: readonly string[];
}

/** The newest runs of those below a place that fit. */
function newest(fits: (number: number) => boolean, below: number = RUNS): readonly string[] {
  const ids: string[] = [];
  for (let number = below - 1; number >= 0 && ids.length < SHOWN; number -= 1) if (fits(number)) ids.push(idOf(number));
  return ids;
}

const MIDDLE = RUNS / 2;
const AFTER = `${changedAt(MIDDLE)} ${idOf(MIDDLE)}`;

const LISTS: readonly Question[] = [
  { what: "all runs", ask: (store) => store.runs({ limit: SHOWN }), shows: newest(() => true) },
  {
    what: "the oldest",
    ask: (store) => store.runs({ limit: SHOWN, oldestFirst: true }),
    shows: Array.from({ length: SHOWN }, (_, number) => idOf(number)),
  },
  {
    what: "those that wait, from the middle on",
    ask: (store) => store.runs({ limit: SHOWN, status: "paused", after: AFTER, topLevel: true }),
    shows: newest((number) => number % 10 === 3, MIDDLE),
  },
  {
    what: "those of a workflow",
    ask: (store) => store.runs({ limit: SHOWN, workflow: "w7", after: AFTER }),
    shows: newest((number) => number % 10 === 7, MIDDLE),
  },
];

const CHECKPOINTS: readonly Question[] = [
  { what: "all checkpoints", ask: (store) => store.checkpoints({ limit: SHOWN }), shows: newest(() => true) },
  {
    what: "the checkpoints of a workflow",
    ask: (store) => store.checkpoints({ limit: SHOWN, workflow: "w7", after: `${changedAt(MIDDLE)} ${idOf(MIDDLE)} 0 wave` }),
    shows: newest((number) => number % 10 === 7, MIDDLE),
  },
];

const SEARCHES: readonly Question[] = [
  {
    what: "the runs of a customer",
    ask: (store) => store.runs({ limit: SHOWN, where: { customer: 13 } }),
    shows: newest((number) => number % 50 === 13),
  },
  {
    what: "those of them that have a second value, from the middle on",
    ask: (store) => store.runs({ limit: SHOWN, where: { customer: 17, kind: "order" }, status: "completed", after: AFTER }),
    shows: newest((number) => number % 50 === 17, MIDDLE),
  },
  { what: "the runs of a customer that is none", ask: (store) => store.runs({ limit: SHOWN, where: { customer: 99 } }), shows: [] },
];

/** Asks each question, and says what it cost. */
async function costs(store: Store, questions: readonly Question[], costOf: (ask: () => Promise<void>) => Promise<number>) {
  const found: [what: string, cost: number][] = [];
  for (const { what, ask, shows } of questions) {
    const cost = await costOf(async () => {
      const { items } = await ask(store);
      expect(
        items.map(({ id, run }) => id ?? run),
        what,
      ).toEqual(shows);
    });
    found.push([what, cost]);
  }
  return found;
}

const above = (found: readonly [string, number][], most: number) => found.filter(([, cost]) => !(cost <= most));

describe(`lists and searches among ${RUNS.toLocaleString("en")} runs read what they show`, () => {
  test.runIf(process.platform === "linux")(
    "SQLite: pages of the file",
    async () => {
      const directory = mkdtempSync(join(tmpdir(), "wavepoint-"));
      const database = new Database(join(directory, "runs.db"));
      onTestFinished(() => {
        database.close();
        rmSync(directory, { recursive: true });
      });
      const store = sqliteStore(database);
      await fill(store);
      // No page is remembered and all of them are in one file, so that what the process reads is what the database looks at.
      for (const setting of ["wal_checkpoint(truncate)", "cache_size = 0", "mmap_size = 0"]) database.prepare(`pragma ${setting}`).all();
      const pageBytes = 4_096;
      const bytesRead = (): number => Number(/rchar: (\d+)/.exec(readFileSync("/proc/self/io", "utf8"))![1]);
      const found = await costs(store, [...LISTS, ...CHECKPOINTS, ...SEARCHES], async (ask) => {
        const before = bytesRead();
        await ask();
        return Math.round((bytesRead() - before) / pageBytes);
      });
      // A status, and whether it was called, is a stretch of an index of its own: ten of them, each some pages deep, and a page or two a run.
      expect(above(found, 250)).toEqual([]);
      expect(Math.max(...found.map(([, cost]) => cost))).toBeGreaterThan(5);
      await store.close();
    },
    TIMEOUT_MS,
  );

  test.skipIf(!hasPostgres)(
    "Postgres: pages, by the plan that the server took",
    async () => {
      const server = await startPostgres();
      // Where runs are few, reading the whole table may be the shorter way: this asks what the indexes can do.
      const setting = encodeURIComponent(" -c enable_seqscan=off");
      const pool = new pg.Pool({ connectionString: `${server.newPlace()}${setting}` });
      pool.on("error", () => {});
      onTestFinished(async () => {
        await pool.end();
        await server.stop();
      });
      let asked: { text: string; values: unknown[] } | undefined;
      const store = postgresStore({
        query(text, values = []) {
          asked = { text, values };
          return pool.query(text, values);
        },
      });
      await fill(store);
      // Before the server has statistics of its tables, as after a large import, and after.
      for (const prepare of ["select 1", "analyze"]) {
        await pool.query(prepare);
        const scans: string[] = [];
        const found = await costs(store, [...LISTS, ...CHECKPOINTS, ...SEARCHES], async (ask) => {
          await ask();
          const { rows } = await pool.query(`explain (analyze, buffers, format json) ${asked!.text}`, asked!.values);
          const { Plan: plan } = (rows[0] as { "QUERY PLAN": [{ Plan: { "Shared Hit Blocks": number; "Shared Read Blocks": number } }] })[
            "QUERY PLAN"
          ][0];
          if (JSON.stringify(plan).includes("Seq Scan")) scans.push(asked!.text);
          return plan["Shared Hit Blocks"] + plan["Shared Read Blocks"];
        });
        expect(scans).toEqual([]);
        expect(above(found, 250)).toEqual([]);
      }
      await store.close();
    },
    TIMEOUT_MS,
  );

  test.skipIf(!hasRedis)(
    "Redis: commands inside the script",
    async () => {
      const server = await startRedis();
      const redis = new Redis(server.port);
      onTestFinished(async () => {
        redis.disconnect();
        await server.stop();
      });
      const store = redisStore(redis);
      await fill(store);
      const found = await costs(store, [...LISTS, ...CHECKPOINTS], async (ask) => {
        await redis.config("RESETSTAT");
        await ask();
        const calls = [...(await redis.info("commandstats")).matchAll(/cmdstat_(z\w+|hget):calls=(\d+)/g)];
        return calls.reduce((sum, [, , count]) => sum + Number(count), 0);
      });
      // Twenty heads, and for each of ten sets its beginning and, by halves, its place.
      expect(above(found, 300)).toEqual([]);
      await store.close();
    },
    TIMEOUT_MS,
  );

  test(
    "S3: requests",
    async () => {
      const stub = await startS3Stub();
      onTestFinished(() => stub.stop());
      const store = s3Store({ bucket: stub.bucket, prefix: "many", fetch });
      await fill(store);
      const found = await costs(store, LISTS, async (ask) => {
        const before = stub.requests.length;
        await ask();
        return stub.requests.length - before;
      });
      // A page of keys, and one or two requests for each run that is shown and the one behind them.
      expect(above(found, 45)).toEqual([]);
      await store.close();
    },
    TIMEOUT_MS,
  );
});
