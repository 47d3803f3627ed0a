// Our stores in databases, and the raw statements beside them.
import { createHash } from "node:crypto";
import { join } from "node:path";
import { Redis } from "ioredis";
import Database from "libsql";
import pg from "pg";
import { postgresStore } from "../../dist/store/postgres.js";
import { redisStore } from "../../dist/store/redis.js";
import { sqliteStore } from "../../dist/store/sqlite.js";
import { runWriter } from "../../dist/testing.js";
import { openTable } from "./libsql.mjs";
import { payload } from "./payload.mjs";

/** As many as an application with some traffic has. */
export const CONNECTIONS = 8;

let made = 0;
const entry = () => JSON.stringify({ step: made, outputs: { data: payload(made++) } });

/** What commits one entry of 1 kB to a run of a store. Its first commit makes the run. */
export function committer(store, id = `run_${made++}`) {
  const writer = runWriter(store, id);
  let head;
  return async () => {
    if (!head) {
      await writer.commit([entry()]);
      head = writer.head;
      return;
    }
    const { revision, epoch, entries, updatedAt } = head;
    const next = { ...head, revision: revision + 1, entries: entries + 1, updatedAt: updatedAt + 1 };
    await store.commit({ run: id, expected: { revision, epoch }, head: next, entries: [entry()], durability: "strict" });
    head = next;
  };
}

/** One pool for the store and for the raw inserts beside it. */
export async function openPostgres(address) {
  const pool = new pg.Pool({ connectionString: address, max: CONNECTIONS });
  pool.on("error", () => {});
  await pool.query("create table raw (run text, place integer, body text not null, primary key (run, place))");
  let place = 0;
  const insert = (run) => pool.query("insert into raw (run, place, body) values ($1, $2, $3)", [run, place++, entry()]);
  return { store: postgresStore(pool), insert, close: () => pool.end() };
}

export function openSqlite(directory) {
  const database = new Database(join(directory, "runs.db"));
  const table = openTable(join(directory, "raw.db"));
  return {
    store: sqliteStore(database),
    insert: async () => table.insert(entry()),
    close() {
      database.close();
      table.close();
    },
  };
}

/** The least that a script does which keeps an entry. */
const APPEND = "return redis.call('RPUSH', KEYS[1], ARGV[1])";

export async function openRedis(port) {
  const client = new Redis(port);
  await client.script("LOAD", APPEND);
  const hash = createHash("sha1").update(APPEND).digest("hex");
  return {
    store: redisStore(client),
    insert: () => client.evalsha(hash, 1, "raw", entry()),
    close: () => client.disconnect(),
  };
}
