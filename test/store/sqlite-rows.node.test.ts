import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "libsql";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import type { RunHead, Store } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { openStore } from "wavepoint/store/open";
import { openSqliteStore, sqliteStore, type SqliteDatabase } from "wavepoint/store/sqlite";
import { CONTINUE } from "../../src/store/sqlite/schema.ts";
import { checkpointRow, nextHead, runWriter } from "../../src/testing/conformance/writer.ts";
import { BACK_TO_VERSION_2 } from "./older-sqlite-tables.ts";

let directory: string;
let database: Database.Database;
const stores: Store[] = [];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "wavepoint-"));
  database = new Database(join(directory, "runs.db"));
});
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
  database.close();
  rmSync(directory, { recursive: true });
});

function open(options?: Parameters<typeof sqliteStore>[1]): Store {
  const store = sqliteStore(database, options);
  stores.push(store);
  return store;
}

/** A database that notes what is run on it. */
function noting(statements: string[]): SqliteDatabase {
  return {
    prepare(sql) {
      const statement = database.prepare(sql);
      return {
        run(...values) {
          statements.push(sql);
          return statement.run(...values);
        },
        all(...values) {
          statements.push(sql);
          return statement.all(...values);
        },
      };
    },
  };
}

test("the tables stand beside your own, and your own stay as they are", async () => {
  database.exec("create table orders (id integer primary key, what text)");
  database.exec("insert into orders (what) values ('rope')");
  await runWriter(open(), "run_a").commit(["{}"]);
  expect(database.prepare("select * from orders").all()).toMatchObject([{ id: 1, what: "rope" }]);
  const names = database
    .prepare("select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name")
    .all() as { name: string }[];
  expect(names.every(({ name }) => name === "orders" || name.startsWith("wavepoint_"))).toBe(true);
});

test("a text stands as a text, so that it can be read with any tool", async () => {
  await runWriter(open(), "run_a").commit(['{"name":"é"}', "\ud800"]);
  const bodies = database.prepare("select body from wavepoint_entries order by place").all() as { body: string }[];
  expect(bodies.map(({ body }) => body)).toEqual(['{"name":"é"}', '\u0001"\\ud800"']);
});

test("tables of a newer version are refused and left as they are", async () => {
  await runWriter(open(), "run_a").commit(["{}"]);
  database.exec("update wavepoint_version set version = 99");
  await expect(open().head("run_a")).rejects.toMatchObject({ code: "STORE_FAILED", message: expect.stringContaining("version 99") });
  expect(database.prepare("select version from wavepoint_version").all()).toMatchObject([{ version: 99 }]);
});

test("what many runs commit in one turn is one transaction; one that is refused harms none of them", async () => {
  const statements: string[] = [];
  const store = sqliteStore(noting(statements));
  stores.push(store);
  const writers = Array.from({ length: 20 }, (_, number) => runWriter(store, `run_${number}`));
  await Promise.all(writers.map((writer) => writer.commit(["{}"])));
  statements.length = 0;
  const late = runWriter(store, "run_3");
  const results = await Promise.allSettled([...writers.map((writer) => writer.commit(["{}"])), late.commit(["{}"])]);
  expect(results.map(({ status }) => status)).toEqual([...writers.map(() => "fulfilled"), "rejected"]);
  expect(results.at(-1)).toMatchObject({ reason: { code: "STORE_CONFLICT" } });
  expect(statements.filter((sql) => sql === "commit")).toHaveLength(1);
  expect((await store.runs()).items.map(({ revision }) => revision)).toEqual(writers.map(() => 2));
});

test("a first commit that contradicts itself leaves no run behind, and harms no other of the same turn", async () => {
  const store = open();
  const right = runWriter(store, "run_b");
  const wrong = { run: "run_a", expected: undefined, head: nextHead("run_a", undefined, 3), entries: ["2"], durability: "strict" } as const;
  const results = await Promise.allSettled([store.commit(wrong), right.commit(["0"])]);
  expect(results).toMatchObject([{ reason: { code: "STORE_FAILED" } }, { status: "fulfilled" }]);
  expect((await store.runs()).items).toEqual([right.head]);
  expect(await store.usage()).toMatchObject({ runs: 1 });
});

