import type { RunHead } from "../../core/model/run.ts";
import type { Commit } from "../../core/ports/store.ts";
import { checkExpected } from "../check-commit.ts";
import { searchRows } from "../sql/pages.ts";
import { readText, storedText } from "../stored-text.ts";
import type { Connection } from "./connection.ts";
import { noteChange } from "./changes.ts";

interface Waiting {
  readonly commit: Commit;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Writes commits. */
export interface Commits {
  /** Resolves once it is written, together with all that other runs commit in the same turn: they share one sync. */
  add(commit: Commit): Promise<void>;
}

/** Collects what is committed in one turn. */
export function commitsTo(open: () => Connection, written: (run: string) => void): Commits {
  let waiting: Waiting[] = [];

  function write(): void {
    const group = waiting;
    waiting = [];
    const refused = new Map<Waiting, unknown>();
    try {
      const isStrict = group.some(({ commit }) => commit.durability === "strict");
      const connection = open();
      connection.writing(isStrict ? "strict" : "relaxed", () => {
        for (const one of group) {
          const standing = standingOf(connection, one.commit.run);
          try {
            checkExpected(one.commit, standing);
          } catch (error) {
            // It has written nothing: the others are not harmed.
            refused.set(one, error);
            continue;
          }
          apply(connection, one.commit, standing?.listed);
        }
      });
    } catch (error) {
      for (const { reject } of group) reject(error);
      return;
    }
    for (const one of group) {
      if (refused.has(one)) one.reject(refused.get(one));
      else {
        written(one.commit.run);
        one.resolve();
      }
    }
  }

  return {
    add(commit) {
      return new Promise((resolve, reject) => {
        // Behind all that is to be done in this turn, before anything else is waited for.
        if (waiting.length === 0) process.nextTick(write);
        waiting.push({ commit, resolve, reject });
      });
    },
  };
}

interface Standing {
  readonly revision: number;
  readonly epoch: number;
  readonly entries: number;
  readonly base?: number;
  /** What it is listed and found by. */
  readonly listed: Listed;
}

interface Listed {
  readonly workflow: string;
  readonly status: string;
  readonly called: number;
  readonly changed_at: number;
  readonly search: string | null;
}

function standingOf(connection: Connection, run: string): Standing | undefined {
  const [row] = connection.all<Omit<Standing, "base" | "listed"> & Listed & { readonly base: number | null }>(
    "select revision, epoch, entries, base, workflow, status, called, changed_at, search from wavepoint_runs where id = ?",
    [run],
  );
  if (row === undefined) return undefined;
  const { revision, epoch, entries, base, ...listed } = row;
  return { revision, epoch, entries, listed, ...(base !== null && { base }) };
}

function apply(connection: Connection, commit: Commit, before: Listed | undefined): void {
  const { run, head, base, entries, dropNotes = [], forgotten = [], checkpoints = [] } = commit;
  const { workflow, status, changedAt, revision, epoch } = head;
  const called = head.parent === undefined ? 0 : 1;
  const text = JSON.stringify(head);
  const search = head.search ? JSON.stringify(head.search) : null;
  const now: Listed = { workflow, status, called, changed_at: changedAt, search };
  const standing = [revision, epoch, head.entries, head.base ?? null, text];
  if (commit.expected === undefined) {
    connection.run(
      "insert into wavepoint_runs (revision, epoch, entries, base, head, workflow, status, called, changed_at, search, id) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      [...standing, workflow, status, called, changedAt, search, run],
    );
  } else if (before && isSame(before, now)) {
    // SQLite writes the indexes of each column that is named anew, though its value stays.
    connection.run("update wavepoint_runs set revision = ?, epoch = ?, entries = ?, base = ?, head = ? where id = ?", [...standing, run]);
  } else {
    connection.run(
      "update wavepoint_runs set revision = ?, epoch = ?, entries = ?, base = ?, head = ?, workflow = ?, status = ?, called = ?, changed_at = ?, search = ? where id = ?",
      [...standing, workflow, status, called, changedAt, search, run],
    );
  }
  writeSearch(connection, head, { before, now });
  if (base) {
    connection.run("delete from wavepoint_entries where run = ? and place < ?", [run, base.at]);
    insertEntry(connection, run, base.at - 1, base.text);
  }
  const first = head.entries - entries.length;
  for (const [index, entry] of entries.entries()) {
    if (!base || first + index >= base.at) insertEntry(connection, run, first + index, entry);
  }
  for (const key of dropNotes) connection.run("delete from wavepoint_notes where run = ? and key = ?", [run, key]);
  for (const { kind, number } of forgotten) {
    connection.run("delete from wavepoint_checkpoints where run = ? and kind = ? and number = ?", [run, kind, number]);
  }
  for (const row of checkpoints) {
    connection.run(
      "insert or replace into wavepoint_checkpoints (run, kind, number, workflow, created_at, entries, sealed) values (?, ?, ?, ?, ?, ?, ?)",
      [run, row.kind, row.number, row.workflow, row.createdAt, row.entries, row.sealed ?? null],
    );
  }
  noteChange(connection, run);
}

function isSame(before: Listed, now: Listed): boolean {
  return Object.entries(now).every(([name, value]) => before[name as keyof Listed] === value);
}

/** Makes the rows by which a run is found anew, where they would be others. */
function writeSearch(
  connection: Connection,
  head: RunHead,
  { before, now }: { readonly before: Listed | undefined; readonly now: Listed },
): void {
  if ((before?.search ?? null) === null && now.search === null) return;
  if (before && isSame(before, now)) return;
  connection.run("delete from wavepoint_search where id = ?", [head.id]);
  for (const { name, value } of searchRows(head.search)) {
    connection.run("insert into wavepoint_search (id, name, value, workflow, status, called, changed_at) values (?, ?, ?, ?, ?, ?, ?)", [
      head.id,
      name,
      value,
      now.workflow,
      now.status,
      now.called,
      now.changed_at,
    ]);
  }
}

function insertEntry(connection: Connection, run: string, place: number, entry: string): void {
  connection.run("insert into wavepoint_entries (run, place, body) values (?, ?, ?)", [run, place, storedText(entry)]);
}

/** The entries of a run from one place to another, with their places. */
export function entriesOf(
  connection: Connection,
  run: string,
  from: number,
  to: number,
): readonly (readonly [place: number, entry: string])[] {
  return connection
    .all<{ readonly place: number; readonly body: string }>(
      "select place, body from wavepoint_entries where run = ? and place >= ? and place < ? order by place",
      [run, from, to],
    )
    .map(({ place, body }) => [place, readText(body)]);
}
