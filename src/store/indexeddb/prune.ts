import type { Commit } from "../../core/ports/store.ts";
import type { Changes } from "./change.ts";
import { revisionOf } from "./read-entries.ts";
import { keysOfRun } from "./schema.ts";
import type { CommitRecord, Writing } from "./schema.ts";
import type { StoredRun } from "./tail.ts";

/**
 * Takes away what a commit takes away: rows that are forgotten, and the records that its base stands for. Gives what remains of the
 * commit's own entries.
 */
export async function prune(
  transaction: Writing,
  { run, head, entries, base, forgotten = [] }: Commit,
  { stored, changes }: { readonly stored: StoredRun | undefined; readonly changes: Changes },
): Promise<Pick<CommitRecord, "first" | "entries">> {
  const [journal, rows, bases] = [transaction.objectStore("journal"), transaction.objectStore("rows"), transaction.objectStore("bases")];
  const first = head.entries - entries.length;
  if (forgotten.length > 0) {
    const gone = new Set(forgotten.map(({ kind, number }) => `${kind} ${number}`));
    for (const key of await rows.getAllKeys(keysOfRun(run))) if (gone.has(`${key[3]} ${key[2]}`)) changes.add(rows.delete(key));
  }
  if (base !== undefined) {
    const low = (await bases.get(run))?.revision ?? 1;
    const revision =
      stored && base.at < stored.head.entries ? await revisionOf(transaction, stored.head, { entry: base.at, low }) : head.revision;
    const records = IDBKeyRange.bound([run], [run, revision], false, true);
    const taken = await transaction.objectStore("takeovers").getAllKeys(records);
    changes.add(journal.delete(records));
    // A writer that slept since one of these finds its place taken for ever.
    for (const key of taken) changes.add(journal.put(null, key));
    changes.add(bases.put({ ...base, revision }, run));
  }
  const covered = Math.max(0, (base?.at ?? 0) - first);
  return { first: first + covered, entries: entries.slice(covered) };
}
