import type { ResultCache, Store } from "../../core/ports/store.ts";
import { expectCode, expectEqual } from "./assertion.ts";
import type { Demand } from "./case.ts";

const HOUR_MS = 3_600_000;

/** Demands on what blocks gave, for stores that keep it. */
export const cacheDemands: readonly Demand[] = [
  [
    "a cache gives what was put last under a key, to every store over the same data",
    async ({ store, another }) => {
      const other = await another();
      const caches = cachesOf([store, other]);
      const until = Date.now() + HOUR_MS;
      for (const cache of caches) expectEqual(await cache.get("none"), undefined, "what was never put");
      await caches[0]?.put("key", "first", until);
      await caches[0]?.put("other", "other \n \u{1F600} \ud800 \0", until);
      await caches[1]?.put("key", "", until);
      for (const cache of caches) {
        expectEqual([await cache.get("key"), await cache.get("other")], ["", "other \n \u{1F600} \ud800 \0"], "what was put last");
      }
      await Promise.all(caches.map((cache, i) => cache.put("both", `of ${i}`, until)));
      for (const cache of caches)
        expectEqual(["of 0", "of 1"].includes((await cache.get("both"))!), true, "one of two put at the same time");
      for (const cache of caches) await expectCode(() => cache.get("a/b"), "STORE_KEY_INVALID", "a key that is none");
    },
  ],
  [
    "a sweep of the cache takes what has ended, and of the rest what ends first",
    async ({ store, another }) => {
      const [cache, other] = cachesOf([store, await another()]);
      if (!cache || !other) return;
      const now = Date.now();
      const left = async (): Promise<readonly string[]> => {
        const keys = ["ended", "soon", "later", "last"];
        const texts = await Promise.all(keys.map((key) => cache.get(key)));
        return keys.filter((_, i) => texts[i] !== undefined);
      };
      await cache.put("last", "4", now + 3 * HOUR_MS);
      await cache.put("ended", "1", now - HOUR_MS);
      await cache.put("later", "3", now + 2 * HOUR_MS);
      await cache.put("soon", "2", now + HOUR_MS);
      expectEqual(await other.sweep(now, 10), 1, "how many have ended");
      expectEqual(await left(), ["soon", "later", "last"], "what has not ended");
      expectEqual(await other.sweep(now, 10), 0, "how many have ended since");
      expectEqual(await other.sweep(now, 2), 1, "how many are too many");
      expectEqual(await left(), ["later", "last"], "those that last longest");
      // What is put anew lasts as long as it says now.
      await cache.put("last", "4", now + 1);
      expectEqual(await other.sweep(now + HOUR_MS, 10), 1, "how many end before an hour");
      expectEqual([await left(), await cache.get("later")], [["later"], "3"], "what lasts longer");
      expectEqual([await other.sweep(Infinity, 0), await left()], [1, []], "all of it");
    },
  ],
  [
    "a cache is no part of the runs of a store",
    async ({ store }) => {
      const [cache] = cachesOf([store]);
      await cache?.put("run_a", "text", Date.now() + HOUR_MS);
      expectEqual([await store.head("run_a"), (await store.runs()).items, (await store.usage()).runs], [undefined, [], 0], "the runs");
    },
  ],
];

function cachesOf(stores: readonly Store[]): readonly ResultCache[] {
  return stores.flatMap(({ cache }) => cache ?? []);
}
