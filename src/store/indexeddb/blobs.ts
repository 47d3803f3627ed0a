import type { IDBPDatabase } from "idb";
import type { BlobContent } from "../../core/ports/store.ts";
import type { Schema } from "./schema.ts";
import { begin } from "./transaction.ts";

/** Keeps a blob, or notes that it was kept again. */
export async function putBlob(database: IDBPDatabase<Schema>, hash: string, content: BlobContent): Promise<void> {
  const transaction = begin(database, ["blobs", "kept"], "readwrite", "strict");
  const blobs = transaction.objectStore("blobs");
  const writes: Promise<unknown>[] = [transaction.objectStore("kept").put(Date.now(), hash), transaction.done];
  if ((await blobs.getKey(hash)) === undefined) writes.push(blobs.put(content, hash));
  await Promise.all(writes);
}

/** Deletes the blobs that were last kept before an instant and are not named. */
export async function sweepBlobs(database: IDBPDatabase<Schema>, keep: ReadonlySet<string>, before: number): Promise<number> {
  const transaction = begin(database, ["blobs", "kept"], "readwrite", "strict");
  const [blobs, kept] = [transaction.objectStore("blobs"), transaction.objectStore("kept")];
  const [hashes, known, instants] = await Promise.all([blobs.getAllKeys(), kept.getAllKeys(), kept.getAll()]);
  const keptAt = new Map(known.map((hash, index) => [hash, instants[index]!]));
  const swept = hashes.filter((hash) => !keep.has(hash) && (keptAt.get(hash) ?? 0) < before);
  await Promise.all([...swept.flatMap((hash) => [blobs.delete(hash), kept.delete(hash)]), transaction.done]);
  return swept.length;
}
