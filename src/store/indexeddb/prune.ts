import type { CheckpointRow } from "../../core/model/checkpoint.ts";
import type { Commit } from "../../core/ports/store.ts";
import type { Changes } from "./transactions.ts";
import { revisionOf } from "./read-entries.ts";
import { forgetRows } from "./row-packs.ts";
import type { CommitRecord, Writing } from "./schema.ts";
import type { StoredRun } from "./tail.ts";

/** The record of a commit that leaves no tail: what its base does not stand for. */
export function remaining({ head, entries, base }: Commit): CommitRecord {
  const first = head.entries - entries.length;
  const covered = Math.max(0, (base?.at ?? 0) - first);
  return [first + covered, entries.slice(covered)];
}

/** Takes away what a commit takes away: rows that are forgotten, and the records that its base stands for. Gives the rows of the tail that stay. */
export async function prune(
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