test("a commit of one run is one statement", async () => {
  const statements: string[] = [];
  const store = sqliteStore({ ...noting(statements), inTransaction: false });
  stores.push(store);
  const writer = runWriter(store, "run_a");
  await store.head("run_a");
  statements.length = 0;
  await writer.commit(["0"]);
  expect(statements).toHaveLength(1);
  await store.putNote("run_a", "draft.0", "typed");
  statements.length = 0;
  await writer.commit(["1"]);
  await writer.commit(["2"], { checkpoints: [checkpointRow("run_a", 0)], dropNotes: ["draft.0"] });
  await writer.commit(["3"], { forgotten: [{ kind: "wave", number: 0 }], head: { search: { plan: "team" } } });
  expect(statements).toHaveLength(3);
  await writer.commit(["4", "5"], { base: { at: 4, text: "base" } });
  expect(await store.read("run_a")).toEqual(["base", "4", "5"]);
  expect(await store.notes("run_a")).toEqual([]);
  expect((await store.checkpoints()).items).toEqual([]);
  expect((await store.runs({ where: { plan: "team" } })).items).toEqual([writer.head]);
});

test("a commit that only continues a run writes no head, and all stores see it", async () => {
  const [one, other] = [open(), open()];
  const writer = runWriter(one, "run_a");
  const row = (): unknown => database.prepare("select revision, entries from wavepoint_runs").get();
  const seen = async (store: Store): Promise<unknown> => [await store.head("run_a"), (await store.runs({ status: "running" })).items];
  await writer.commit(["0"]);
  await writer.commit(["1"]);
  await writer.commit(["2"]);
  expect(row()).toMatchObject({ revision: 1, entries: 1 });
  for (const store of [one, other]) expect(await seen(store)).toEqual([writer.head, [writer.head]]);
  expect(await other.read("run_a")).toEqual(["0", "1", "2"]);
  // Another store has not written the head before, so it writes the whole of it once.
  const next = runWriter(other, "run_a", writer.head);
  await next.commit(["3"]);
  expect(row()).toMatchObject({ revision: 4, entries: 4 });
  await next.commit(["4"]);
  await next.commit(["5"], { head: { status: "completed" } });
  expect(row()).toMatchObject({ revision: 6, entries: 6 });
  for (const store of [one, other]) expect(await store.head("run_a")).toEqual(next.head);
  await expect(writer.commit(["3"])).rejects.toMatchObject({ code: "STORE_CONFLICT" });
});

test("the database refuses to continue a run that does not stand as the writer saw it", async () => {
  const writer = runWriter(open(), "run_a");
  const continueRun = (entriesBefore: number, revision: number, epoch = 1): unknown =>
    database.prepare(CONTINUE).run(entriesBefore - 1, "run_a", epoch, revision - 1, "x", revision, 0, 0);
  // A place that is taken is refused by its key, all else by the number that is none.
  const refused = expect.objectContaining({ code: expect.stringMatching(/^SQLITE_(CONSTRAINT|MISMATCH)/) });
  await writer.commit(["0"]);
  for (const [entries, revision, epoch] of [
    [1, 3],
    [1, 1],
    [0, 2],
    [2, 2],
    [1, 2, 2],
  ] as const) {
    expect(() => continueRun(entries, revision, epoch), `${entries} ${revision}`).toThrow(refused);
  }
  // Revision 2 stands in the row of its entry, and revision 3 in that of the run.
  await writer.commit(["1"]);
  for (const [entries, revision, epoch] of [
    [1, 2],
    [1, 3],
    [2, 2],
    [2, 4],
    [3, 3],
    [2, 3, 2],
  ] as const) {
    expect(() => continueRun(entries, revision, epoch), `${entries} ${revision}`).toThrow(refused);
  }
  await writer.commit([], { head: { label: "new" } });
  expect(() => continueRun(2, 3)).toThrow(refused);
  await writer.commit(["2"]);
  await writer.commit(["3"], { head: { status: "paused" } });
  expect(() => continueRun(4, 6)).toThrow(refused);
  expect(await open().read("run_a")).toEqual(["0", "1", "2", "3"]);
});

