import type { BlobContent } from "../../core/ports/store.ts";
import { beginReading, change } from "./transactions.ts";
import type { Database } from "./schema.ts";

/** Keeps a blob, or notes that it was kept again. */
export function putBlob(database: Database, hash: string, content: BlobContent): Promise<void> {
  return change(database, ["blobs", "kept"], "strict", async (transaction, changes) => {
    const blobs = transaction.objectStore("blobs");
    changes.add(transaction.objectStore("kept").put(Date.now(), hash));
    if ((await blobs.getKey(hash)) === undefined) changes.add(blobs.put(content, hash));
  });
}

export function readBlob(database: Database, hash: string): Promise<BlobContent | undefined> {
  return beginReading(database, ["blobs"]).objectStore("blobs").get(hash);
}

/** Deletes the blobs that were last kept before an instant and are not named. */
export function sweepBlobs(database: Database, keep: ReadonlySet<string>, before: number): Promise<number> {
  return change(database, ["blobs", "kept"], "strict", async (transaction, changes) => {
    const [blobs, kept] = [transaction.objectStore("blobs"), transaction.objectStore("kept")];
    const [hashes, known, instants] = await Promise.all([blobs.getAllKeys(), kept.getAllKeys(), kept.getAll()]);
    const keptAt = new Map(known.map((hash, index) => [hash, instants[index]!]));
    const swept = hashes.filter((hash) => !keep.has(hash) && (keptAt.get(hash) ?? 0) < before);
    for (const hash of swept) for (const store of [blobs, kept]) changes.add(store.delete(hash));
    return swept.length;
  });
}
