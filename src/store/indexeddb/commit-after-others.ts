import type { CheckpointRow } from "../../core/model/checkpoint.ts";
import type { Commit } from "../../core/ports/store.ts";
import { checkExpected } from "../check-commit.ts";
import { ALL_OF_RUNS, change, type Changes } from "./transactions.ts";
import { revisionOf } from "./read-entries.ts";
import { forgetRows, packRows } from "./row-packs.ts";
import { type CommitRecord, type Database, type Reading, type Writing, isListedAnew, keysOf, listedRun } from "./schema.ts";
import { type StoredRun, isCommit, readStored, withoutTail } from "./tail.ts";

/** Who writes a commit. */
export interface Author {
  /** The store. */
  readonly writer: string;
  /** Whether it may have written this commit before. */
  readonly again: boolean;
}

/**
 * Writes a commit to a run that another writer may have written last. Reads the state in the same transaction, and writes nothing if it is not the one that
 * the writer saw. Returns the state afterwards; nothing if `again` is set and the commit had been written before.
 */
export function takeOver(database: Database, commit: Commit, { writer, again }: Author): Promise<StoredRun | undefined> {
  const { run, head, checkpoints = [], dropNotes = [], durability } = commit;
  return change(database, ALL_OF_RUNS, durability, async (transaction, changes) => {
    const [journal, rows, tails] = [transaction.objectStore("journal"), transaction.objectStore("rows"), transaction.objectStore("tails")];
    const stored = await readStored(transaction, run);
    if (again && stored && (await isWritten(transaction, commit, { stored, writer }))) return undefined;
    checkExpected(commit, stored?.head);
    const number = stored?.number ?? (await newNumber(transaction));
    const place: [number, number] = [number, head.revision];
    const tail = await prune(transaction, commit, { stored, number, changes });
    for (const pack of packRows(commit, [...tail, ...checkpoints])) changes.add(rows.put(pack));
    for (const key of dropNotes) changes.add(transaction.objectStore("notes").delete([run, key]));
    changes.add(journal.put(remaining(commit), place));
    changes.add(transaction.objectStore("heads").put({ ...head, number, writer }, run));
    if (isListedAnew(head, stored?.head)) changes.add(transaction.objectStore("listed").put(listedRun(head, number)));
    if (stored === undefined) changes.add(transaction.objectStore("notes").delete(keysOf(run)));
    // The other writer may believe that it is still the last one: it will look under this key, now and after the record is gone.
    else if (stored.writer !== writer) changes.add(transaction.objectStore("takeovers").put(stored.writer, place));
    changes.add(head.status === "running" ? tails.put(1, run) : tails.delete(run));
    return withoutTail(head, { number, writer });
  });
}

/** A number that no run has had: the highest has a record in the journal, also once its run was deleted. */
async function newNumber(transaction: Reading): Promise<number> {
  const last = await transaction.objectStore("journal").openKeyCursor(undefined, "prev");
  return (last?.key[0] ?? 0) + 1;
}

/** Whether this writer wrote this commit: the place has its record, and the first takeover behind it was from this writer. */
async function isWritten(
  transaction: Reading,
  commit: Commit,
  { stored: { number, writer: last }, writer }: { readonly stored: StoredRun; readonly writer: string },
): Promise<boolean> {
  const { revision } = commit.head;
  const there = await transaction.objectStore("journal").get([number, revision]);
  const [from = last] = await transaction.objectStore("takeovers").getAll(IDBKeyRange.bound([number, revision], [number, []], true), 1);
  const [first, entries] = remaining(commit);
  return isCommit(there) && from === writer && there[0] === first && JSON.stringify(there[1]) === JSON.stringify(entries);
}

/** The record of a commit that leaves no tail: what its base does not stand for. */
function remaining({ head, entries, base }: Commit): CommitRecord {
  const first = head.entries - entries.length;
  const covered = Math.max(0, (base?.at ?? 0) - first);
  return [first + covered, entries.slice(covered)];
}

/** Removes what a commit removes: forgotten rows, and the records that its base replaces. Returns the remaining rows of the tail. */
async function prune(
  transaction: Writing,
  { run, head, base, forgotten = [] }: Commit,
  { stored, number, changes }: { readonly stored: StoredRun | undefined; readonly number: number; readonly changes: Changes },
): Promise<readonly CheckpointRow[]> {
  const gone = new Set(forgotten.map(({ kind, number }) => `${kind} ${number}`));
  const isForgotten = ({ kind, number }: CheckpointRow): boolean => gone.has(`${kind} ${number}`);
  if (gone.size > 0) for (const changed of await forgetRows(transaction, run, isForgotten)) changes.add(changed);
  if (base !== undefined) {
    const [journal, bases] = [transaction.objectStore("journal"), transaction.objectStore("bases")];
    const low = (await bases.get(run))?.revision ?? 1;
    const revision =
      stored && base.at < stored.head.entries ? await revisionOf(transaction, stored, { entry: base.at, low }) : head.revision;
    const records = IDBKeyRange.bound([number], [number, revision], false, true);
    const taken = await transaction.objectStore("takeovers").getAllKeys(records);
    changes.add(journal.delete(records));
    // A writer that slept since one of these is fenced: its place stays taken.
    for (const key of taken) changes.add(journal.put(null, key));
    changes.add(bases.put({ ...base, revision }, run));
  }
  return stored?.rows.filter((row) => !isForgotten(row)) ?? [];
}