test("a run that was deleted is not continued, also where another run begins after it, or one under its id", async () => {
  const [one, other] = [open(), open()];
  const writer = runWriter(one, "run_a");
  for (const entry of ["0", "1", "2"]) await writer.commit([entry]);
  await other.delete("run_a");
  const next = runWriter(other, "run_b");
  for (const entry of ["a", "b", "c"]) await next.commit([entry]);
  await expect(writer.commit(["3"])).rejects.toMatchObject({ code: "STORE_CONFLICT" });
  expect(await one.read("run_b")).toEqual(["a", "b", "c"]);
  const anew = runWriter(one, "run_a");
  for (const entry of ["d", "e"]) await anew.commit([entry]);
  await expect(writer.commit(["3"])).rejects.toMatchObject({ code: "STORE_CONFLICT" });
  expect(await other.read("run_a")).toEqual(["d", "e"]);
});

/** Numbers below a bound, the same in each run. */
function numbersFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** What a commit may change of the head, as often as it does. */
const CHANGES = [
  {},
  {},
  {},
  {},
  { status: "paused" },
  { status: "running" },
  { status: "running" },
  { label: "new" },
  { epoch: 9 },
] as const;

test.each([1, 2, 3, 4, 5, 6, 7, 8])("writers that saw an older state get what a store in memory gives them (seed %i)", async (seed) => {
  const below = numbersFrom(seed);
  const places = [open(), open()].map((store) => ({ store, wrote: undefined as RunHead | undefined }));
  const oracle = memoryStore();
  const seen: (RunHead | undefined)[] = [undefined];
  for (let i = 0; i < 200; i++) {
    const place = places[below(2)]!;
    // Mostly the newest state, else what this store wrote last, or one of the last few.
    const saw = [seen.at(-1), seen.at(-1), place.wrote, seen.at(-1 - below(Math.min(4, seen.length)))][below(4)];
    const head = CHANGES[below(CHANGES.length)]!;
    const entries = [["a"], ["b"], ["c"], [], ["d", "e"]][below(5)]!.map((text) => `${text} ${i}`);
    const base = below(12) === 0 && (saw?.entries ?? 0) > 0 ? { at: saw!.entries, text: `base ${i}` } : undefined;
    const options = { head, ...(base && { base }), ...(below(6) === 0 && { checkpoints: [checkpointRow("run_a", i)] }) };
    const attempts = [];
    for (const store of [oracle, place.store]) {
      const writer = runWriter(store, "run_a", saw);
      const outcome = await writer.commit(entries, options).then(
        () => writer.head,
        (error: { code: string; message: string }) => `${error.code} ${error.message}`,
      );
      attempts.push([outcome, await store.head("run_a"), await store.read("run_a"), (await store.runs()).items]);
    }
    const [[expected]] = attempts as [[RunHead | string | undefined]];
    expect(attempts[1], `commit ${i}`).toEqual(attempts[0]);
    if (typeof expected !== "object") continue;
    place.wrote = expected;
    seen.push(expected);
  }
  expect(seen.length).toBeGreaterThan(50);
});

test("a commit never becomes part of a transaction of yours, in which it would be acknowledged before it is stored", async () => {
  const store = open();
  const writer = runWriter(store, "run_a");
  await writer.commit(["0"]);
  database.exec("begin");
  await expect(writer.commit(["1"])).rejects.toMatchObject({ code: "STORE_FAILED", message: expect.stringContaining("transaction") });
  database.exec("rollback");
  await writer.commit(["1"]);
  expect(await store.read("run_a")).toEqual(["0", "1"]);
});

