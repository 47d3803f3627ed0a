import type { Commit } from "../../core/ports/store.ts";
import { revisionOf } from "./read-entries.ts";
import { keysOfRun } from "./schema.ts";
import type { CommitRecord } from "./schema.ts";
import type { StoredRun } from "./tail.ts";
import { resultOf } from "./transaction.ts";
import type { Transaction } from "./transaction.ts";

/**
 * Takes away what a commit takes away: rows that are forgotten, and the records that its base stands for. Gives what remains of the
 * commit's own entries.
 */
export async function prune(
  { table }: Transaction,
  { run, head, entries, base, forgotten = [] }: Commit,
  stored: StoredRun | undefined,
): Promise<Pick<CommitRecord, "first" | "entries">> {
  const [journal, rows, bases] = [table("journal"), table("rows"), table("bases")];
  const first = head.entries - entries.length;
  if (forgotten.length > 0) {
    const gone = new Set(forgotten.map(({ kind, number }) => `${kind} ${number}`));
    for (const key of await resultOf(rows.getAllKeys(keysOfRun(run)))) if (gone.has(`${key[3]} ${key[2]}`)) rows.delete(key);
  }
  if (base !== undefined) {
    const low = (await resultOf(bases.get(run)))?.revision ?? 1;
    const revision =
      stored && base.at < stored.head.entries ? await revisionOf(journal, stored.head, { entry: base.at, low }) : head.revision;
    const records = IDBKeyRange.bound([run], [run, revision], false, true);
    const taken = await resultOf(table("takeovers").getAllKeys(records));
    journal.delete(records);
    // A writer that slept since one of these finds its place taken for ever.
    for (const key of taken) journal.put(null, key);
    bases.put({ ...base, revision }, run);
  }
  const covered = Math.max(0, (base?.at ?? 0) - first);
  return { first: first + covered, entries: entries.slice(covered) };
}
