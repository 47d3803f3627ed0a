import type { Watchers } from "../watchers.ts";
import { type Connection, connectionTo, type SqliteDatabase } from "./connection.ts";
import { NOW } from "./schema.ts";

/** How often a database that is watched is asked whether another connection wrote, in milliseconds. It costs a few microseconds. */
const LOOK_MS = 100;
/** How long a connection that gives no sign of life counts as watching, and how often it gives one, in milliseconds. */
const WATCHING_MS = 60_000;
const RENEW_MS = 20_000;

/** What the stores over one database object see of each other, and of other connections. SQLite tells a connection only of what others wrote. */
export interface Changes {
  /** The number of this connection among those that watch; 0 if it does not watch. Its own changes need not be recorded for itself. */
  readonly watcher: number;
  /** One of the stores over this object changed a run. */
  changed(run: string): void;
  /** Polls for the changes of other connections, until the watchers leave. The tables must exist. */
  join(watchers: Watchers): void;
  leave(watchers: Watchers): void;
}

const changesOn = new WeakMap<SqliteDatabase, Changes>();

/** The changes of a database. Several stores may share it. */
export function changesOf(database: SqliteDatabase): Changes {
  const known = changesOn.get(database) ?? changesIn(connectionTo(database));
  changesOn.set(database, known);
  return known;
}

function changesIn(connection: Connection): Changes {
  const watching = new Set<Watchers>();
  let watcher = 0;
  let timer: ReturnType<typeof setInterval> | undefined;
  let seen = { version: 0, number: 0 };
  let renewAt = 0;

  /** Where it cannot be written down that this connection watches, as in a database that only reads, any run may have been changed. */
  function register(): void {
    renewAt = performance.now() + RENEW_MS;
    try {
      watcher = connection.writing("relaxed", () => registered(connection, watcher));
    } catch {
      watcher = 0;
    }
  }

  function unregister(): void {
    try {
      connection.writing("relaxed", () => connection.run("delete from wavepoint_watchers where number = ?", [watcher]));
    } catch {
      // It counts as watching for a minute.
    }
    watcher = 0;
  }

  function look(): void {
    try {
      const before = watcher;
      if (performance.now() >= renewAt) register();
      const version = versionOf(connection);
      if (version === seen.version && watcher === before) return;
      const { runs, number, isWhole } = changesSince(connection, seen.number);
      seen = { version, number };
      report(isWhole && watcher === before && watcher > 0 ? runs : [undefined]);
    } catch (error) {
      for (const each of watching) each.failed(error);
    }
  }

  function report(runs: Iterable<string | undefined>): void {
    const found = [...runs];
    for (const each of watching) each.report(found);
  }

  return {
    get watcher() {
      return watcher;
    },
    changed(run) {
      for (const each of watching) each.changed(run);
    },
    join(watchers) {
      watching.add(watchers);
      if (timer !== undefined) return;
      // What is committed from now on is written down.
      register();
      seen = { version: versionOf(connection), number: lastChange(connection).last };
      timer = setInterval(look, LOOK_MS);
      timer.unref?.();
    },
    leave(watchers) {
      watching.delete(watchers);
      if (timer === undefined || watching.size > 0) return;
      clearInterval(timer);
      timer = undefined;
      unregister();
    },
  };
}

/** Records that a connection watches. Returns its number. A connection without a sign of life for long no longer counts. */
function registered(connection: Connection, watcher: number): number {
  const isKnown = connection.run(`update wavepoint_watchers set until = ${NOW} + ? where number = ?`, [WATCHING_MS, watcher]) > 0;
  if (isKnown) return watcher;
  connection.run(`delete from wavepoint_watchers where until < ${NOW}`);
  connection.run(`insert into wavepoint_watchers (until) values (${NOW} + ?)`, [WATCHING_MS]);
  return connection.all<{ readonly number: number }>("select last_insert_rowid() as number")[0]!.number;
}

/** Writes down, within a transaction, that a run was changed, where another connection watches. */
export function noteChange(connection: Connection, run: string, watcher: number): void {
  connection.run("insert into wavepoint_changes (run) select ? where exists (select 1 from wavepoint_watchers where number <> ?)", [
    run,
    watcher,
  ]);
}

/** Differs from the one before where another connection has written since. */
function versionOf(connection: Connection): number {
  return connection.all<{ readonly data_version: number }>("pragma data_version")[0]!.data_version;
}

/** Returns the numbers of the first recorded change and of the last one; 0 if there is none. */
function lastChange(connection: Connection): { readonly first: number; readonly last: number } {
  const [row] = connection.all<{ readonly first: number | null; readonly last: number | null }>(
    "select min(number) as first, max(number) as last from wavepoint_changes",
  );
  return { first: row?.first ?? 0, last: row?.last ?? 0 };
}

/** The runs that were changed after a change, and the number of the last one; not whole where those after it are no longer all kept. */
function changesSince(connection: Connection, number: number): { runs: ReadonlySet<string>; number: number; isWhole: boolean } {
  const { first, last } = lastChange(connection);
  const runs = connection.all<{ readonly run: string }>("select run from wavepoint_changes where number > ?", [number]);
  return { runs: new Set(runs.map(({ run }) => run)), number: last, isWhole: first <= number + 1 };
}
