import type { IDBPDatabase } from "idb";
import type { Commit } from "../../core/ports/store.ts";
import { checkExpected } from "../check-commit.ts";
import type { Schema } from "./schema.ts";
import { readStored } from "./tail.ts";
import type { StoredRun } from "./tail.ts";
import { begin } from "./transaction.ts";

/** Who writes a commit. */
export interface Author {
  /** The store. */
  readonly writer: string;
  /** The commit: the store's name and a number. */
  readonly by: string;
  /** Whether it may have been written before. */
  readonly again: boolean;
}

/**
 * Writes a commit to a run that somebody else may have written last: reads how it stands, in the same transaction, and leaves no trace where
 * that is not what the writer saw. Gives how the run stands then; nothing if `again` and the commit had been written before.
 */
export async function takeOver(
  database: IDBPDatabase<Schema>,
  commit: Commit,
  { writer, by, again }: Author,
): Promise<StoredRun | undefined> {
  const { run, head, entries, checkpoints = [], dropNotes = [], durability } = commit;
  const prune = commit.base || commit.forgotten?.length ? (await import("./later.ts")).prune : undefined;
  const transaction = begin(
    database,
    ["heads", "created", "journal", "takeovers", "rows", "tails", "bases", "notes"],
    "readwrite",
    durability,
  );
  const writes: Promise<unknown>[] = [transaction.done];
  try {
    const [heads, journal, rows, tails] = [
      transaction.objectStore("heads"),
      transaction.objectStore("journal"),
      transaction.objectStore("rows"),
      transaction.objectStore("tails"),
    ];
    const place: [string, number] = [run, head.revision];
    const [stored, before, there] = await Promise.all([
      readStored({ heads, journal }, run),
      journal.get([run, head.revision - 1]),
      journal.get(place),
    ]);
    if (again && there?.by === by) return undefined;
    checkExpected(commit, stored?.head);
    for (const row of stored?.rows ?? []) writes.push(rows.put(row));
    const kept = (await prune?.(transaction, commit, stored)) ?? { first: head.entries - entries.length, entries };
    for (const row of checkpoints) writes.push(rows.put(row));
    for (const key of dropNotes) writes.push(transaction.objectStore("notes").delete([run, key]));
    writes.push(journal.put({ ...kept, by }, place), heads.put(head, run));
    if (stored === undefined) writes.push(transaction.objectStore("created").put(1, [head.createdAt, run]));
    // Whoever else believes to be the last writer will look under this key, now and after the record is gone.
    else if (there === null || !String(before?.by).startsWith(`${writer}.`))
      writes.push(transaction.objectStore("takeovers").put(1, place));
    writes.push(head.status === "running" ? tails.put(1, run) : tails.delete(run));
    await Promise.all(writes);
    return { head, folded: head.revision, rows: [], size: 0 };
  } catch (error) {
    for (const write of writes) write.catch(() => {});
    try {
      transaction.abort();
    } catch {
      // It is over already.
    }
    throw error;
  }
}