test("D1: what waited in vain for another process neither keeps later commits from being stored nor takes them back", async () => {
  const store = open();
  const writer = runWriter(store, "run_a");
  for (const entry of ["0", "1"]) await writer.commit([entry]);
  const other = new Database(join(directory, "runs.db"));
  onTestFinished(() => void other.close());
  const stored = (): unknown[] =>
    (other.prepare("select body from wavepoint_entries order by id").all() as { body: string }[]).map(({ body }) => body);
  const waits: readonly (() => Promise<unknown>)[] = [
    () => store.putNote("run_a", "draft.0", "typed"),
    () => store.claim("run_a"),
    () => writer.commit(["refused"]),
    () => writer.commit(["refused"], { head: { label: "new" } }),
    () => writer.commit(["refused", "too"]),
    () => store.delete("run_b"),
  ];
  const entries = ["0", "1"];
  for (const wait of waits) {
    database.prepare("pragma busy_timeout = 10").all();
    other.exec("begin immediate");
    await expect(wait()).rejects.toMatchObject({ code: "STORE_FAILED", message: expect.stringContaining("Another process") });
    other.exec("rollback");
    // The next statement is a step, which is a transaction of its own, or one of a transaction of several.
    await writer.commit([`after ${entries.length}`]);
    entries.push(`after ${entries.length}`);
    expect(stored()).toEqual(entries);
    await store.putNote("run_a", "draft.0", "typed");
    expect(await store.read("run_a")).toEqual(entries);
    other.exec("begin immediate");
    await expect(wait()).rejects.toMatchObject({ code: "STORE_FAILED" });
    other.exec("rollback");
    await store.putNote("run_a", "draft.0", "typed");
    expect(other.prepare("select body from wavepoint_notes").all()).toMatchObject([{ body: "typed" }]);
  }
});

test("what could not be read for a lock is read again before anything else: until it ends, all that is read stays as it was", async () => {
  let isLocked = false;
  const asked: string[] = [];
  const store = sqliteStore({
    prepare(sql) {
      const statement = database.prepare(sql);
      return {
        run: (...values) => statement.run(...values),
        all(...values) {
          asked.push(sql.split(" where ").at(-1)!);
          if (isLocked) throw Object.assign(new Error("database is locked"), { code: "SQLITE_BUSY_RECOVERY" });
          return statement.all(...values);
        },
      };
    },
  });
  stores.push(store);
  await runWriter(store, "run_a").commit(["0"]);
  isLocked = true;
  await expect(store.head("run_a")).rejects.toMatchObject({ code: "STORE_FAILED" });
  // It still waits in vain, so nothing else is asked.
  asked.length = 0;
  await expect(store.getBlob("none")).rejects.toMatchObject({ code: "STORE_FAILED" });
  expect(asked).toEqual(["id = ?"]);
  isLocked = false;
  asked.length = 0;
  expect(await store.getBlob("none")).toBeUndefined();
  expect(asked).toEqual(["id = ?", "hash = ?"]);
});

test("stores over one database hear of each other's changes, until they are closed", async () => {
  const [one, two] = [open(), open()];
  const changed: (string | undefined)[] = [];
  one.watch!((run) => changed.push(run));
  await runWriter(two, "run_a").commit(["0"]);
  await two.putNote("run_b", "draft.0", "typed");
  await two.delete("run_c");
  await expect.poll(() => changed).toEqual(["run_a", "run_b", "run_c"]);
  await one.close();
  await two.delete("run_d");
  expect(changed).toHaveLength(3);
});

test("a run of the tables of the version before is listed, found and written to as before", async () => {
  const writer = runWriter(open(), "run_a");
  await writer.commit(["0", "1"], { head: { search: { plan: "team", seats: 1, paid: true } } });
  await runWriter(open(), "run_b").commit(["other"]);
  for (const sql of BACK_TO_VERSION_2) database.exec(sql);

  const store = open();
  expect((await store.runs({ where: { plan: "team", seats: 1, paid: true } })).items).toEqual([writer.head]);
  expect([await store.read("run_a"), await store.read("run_b")]).toEqual([["0", "1"], ["other"]]);
  await runWriter(store, "run_a", writer.head).commit(["2"], { head: { search: { plan: "solo" } } });
  expect(await store.read("run_a", { from: 1 })).toEqual(["1", "2"]);
  expect((await store.runs({ where: { plan: "team" } })).items).toEqual([]);
  expect((await store.runs({ where: { plan: "solo" } })).items).toHaveLength(1);
});

