import type { Commit } from "../../core/ports/store.ts";
import { revisionOf } from "./read.ts";
import { keysOfRun } from "./schema.ts";
import type { CommitRecord, Writing } from "./schema.ts";
import type { StoredRun } from "./tail.ts";

/**
 * Takes away what a commit takes away: rows that are forgotten, and the records that its base stands for. Gives what remains of the
 * commit's own entries.
 */
export async function prune(
  transaction: Pick<Writing, "objectStore">,
  { run, head, entries, base, forgotten = [] }: Commit,
  stored: StoredRun | undefined,
): Promise<Pick<CommitRecord, "first" | "entries">> {
  const [journal, rows, bases] = [transaction.objectStore("journal"), transaction.objectStore("rows"), transaction.objectStore("bases")];
  const changes: Promise<unknown>[] = [];
  const first = head.entries - entries.length;
  if (forgotten.length > 0) {
    const gone = new Set(forgotten.map(({ kind, number }) => `${kind} ${number}`));
    for (const key of await rows.getAllKeys(keysOfRun(run))) if (gone.has(`${key[3]} ${key[2]}`)) changes.push(rows.delete(key));
  }
  if (base !== undefined) {
    const low = (await bases.get(run))?.revision ?? 1;
    const revision =
      stored && base.at < stored.head.entries ? await revisionOf(journal, stored.head, { entry: base.at, low }) : head.revision;
    const records = IDBKeyRange.bound([run], [run, revision], false, true);
    const taken = await transaction.objectStore("takeovers").getAllKeys(records);
    changes.push(journal.delete(records), bases.put({ ...base, revision }, run));
    // A writer that slept since one of these finds its place taken for ever.
    for (const key of taken) changes.push(journal.put(null, key));
  }
  await Promise.all(changes);
  const covered = Math.max(0, (base?.at ?? 0) - first);
  return { first: first + covered, entries: entries.slice(covered) };
}
