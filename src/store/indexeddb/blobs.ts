import type { BlobContent } from "../../core/ports/store.ts";
import { begin, resultOf } from "./transaction.ts";

/** Keeps a blob, or notes that it was kept again. */
export async function putBlob(database: IDBDatabase, hash: string, content: BlobContent): Promise<void> {
  const transaction = begin(database, ["blobs", "kept"], "readwrite", "strict");
  const blobs = transaction.table("blobs");
  transaction.table("kept").put(Date.now(), hash);
  if ((await resultOf(blobs.getKey(hash))) === undefined) {
    try {
      blobs.put(content, hash);
    } catch (error) {
      transaction.abort();
      throw error;
    }
  }
  await transaction.commit();
}

export function readBlob(database: IDBDatabase, hash: string): Promise<BlobContent | undefined> {
  return resultOf(begin(database, ["blobs"]).table("blobs").get(hash));
}

/** Deletes the blobs that were last kept before an instant and are not named. */
export async function sweepBlobs(database: IDBDatabase, keep: ReadonlySet<string>, before: number): Promise<number> {
  const transaction = begin(database, ["blobs", "kept"], "readwrite", "strict");
  const [blobs, kept] = [transaction.table("blobs"), transaction.table("kept")];
  const [hashes, known, instants] = await Promise.all([resultOf(blobs.getAllKeys()), resultOf(kept.getAllKeys()), resultOf(kept.getAll())]);
  const keptAt = new Map(known.map((hash, index) => [hash, instants[index]!]));
  const swept = hashes.filter((hash) => !keep.has(hash) && (keptAt.get(hash) ?? 0) < before);
  for (const hash of swept) {
    blobs.delete(hash);
    kept.delete(hash);
  }
  await transaction.commit();
  return swept.length;
}
