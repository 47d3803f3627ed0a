import { beginReading, change } from "./transactions.ts";
import type { Database } from "./schema.ts";

export async function readCached(database: Database, key: string): Promise<string | undefined> {
  const found = await beginReading(database, ["cache"]).objectStore("cache").get(key);
  return typeof found?.text === "string" ? found.text : undefined;
}

/** Keeps a text until an instant. What may be lost is worth no sync. */
export function putCached(database: Database, key: string, cached: { readonly text: string; readonly until: number }): Promise<void> {
  return change(database, ["cache"], "relaxed", async (transaction, changes) =>
    changes.add(transaction.objectStore("cache").put(cached, key)),
  );
}

/** Deletes what ended before an instant, and of the rest all but the `most` that last longest; gives how many. */
export function sweepCache(database: Database, before: number, most: number): Promise<number> {
  return change(database, ["cache"], "relaxed", async (transaction, changes) => {
    const cache = transaction.objectStore("cache");
    // Without the texts: of each only its key, those that end first in front.
    const index = cache.index("until");
    const [ended, all] = await Promise.all([index.count(IDBKeyRange.upperBound(before, true)), index.count()]);
    const gone = Math.max(ended, all - most);
    const keys = gone > 0 ? await index.getAllKeys(null, gone) : [];
    for (const key of keys) changes.add(cache.delete(key));
    return keys.length;
  });
}
