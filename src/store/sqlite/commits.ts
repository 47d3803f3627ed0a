import type { Commit } from "../../core/ports/store.ts";
import { checkCommit, checkExpected, conflict } from "../check-commit.ts";
import { searchRows } from "../sql/pages.ts";
import { readText, storedText } from "../stored-text.ts";
import type { Changes } from "./changes.ts";
import { type Connection, isRefused } from "./connection.ts";
import { type KnownHeads, knownHeads } from "./known-heads.ts";
import { COMMITTED, CONTINUE, ENTRIES, replaced, REVISION } from "./schema.ts";

interface Waiting {
  readonly commit: Commit;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
  /** Why the database refused the commit. */
  refusal: unknown;
}

/** Writes commits. */
export interface Commits {
  /** Resolves once it is written, together with all that other runs commit in the same turn: they share one sync. */
  add(commit: Commit): Promise<void>;
}

const COMMIT = `insert into wavepoint_commits (${COMMITTED}) values (${replaced(COMMITTED, "?")})`;
const COMMIT_MORE = `insert into wavepoint_commits_more (${COMMITTED}, more) values (${replaced(COMMITTED, "?")}, ?)`;
const ENTRY = "insert into wavepoint_entries (id, body) select number << 32 | ?, ? from wavepoint_runs where id = ?";

/** Collects the commits of one turn. */
export function commitsTo(open: () => Connection, changes: Changes): Commits {
  let waiting: Waiting[] = [];
  const heads = knownHeads();

  function writeGroup(): void {
    const group = waiting;
    waiting = [];
    try {
      const connection = open();
      const isStrict = group.some(({ commit }) => commit.durability === "strict");
      const writing = group.length === 1 && isOneStatement(group[0]!.commit) ? connection.writingAlone : connection.writing;
      writing(isStrict ? "strict" : "relaxed", () => {
        for (const one of group) one.refusal = write(connection, one.commit);
      });
    } catch (error) {
      for (const { reject } of group) reject(error);
      return;
    }
    for (const { commit, refusal, resolve, reject } of group) {
      if (refusal !== undefined) reject(refusal);
      else {
        heads.committed(commit.head);
        changes.changed(commit.run);
        resolve();
      }
    }
  }

  /** Writes a commit, or gives why the database refused it: then nothing of it is written, and the others of its group are not harmed. */
  function write(connection: Connection, commit: Commit): unknown {
    try {
      if (onlyContinues(commit, heads)) continueRun(connection, commit, changes.watcher);
      else apply(connection, commit, changes.watcher);
      return undefined;
    } catch (error) {
      if (!isRefused(error)) throw error;
      return refusalOf(connection, commit);
    }
  }

  return {
    add(commit) {
      return new Promise((resolve, reject) => {
        open();
        checkCommit(commit, heads.has(commit.run));
        // Behind all that is to be done in this turn, before anything else is waited for.
        if (waiting.length === 0) process.nextTick(writeGroup);
        waiting.push({ commit, resolve, reject, refusal: undefined });
      });
    },
  };
}

/** Why the database refused a commit, by how the run stands. */
function refusalOf(connection: Connection, commit: Commit): unknown {
  type Row = { readonly revision: number; readonly epoch: number; readonly entries: number; readonly base: number | null };
  const [row] = connection.all<Row>(`select ${REVISION} as revision, epoch, ${ENTRIES} as entries, base from wavepoint_runs where id = ?`, [
    commit.run,
  ]);
  try {
    checkExpected(
      commit,
      row && { revision: row.revision, epoch: row.epoch, entries: row.entries, ...(row.base !== null && { base: row.base }) },
    );
  } catch (error) {
    return error;
  }
  return conflict(commit.run);
}

/** Whether a commit adds one entry to a run and changes no more than that has to. */
function onlyContinues(commit: Commit, heads: KnownHeads): boolean {
  const { expected, head } = commit;
  return expected?.epoch === head.epoch && singleEntry(commit) !== undefined && !changesMore(commit) && heads.isContinued(head);
}

/** One statement, which writes no head and runs no trigger that writes, unless others watch. */
function continueRun(connection: Connection, { run, head, entries }: Commit, watcher: number): void {
  const { epoch, revision, updatedAt } = head;
  connection.run(CONTINUE, [head.entries - 2, run, epoch, revision - 1, storedText(entries[0]!), revision, updatedAt, watcher]);
}

/** One statement, and one more for each entry that does not go with it. */
function apply(connection: Connection, commit: Commit, watcher: number): void {
  const { run, expected, head } = commit;
  const single = singleEntry(commit);
  const values = [
    run,
    head.workflow,
    head.status,
    head.parent === undefined ? 0 : 1,
    head.changedAt,
    head.search ? JSON.stringify(Object.fromEntries(searchRows(head.search).map(({ name, value }) => [name, value]))) : null,
    expected?.epoch ?? 0,
    head.entries - commit.entries.length,
    head.revision,
    head.epoch,
    head.entries,
    head.base ?? null,
    JSON.stringify(head),
    watcher,
    single === undefined ? null : storedText(single),
  ];
  if (changesMore(commit)) connection.run(COMMIT_MORE, [...values, moreOf(commit)]);
  else connection.run(COMMIT, values);
  for (const [place, entry] of otherEntries(commit)) connection.run(ENTRY, [place, storedText(entry), run]);
}

/** Whether a commit is written by a single statement: it has no entry that does not go with it. */
function isOneStatement({ entries, base }: Commit): boolean {
  return entries.length < 2 && base === undefined;
}

/** The entry that goes with the commit, as most have it: one, and no base. */
function singleEntry({ entries, base }: Commit): string | undefined {
  return entries.length === 1 && base === undefined ? entries[0] : undefined;
}

/** Returns the other entries with their places: the base, and those that it does not replace. */
function otherEntries(commit: Commit): readonly (readonly [place: number, entry: string])[] {
  const { head, entries, base } = commit;
  if (singleEntry(commit) !== undefined) return [];
  const first = head.entries - entries.length;
  const placed = entries.map((entry, index) => [first + index, entry] as const);
  return base ? [[base.at - 1, base.text], ...placed.filter(([place]) => place >= base.at)] : placed;
}

/** Whether a commit is the first one of a run, or changes more than a head and a journal. */
function changesMore({ expected, base, dropNotes = [], forgotten = [], checkpoints = [] }: Commit): boolean {
  return expected === undefined || base !== undefined || dropNotes.length + forgotten.length + checkpoints.length > 0;
}

/** What else a commit changes, as JSON. */
function moreOf({ expected, base, dropNotes = [], forgotten = [], checkpoints = [] }: Commit): string {
  return JSON.stringify({
    first: expected === undefined,
    ...(base && { base: base.at }),
    notes: dropNotes,
    forgotten: forgotten.map(({ kind, number }) => [kind, number]),
    checkpoints: checkpoints.map((row) => [row.kind, row.number, row.workflow, row.createdAt, row.entries, row.sealed ?? null]),
  });
}

/** The entries of a run, by its number, from one place to another, with their places. */
export function entriesOf(
  connection: Connection,
  run: number,
  from: number,
  to: number,
): readonly (readonly [place: number, entry: string])[] {
  return connection
    .all<{ readonly place: number; readonly body: string }>(
      "select place, body from wavepoint_entries where id >= (? << 32 | ?) and id < (? << 32 | ?) order by id",
      [run, from, run, to],
    )
    .map(({ place, body }) => [place, readText(body)]);
}
