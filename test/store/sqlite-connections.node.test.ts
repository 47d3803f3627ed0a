import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "libsql";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sqliteStore, type SqliteDatabase, type SqliteStatement } from "wavepoint/store/sqlite";
import { runWriter, storeConformance } from "wavepoint/testing";
import { LEASE_MS, sqlitePlace } from "./sqlite-places.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "wavepoint-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

function open(name: string): Database.Database {
  return new Database(name === ":memory:" ? name : join(directory, name));
}

/** The statements of a database, each changed. */
function changed(database: Database.Database, change: (statement: SqliteStatement) => SqliteStatement): SqliteDatabase {
  return { prepare: (sql) => change(database.prepare(sql)) };
}

describe("a database that gives whole numbers as bigint", () => {
  const cases = storeConformance(
    async () =>
      sqlitePlace((path) => {
        const database = new Database(path);
        (database as unknown as { defaultSafeIntegers(toggle: boolean): void }).defaultSafeIntegers(true);
        return database;
      }),
    { leaseMs: LEASE_MS },
  );
  for (const { name, run } of cases) test(name, run, 60_000);
});

test("a database that gives rows as arrays is refused, with the option to leave out", async () => {
  const database = open(":memory:");
  const asArrays = changed(database, (statement) => ({
    run: (...values) => statement.run(...values),
    all: (...values) => statement.all(...values).map((row) => Object.values(row as object)),
  }));
  await expect(sqliteStore(asArrays).head("run_a")).rejects.toMatchObject({
    code: "STORE_FAILED",
    message: expect.stringContaining("returnArrays"),
  });
  database.close();
});

test("an attached database keeps its journal mode, and does not make one in memory durable", async () => {
  const other = open("other.db");
  other.prepare("create table things (name)").run();
  other.close();
  const database = open(":memory:");
  database.prepare("attach ? as other").run(join(directory, "other.db"));
  const store = sqliteStore(database);
  await runWriter(store, "run_a").commit(["{}"]);
  expect(database.prepare("pragma other.journal_mode").all()).toEqual([{ journal_mode: "delete" }]);
  expect(store.durable).toBe(false);
  database.close();
});

test("on systems where a sync does not reach the disk by itself, the store asks for one that does", async () => {
  const database = open("runs.db");
  await sqliteStore(database).head("run_a");
  expect(database.prepare("pragma fullfsync").all()).toEqual([{ fullfsync: 1 }]);
  database.close();
});

test("a commit to a database that is closed says so, and does not end the process", async () => {
  const database = open("runs.db");
  const writer = runWriter(sqliteStore(database), "run_a");
  await writer.commit(["0"]);
  database.close();
  await expect(writer.commit(["1"])).rejects.toMatchObject({
    code: "STORE_FAILED",
    message: expect.stringMatching(/not open\. Close the executor or the store first, .* Nothing was changed\.$/),
  });
});

test("what is written within a transaction of yours is refused, says what to do, and leaves it as it is", async () => {
  const database = open("runs.db");
  database.prepare("create table things (name)").run();
  const store = sqliteStore(database);
  const writer = runWriter(store, "run_a");
  await writer.commit(["0"]);
  database.prepare("begin").run();
  database.prepare("insert into things values ('mine')").run();
  const refusal = { code: "STORE_FAILED", message: expect.stringMatching(/End your transaction .* Nothing was changed\.$/) };
  const { head } = writer;
  await expect(writer.commit(["1"])).rejects.toMatchObject(refusal);
  await expect(store.putNote("run_a", "key", "text")).rejects.toMatchObject(refusal);
  await expect(store.claim!("run_a", () => {})).rejects.toMatchObject(refusal);
  await expect(store.delete("run_a")).rejects.toMatchObject(refusal);
  database.prepare("commit").run();
  expect(database.prepare("select name from things").all()).toEqual([{ name: "mine" }]);
  await runWriter(store, "run_a", head).commit(["1"]);
  expect(await store.read("run_a")).toEqual(["0", "1"]);
  database.close();
});

/** As packages that run SQLite in WebAssembly do. */
describe("a package whose errors say no more than SQLite", () => {
  function withoutCodes(database: Database.Database): SqliteDatabase {
    const saying = <T>(work: () => T): T => {
      try {
        return work();
      } catch (error) {
        throw Object.assign(error as Error, { code: undefined });
      }
    };
    return changed(database, (statement) => ({
      run: (...values) => saying(() => statement.run(...values)),
      all: (...values) => saying(() => statement.all(...values)),
    }));
  }

  test("a commit that comes too late is a conflict", async () => {
    const database = open("runs.db");
    const store = sqliteStore(withoutCodes(database));
    const [writer, late] = [runWriter(store, "run_a"), runWriter(store, "run_a")];
    await writer.commit(["0"]);
    await expect(late.commit(["other"])).rejects.toMatchObject({ code: "STORE_CONFLICT" });
    expect(await store.read("run_a")).toEqual(["0"]);
    database.close();
  });

  test("no room, no right and a file that is none have their codes", async () => {
    const database = open("runs.db");
    const store = sqliteStore(withoutCodes(database));
    const writer = runWriter(store, "run_a");
    await writer.commit(["0"]);
    database.prepare("pragma max_page_count = 40").all();
    await expect(writer.commit(["x".repeat(1_000_000)])).rejects.toMatchObject({ code: "STORE_QUOTA" });
    database.prepare("pragma query_only = on").run();
    await expect(runWriter(store, "run_b").commit(["0"])).rejects.toMatchObject({
      code: "STORE_FAILED",
      message: expect.stringContaining("the right to write"),
    });
    database.close();
  });
});
