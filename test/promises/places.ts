import { indexedDbStore } from "wavepoint/store/indexeddb";
import { memoryStore } from "wavepoint/store/memory";
import { clearDatabase } from "../support/clear-database.ts";
import { sharedStore } from "../support/shared-store.ts";
import type { Place } from "./place.ts";

const inPage = "document" in globalThis;
if (!inPage) await import("fake-indexeddb/auto");

/** A new place of each kind that there is here. */
export const PLACES: readonly (readonly [kind: string, make: () => Promise<Place>])[] = [
  // Memory is the same in a page.
  ...(inPage ? [] : [["memory", async () => ({ open: sharedStore(memoryStore()), remove: async () => {} })] as const]),
  [
    "IndexedDB",
    async () => {
      // Of its own: pages of other test files share the origin, and with it databases, marks, locks and channels.
      const name = `promises-${crypto.randomUUID()}`;
      return { open: () => indexedDbStore({ name }), remove: () => clearDatabase(name) };
    },
  ],
  ...(inPage ? [] : [["files", async () => (await import("./directory-place.ts")).directoryPlace()] as const]),
];
