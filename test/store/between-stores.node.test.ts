import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { Redis } from "ioredis";
import Database from "libsql";
import { afterAll, beforeAll, expect, test } from "vitest";
import { copyStore, transferRun, type Store } from "wavepoint";
import { encryptedStore } from "wavepoint/encryption";
import { filesystemStore } from "wavepoint/store/filesystem";
import { memoryStore } from "wavepoint/store/memory";
import { postgresStore } from "wavepoint/store/postgres";
import { redisStore } from "wavepoint/store/redis";
import { s3Store } from "wavepoint/store/s3";
import { sqliteStore } from "wavepoint/store/sqlite";
import { runWriter } from "wavepoint/testing";
import { RandomRun } from "../promises/random-run.ts";
import { makeWorld } from "../promises/random-run-world.ts";
import { seededChance } from "../support/seeded.ts";
import { Fleet, RUNS, STAYS } from "../support/fleet.ts";
import { hasRedis, type RedisServer, startRedis } from "../support/redis-server.ts";
import { signedFetch as fetch, type S3Stub, startS3Stub } from "../support/s3-stub.ts";

let directory: string;
let database: PGlite;
let stub: S3Stub;
let server: RedisServer | undefined;
let redis: Redis | undefined;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "wavepoint-"));
  database = await PGlite.create();
  stub = await startS3Stub();
  if (!hasRedis) return;
  server = await startRedis();
  redis = new Redis(server.port);
}, 120_000);
afterAll(async () => {
  redis?.disconnect();
  await server?.stop();
  await stub.stop();
  await database.close();
  rmSync(directory, { recursive: true });
});

/** Those that need a server, as far as there is one here. */
const onRedis = (prefix: string): readonly Store[] => (redis ? [redisStore(redis, { prefix })] : []);
const onS3 = (prefix: string): Store => s3Store({ bucket: stub.bucket, prefix, fetch });

type Open = (name: string) => Store | Promise<Store>;
const OPEN: { readonly [kind: string]: Open } = {
  memory: () => memoryStore(),
  files: (name) => filesystemStore(join(directory, name)),
  SQLite: (name) => sqliteStore(new Database(join(directory, `${name}.db`))),
  async Postgres(name) {
    await database.exec(`create schema "${name}"; set search_path to "${name}"`);
    return postgresStore(database);
  },
  ...(hasRedis && { Redis: (name: string) => redisStore(redis!, { prefix: name }) }),
  S3: (name) => onS3(name),
};
const KINDS = Object.keys(OPEN);
const IS_LONG = process.env.WAVEPOINT_LONG !== undefined;

/** How all runs of a store get to the next one. */
type Hop = (fleet: Fleet, from: Store, to: Store, number: number) => Promise<void>;

/** Each run leaves alone. Where a passphrase is given its secrets go along; else the next place finds them out again. */
const handOver: (isSealed: boolean) => Hop = (isSealed) => async (fleet, from, to, number) => {
  const [here, there] = [fleet.executor(from, 2), fleet.executor(to, 3)];
  const { items } = await here.runs.list({ topLevel: true, limit: 500 });
  const sealing = isSealed && number % 3 === 1 ? { passphrase: "on the way", secrets: true } : {};
  for (const { id, transferredTo } of items) {
    if (transferredTo === undefined) await transferRun(id, { from: here, to: there, place: "the next store", accept: true, ...sealing });
  }
  await here.close();
  await there.close();
};
const copy: Hop = async (_, from, to) => {
  expect((await copyStore(from, to)).failed).toEqual([]);
};

interface Ring {
  readonly kinds: readonly string[];
  readonly runs: readonly string[];
  readonly hop: Hop;
  readonly isSealed?: true;
}
const FROM_THE_MIDDLE = [...KINDS.slice(3), ...KINDS.slice(0, 3)];
const RINGS: { readonly [name: string]: Ring } = {
  "handed over": { kinds: KINDS, runs: IS_LONG ? RUNS : ["whole", "killed"], hop: handOver(false) },
  "copied, the other way round": {
    kinds: KINDS.toReversed(),
    runs: IS_LONG ? RUNS : ["short", "failed", "cancelled"],
    hop: copy,
  },
  "sealed and handed over": { kinds: FROM_THE_MIDDLE, runs: IS_LONG ? RUNS : ["killed"], hop: handOver(true), isSealed: true },
  ...(IS_LONG && {
    "handed over, the other way round": { kinds: KINDS.toReversed(), runs: RUNS, hop: handOver(false) },
    "sealed and copied": { kinds: KINDS, runs: RUNS, hop: copy, isSealed: true },
  }),
};

/** What a store says of the runs after each stay, where each stay may be at another store. */
async function accountsOf({ runs, isSealed, hop }: Ring, open: (stay: number) => Store | Promise<Store>): Promise<readonly unknown[]> {
  const fleet = new Fleet(runs);
  const accounts: unknown[] = [];
  let place: Store | undefined;
  let store: Store | undefined;
  for (let stay = 0; stay < STAYS; stay++) {
    const next = await open(stay);
    if (next !== place) {
      const opened = isSealed ? await encryptedStore(next, { key: new Uint8Array(32).fill(stay + 1) }) : next;
      if (store) await hop(fleet, store, opened, stay);
      [place, store] = [next, opened];
    }
    await fleet.stayAt(store!);
    accounts.push(await fleet.account(store!));
  }
  expect([...fleet.paid.values()].filter((times) => times !== 1)).toEqual([]);
  return accounts;
}

