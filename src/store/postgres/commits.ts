import type { Commit } from "../../core/ports/store.ts";
import { checkExpected, conflict } from "../check-commit.ts";
import { searchRows } from "../sql/pages.ts";
import { storedText } from "../stored-text.ts";
import { type Query, withinTransaction } from "./connection.ts";

/** The state of a run, as the database returns it when it refuses a commit. */
interface Standing {
  readonly revision?: number;
  readonly epoch: number;
  readonly entries: number;
  readonly base: number | null;
}

/** Writes a commit in one round trip. Throws the errors of the port if it does not fit. */
export async function writeCommit(query: Query, commit: Commit): Promise<void> {
  const [row] = await query<{ readonly refused: string | null }>("select wavepoint_commit($1) as refused", [asJson(commit)]);
  if (row!.refused === null) throw withinTransaction();
  if (row!.refused === "") return;
  const { revision, epoch, entries, base } = JSON.parse(row!.refused) as Standing;
  checkExpected(commit, revision === undefined ? undefined : { revision, epoch, entries, ...(base !== null && { base }) });
  // It fits what stands there now: another writer came and went between.
  throw conflict(commit.run);
}

function asJson({ run, expected, head, entries, base, dropNotes, checkpoints, forgotten, durability }: Commit): string {
  return JSON.stringify({
    run,
    durability,
    seenRevision: expected?.revision,
    seenEpoch: expected?.epoch,
    workflow: head.workflow,
    status: head.status,
    called: head.parent === undefined ? 0 : 1,
    changedAt: head.changedAt,
    revision: head.revision,
    epoch: head.epoch,
    entries: head.entries,
    headBase: head.base,
    head: JSON.stringify(head),
    search: head.search && searchRows(head.search),
    first: head.entries - entries.length,
    added: entries.map(storedText),
    base: base && { at: base.at, text: storedText(base.text) },
    dropNotes: listOrNone(dropNotes),
    checkpoints: listOrNone(checkpoints && lastOfEach(checkpoints)),
    forgotten: listOrNone(forgotten),
  });
}

function listOrNone<T>(list: readonly T[] | undefined): readonly T[] | undefined {
  return list && list.length > 0 ? list : undefined;
}

/** One statement writes a row once. */
function lastOfEach(rows: NonNullable<Commit["checkpoints"]>): NonNullable<Commit["checkpoints"]> {
  return [...new Map(rows.map((row) => [`${row.kind} ${row.number}`, row])).values()];
}
