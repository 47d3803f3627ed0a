import type { BlobContent } from "../../core/ports/store.ts";
import { readText, storedText } from "../stored-text.ts";
import type { Bucket } from "./bucket.ts";
import { fallingInstant, instantOf } from "./places.ts";

const TEXT = "text/plain; charset=utf-8";
const BYTES = "application/octet-stream";

/**
 * Writes a text or bytes under its hash and the current instant, and removes older copies. So a sweep, which removes copies of a certain age, never removes
 * one that is being written again.
 */
export async function putBlob(bucket: Bucket, hash: string, content: BlobContent): Promise<void> {
  const key = `blobs/${hash}/${fallingInstant(Date.now())}`;
  if (typeof content === "string") await bucket.put(key, storedText(content), TEXT);
  else await bucket.put(key, content, BYTES);
  const { objects } = await bucket.list(`blobs/${hash}/`, { after: key });
  await bucket.remove(objects.map((older) => older.key));
}

/** The newest copy. */
export async function getBlob(bucket: Bucket, hash: string): Promise<BlobContent | undefined> {
  for (;;) {
    const [object] = (await bucket.list(`blobs/${hash}/`, { limit: 1 })).objects;
    if (!object) return undefined;
    const found = await bucket.get(object.key);
    // Else it was kept anew between the two requests.
    if (!found) continue;
    return found.headers.get("content-type") === TEXT ? readText(await found.text()) : new Uint8Array(await found.arrayBuffer());
  }
}

/** Removes the copies that were kept before an instant and are not named. Returns how many blobs are gone. */
export async function sweepBlobs(bucket: Bucket, keep: ReadonlySet<string>, before: number): Promise<number> {
  const kept = new Set<string>();
  const swept = new Set<string>();
  for await (const { objects } of bucket.pages("blobs/")) {
    const old = objects.filter(({ key }) => {
      const [, hash, instant] = key.split("/");
      const isOld = instantOf(instant!) < before && !keep.has(hash!);
      (isOld ? swept : kept).add(hash!);
      return isOld;
    });
    await bucket.remove(old.map(({ key }) => key));
  }
  return [...swept].filter((hash) => !kept.has(hash)).length;
}