test("a commit for which there is no room says so, and leaves what was there", async () => {
  const store = open();
  const writer = runWriter(store, "run_a");
  await writer.commit(["{}"]);
  database.prepare("pragma max_page_count = 40").all();
  await expect(writer.commit(["x".repeat(1_000_000)])).rejects.toMatchObject({ code: "STORE_QUOTA" });
  expect(await store.read("run_a")).toEqual(["{}"]);
  database.prepare("pragma max_page_count = 100000").all();
  await writer.commit(["{}"]);
  expect(await store.read("run_a")).toEqual(["{}", "{}"]);
});

test("a database that may only be read can be read; a write says what it lacks", async () => {
  const writer = runWriter(open(), "run_a");
  await writer.commit(["0"]);
  database.exec("pragma query_only = on");
  const store = open();
  expect([await store.head("run_a"), await store.read("run_a")]).toEqual([writer.head, ["0"]]);
  const refused = { code: "STORE_FAILED", message: expect.stringContaining("the right to write to the file of the database") };
  await expect(writer.commit(["1"])).rejects.toMatchObject(refused);
  await expect(store.putNote("run_a", "draft.0", "typed")).rejects.toMatchObject(refused);
  database.exec("pragma query_only = off");
  await writer.commit(["1"]);
});

test("an entry that is missing is damage, at any place", async () => {
  const store = open();
  await runWriter(store, "run_a").commit(["0", "1", "2", "3"]);
  for (const place of [3, 1, 0]) {
    database.exec(`delete from wavepoint_entries where place = ${place}`);
    await expect(store.read("run_a")).rejects.toMatchObject({ code: "STORE_DATA_CORRUPT", details: { run: "run_a" } });
  }
  expect(await store.read("run_a", { from: 2, to: 3 })).toEqual(["2"]);
});

test("a damaged head is listed as such, and hides no other run on any page", async () => {
  const store = open();
  for (const number of [1, 2, 3, 4]) await runWriter(store, `run_${number}`).commit([], { head: { changedAt: number } });
  database.exec(`update wavepoint_runs set head = '{"id":"run_9"}' where id = 'run_3'`);
  const first = await store.runs({ limit: 2 });
  const second = await store.runs({ limit: 2, after: first.next! });
  expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(["run_4", "run_2", "run_1"]);
  expect(first.damaged).toMatchObject([{ run: "run_3", error: { code: "STORE_DATA_CORRUPT" } }]);
  await expect(store.head("run_3")).rejects.toMatchObject({ code: "STORE_DATA_CORRUPT" });
});

test("a process that died on this machine loses its runs at once", async () => {
  const [one, two] = [open(), open()];
  await one.claim("run_a");
  database.exec("update wavepoint_claims set holder = substr(holder, 1, instr(substr(holder, 38), ' ') + 37) || '4194303 1'");
  expect(await two.claim("run_a")).toBeTypeOf("function");
});

test("who watches hears of all runs where more has changed than is kept", async () => {
  const [one, two] = [open(), sqliteStore(new Database(join(directory, "runs.db")))];
  const changed: (string | undefined)[] = [];
  await one.head("run_a");
  const end = one.watch!((run) => changed.push(run));
  await Promise.all(Array.from({ length: 1_100 }, (_, number) => runWriter(two, `run_${number}`).commit(["{}"])));
  await expect.poll(() => changed).toContain(undefined);
  changed.length = 0;
  await runWriter(two, "run_new").commit(["{}"]);
  await expect.poll(() => changed).toEqual(["run_new"]);
  end();
  await two.close();
});

test("a change is written down only while another connection watches", async () => {
  const changes = (): unknown[] => database.prepare("select run from wavepoint_changes").all();
  const [one, other] = [open(), sqliteStore(new Database(join(directory, "runs.db")))];
  stores.push(other);
  const writer = runWriter(one, "run_a");
  await writer.commit(["0"]);
  one.watch!(() => {});
  await writer.commit(["1"]);
  await one.putNote("run_a", "draft.0", "typed");
  expect(changes()).toEqual([]);

  const end = other.watch!(() => {});
  await writer.commit(["2"]);
  await one.putNote("run_a", "draft.0", "typed");
  expect(changes()).toMatchObject([{ run: "run_a" }, { run: "run_a" }]);

  end();
  await writer.commit(["3"]);
  await one.delete("run_a");
  expect(changes()).toHaveLength(2);
});