test.each(Object.entries(RINGS))(
  "runs that are moved through all stores, %s, say the same as runs that stayed",
  async (name, ring) => {
    const home = memoryStore();
    const wanted = await accountsOf(ring, () => home);
    const found = await accountsOf(ring, (stay) => OPEN[ring.kinds[stay % ring.kinds.length]!]!(`${name.replaceAll(/\W/g, "-")}-${stay}`));
    for (const [stay, account] of found.entries()) expect(account, `after ${stay} moves`).toEqual(wanted[stay]);
  },
  IS_LONG ? 600_000 : 180_000,
);

const RANDOM_RUNS = Number(process.env.WAVEPOINT_RANDOM_RUNS ?? (IS_LONG ? 100 : 0));
/** How far the clock of a random run moves at a time, in milliseconds: these stores take their time, so it goes on as that does. */
const TICK_MS = 20;

test.runIf(RANDOM_RUNS > 0)(
  "runs that are answered, revised, forked, moved through all stores, cleared away and broken off at random end as they would have without all that",
  async () => {
    const { seed } = seededChance();
    for (let i = seed; i < seed + RANDOM_RUNS; i++) {
      const chance = seededChance(i);
      const stores = await Promise.all(KINDS.map((kind) => OPEN[kind]!(`random-${i}`)));
      const world = await makeWorld(chance, stores);
      const clock = setInterval(() => void world.host.advance(TICK_MS), TICK_MS);
      const run = new RandomRun(world, chance);
      await run
        .play()
        .catch((cause: unknown) => {
          throw new Error(`WAVEPOINT_SEED=${i} breaks: ${String(cause)}\n${run.trace.join(" | ")}`, { cause });
        })
        .finally(() => clearInterval(clock));
    }
  },
  RANDOM_RUNS * 120_000,
);

const HOSTILE = [
  "'; drop table wavepoint_runs; --",
  "' or '1'='1",
  '"); delete from wavepoint_entries; --',
  "$1 $2 :a @b ?1 ?",
  "$commit$ end $commit$; drop function wavepoint_commit(jsonb); --",
  "\\'; select pg_sleep(60); --",
  "%_\u0000\ud800\u0001\ufeff",
  '{"$ne":null}',
  "') redis.call('FLUSHALL') --\r\n*1\r\n$8\r\nFLUSHALL\r\n",
  "../../other?list-type=2&prefix=#</Key><Key>a b",
];

test.each([
  ["SQLite", () => [sqliteStore(new Database(":memory:"))]],
  ["Postgres", () => [postgresStore(database)]],
  ["Redis", () => onRedis("hostile")],
  ["S3", () => [onS3("hostile")]],
])("%s takes every text as a text", async (kind, open) => {
  const [store] = open();
  if (!store) return;
  const writer = runWriter(store, "run_hostile");
  await writer.commit(["{}"]);
  for (const text of HOSTILE) {
    await writer.commit([text], {
      head: {
        label: text,
        search: { name: text },
        pauses: [{ id: "pause_a.0", path: [text], prompt: text }],
        changedAt: writer.head!.revision,
      },
      checkpoints: [
        { run: "run_hostile", workflow: "w", kind: "wave", number: writer.head!.entries, createdAt: 1, entries: 1, sealed: "x" },
      ],
    });
    await store.putNote("run_hostile", "draft.0", text);
    await store.putBlob("f00d", text);
    await store.cache?.put("key", text, Date.now() + 60_000);
    const found = await store.runs(store.searches ? { where: { name: text } } : {});
    expect(found.items.map(({ label, search }) => [label, search])).toEqual([[text, { name: text }]]);
    expect(await store.notes("run_hostile", "draft")).toEqual([{ key: "draft.0", text }]);
    expect(await store.getBlob("f00d")).toBe(text);
    if (store.cache) expect(await store.cache.get("key")).toBe(text);
    expect(await store.sweepBlobs(new Set([text]), Number.MAX_SAFE_INTEGER)).toBeGreaterThan(0);
    // What is a key or a name is refused before any database hears of it; a place in a list as well.
    const refused = { code: expect.stringMatching(/^STORE_(KEY|QUERY)_INVALID$/) };
    await expect(store.head(text)).rejects.toMatchObject(refused);
    await expect(store.claim(text)).rejects.toMatchObject(refused);
    await expect(store.delete(text)).rejects.toMatchObject(refused);
    await expect(store.putNote("run_hostile", text, "")).rejects.toMatchObject(refused);
    await expect(store.getBlob(text)).rejects.toMatchObject(refused);
    await expect(store.runs({ workflow: text })).rejects.toMatchObject(refused);
    await expect(store.runs({ status: text as never })).rejects.toMatchObject(refused);
    await expect(store.runs({ after: text })).rejects.toMatchObject(refused);
    await expect(store.runs({ where: { [text]: 1 } })).rejects.toMatchObject(refused);
    await expect(store.checkpoints({ run: text })).rejects.toMatchObject(refused);
    await expect(store.checkpoints({ after: `1 run_hostile 1 ${text}` })).rejects.toMatchObject(refused);
    expect(await store.notes("run_hostile", text)).toEqual([]);
  }
  expect(await store.read("run_hostile", { from: 1 }), kind).toEqual(HOSTILE);
  await store.close();
});
