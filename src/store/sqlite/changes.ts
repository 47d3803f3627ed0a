import type { Store } from "../../core/ports/store.ts";
import type { Watchers } from "../watchers.ts";
import type { Connection, SqliteDatabase } from "./connection.ts";

/** How often a store that is watched asks whether another connection wrote, in milliseconds. It costs a few microseconds. */
const LOOK_MS = 100;

/** Those who watch, by database. SQLite tells a connection only of what others wrote, and several stores may share one. */
const watchersOn = new WeakMap<SqliteDatabase, Set<Watchers>>();

/** The watchers of all stores over the same database object, this one's among them. */
export function neighboursOn(database: SqliteDatabase, watchers: Watchers): Set<Watchers> {
  const neighbours = watchersOn.get(database) ?? new Set();
  watchersOn.set(database, neighbours.add(watchers));
  return neighbours;
}

/** Looks for what other connections changed. */
export interface ForeignChanges {
  readonly watch: NonNullable<Store["watch"]>;
  close(): void;
}

/** Writes down, within a transaction, that a run was changed. */
export function noteChange(connection: Connection, run: string): void {
  connection.run("insert into wavepoint_changes (run) values (?)", [run]);
}

/** Looks for as long as anyone watches. */
export function foreignChanges(connection: () => Connection, watchers: Watchers): ForeignChanges {
  let timer: ReturnType<typeof setInterval> | undefined;
  let seen = { version: 0, number: 0 };

  function look(): void {
    try {
      const version = versionOf(connection());
      if (version === seen.version) return;
      const { runs, number, isWhole } = changesSince(connection(), seen.number);
      seen = { version, number };
      watchers.report(isWhole ? runs : [undefined]);
    } catch (error) {
      watchers.failed(error);
    }
  }

  function start(): void {
    if (timer !== undefined) return;
    seen = { version: versionOf(connection()), number: lastChange(connection()).last };
    timer = setInterval(look, LOOK_MS);
    timer.unref?.();
  }

  function stop(): void {
    clearInterval(timer);
    timer = undefined;
  }

  return {
    watch(...watcher) {
      start();
      const end = watchers.add(...watcher);
      return () => {
        end();
        if (watchers.size === 0) stop();
      };
    },
    close: stop,
  };
}

/** Differs from the one before where another connection has written since. */
function versionOf(connection: Connection): number {
  return connection.all<{ readonly data_version: number }>("pragma data_version")[0]!.data_version;
}

/** The numbers of the first change that is kept and of the last one; 0 where there is none. */
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