test("a connection that died while it watched is soon forgotten", async () => {
  const store = open();
  await store.head("run_a");
  database.exec("insert into wavepoint_watchers (until) values (0)");
  const writer = runWriter(store, "run_a");
  for (let i = 0; i < 70; i++) await writer.commit([String(i)]);
  expect(database.prepare("select run from wavepoint_changes").all()).toHaveLength(64);
});

test("who was not counted as watching for a while hears that any run may have changed", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const [one, other] = [open(), sqliteStore(new Database(join(directory, "runs.db")))];
  stores.push(other);
  const changed: (string | undefined)[] = [];
  one.watch!((run) => changed.push(run));
  database.exec("delete from wavepoint_watchers");
  await runWriter(other, "run_a").commit(["0"]);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(changed).toEqual([undefined]);
  await runWriter(other, "run_b").commit(["0"]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(changed).toEqual([undefined, "run_b"]);
});

test("who watches a database in which that cannot be written down hears that any run may have changed", async () => {
  const [one, other] = [open(), sqliteStore(new Database(join(directory, "runs.db")))];
  stores.push(other);
  await one.head("run_a");
  database.exec("create trigger refused before insert on wavepoint_watchers begin select raise(abort, 'no'); end");
  const changed: (string | undefined)[] = [];
  one.watch!((run) => changed.push(run));
  await runWriter(other, "run_a").commit(["0"]);
  await expect.poll(() => changed).toEqual([undefined]);
});

test("lists read only what they show, for every query", async () => {
  const texts: string[] = [];
  const store = sqliteStore(noting(texts));
  stores.push(store);
  await runWriter(store, "run_a").commit(["{}"], { checkpoints: [checkpointRow("run_a", 0)] });
  const after = { runs: "5 run_b", rows: "5 run_b 3 wave" };
  texts.length = 0;
  await store.runs();
  await store.runs({ workflow: "w", status: "paused", topLevel: true, after: after.runs });
  await store.runs({ status: ["running", "failed"], oldestFirst: true, after: after.runs });
  await store.runs({ where: { plan: "team", seats: 1 }, workflow: "w", status: ["running", "failed"], after: after.runs });
  await store.runs({ where: { plan: "team" }, oldestFirst: true });
  await store.checkpoints();
  await store.checkpoints({ run: "run_a", after: after.rows });
  await store.checkpoints({ workflow: "w", kind: "pause", after: after.rows });
  const lists = texts.filter((sql) => (sql.startsWith("select") && sql.includes("union all")) || sql.includes("as listed"));
  expect(lists).toHaveLength(8);
  for (const sql of lists) {
    const plan = database.prepare(`explain query plan ${sql}`).all() as { detail: string }[];
    // What a list goes through from one end is what it has collected, never a table.
    expect(
      plan.map(({ detail }) => detail).filter((detail) => detail.startsWith("SCAN wavepoint")),
      sql,
    ).toEqual([]);
    expect(
      plan.map(({ detail }) => detail).filter((detail) => /USING COVERING INDEX|USING INDEX|USING PRIMARY KEY/.test(detail)).length,
    ).toBeGreaterThan(0);
  }
});

test("openSqliteStore opens a file and closes it with itself; so does its address", async () => {
  const path = join(directory, "other.db");
  const store = await openSqliteStore(path);
  await runWriter(store, "run_a").commit(["{}"]);
  await store.close();
  await store.close();
  const again = await openStore(`sqlite:${path}`);
  expect(again).toMatchObject({ kind: "sqlite", durable: true });
  expect(await again.read("run_a")).toEqual(["{}"]);
  await again.close();
  for (const none of [`${directory}/none/runs.db`, directory, `${directory}/a\0b.db`]) {
    const message = expect.stringMatching(/^SQLite cannot open ".*the right to read and write there\.$/);
    await expect(openStore(`sqlite:${none}`)).rejects.toMatchObject({ code: "STORE_FAILED", message });
  }
  expect(await openSqliteStore(":memory:")).toMatchObject({ durable: false });
});

test("a lease that no renewal could keep is refused", () => {
  for (const leaseMs of [0, 999, Number.NaN]) expect(() => open({ leaseMs })).toThrow(expect.objectContaining({ code: "POLICY_INVALID" }));
});
