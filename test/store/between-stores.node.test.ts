import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { Redis } from "ioredis";
import Database from "libsql";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createExecutor, type Store, type Workflow } from "wavepoint";
import { filesystemStore } from "wavepoint/store/filesystem";
import { memoryStore } from "wavepoint/store/memory";
import { postgresStore } from "wavepoint/store/postgres";
import { redisStore } from "wavepoint/store/redis";
import { s3Store } from "wavepoint/store/s3";
import { sqliteStore } from "wavepoint/store/sqlite";
import { fakeHost, runWriter } from "wavepoint/testing";
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

const QUESTIONS = ["one", "two", "three", "four", "five", "six", "seven"];
const FLOW: Workflow = {
  name: "flow",
  search: { first: "${blocks.one.outputs.input_value}" },
  blocks: QUESTIONS.map((id, number) => ({
    id,
    type: "GetInput",
    inputs: { prompt: `${id}?` },
    dependsOn: number === 0 ? [] : [QUESTIONS[number - 1]!],
  })),
};

/** What a journal says, without when it was said and without the moves. */
async function told(store: Store): Promise<readonly unknown[]> {
  const entries = (await store.read("run_moved")).map((text) => JSON.parse(text) as { type: string; at?: number });
  return entries.filter(({ type }) => type !== "transferred" && type !== "arrived").map((entry) => ({ ...entry, at: undefined }));
}

function executorOn(store: Store) {
  return createExecutor({ store, workflows: [FLOW], host: fakeHost({ seed: 1, autoAdvance: true }) });
}

test("a run that is moved through all stores says the same as a run that stayed", async () => {
  const stores = [
    memoryStore(),
    sqliteStore(new Database(join(directory, "runs.db"))),
    postgresStore(database),
    ...onRedis("moved"),
    filesystemStore(join(directory, "files")),
    onS3("moved"),
    memoryStore(),
  ];
  const home = memoryStore();
  const stayed = await executorOn(home).start("flow", {}, { id: "moved" });
  for (const answer of QUESTIONS) await stayed.answer((await stayed.settled()).pauses![0]!.id, answer);

  let run = await executorOn(stores[0]!).start("flow", {}, { id: "moved" });
  for (const [number, answer] of QUESTIONS.entries()) {
    await run.answer((await run.settled()).pauses![0]!.id, answer);
    if (number >= stores.length - 1) continue;
    const file = await executorOn(stores[number]!).runs.transfer(run.id, { to: "the next store" });
    const there = executorOn(stores[number + 1]!);
    run = await there.runs.import(file);
    expect((await there.runs.list({ where: { first: "one" } })).items).toHaveLength(1);
  }
  expect(run.getSnapshot().status).toBe("completed");
  expect(await told(stores.at(-1)!)).toEqual(await told(home));
});

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
