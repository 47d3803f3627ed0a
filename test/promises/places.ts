import { indexedDbStore } from "wavepoint/store/indexeddb";
import { memoryStore } from "wavepoint/store/memory";
import { clearDatabase } from "../support/clear-database.ts";
import { sharedStore } from "../support/shared-store.ts";
import type { Place } from "./place.ts";

const inPage = "document" in globalThis;

async function databasePlace(): Promise<Place> {
  // Of its own: pages of other test files share the origin, and with it databases, marks, locks and channels.
  const name = `promises-${crypto.randomUUID()}`;
  return { open: () => indexedDbStore({ name }), remove: () => clearDatabase(name) };
}

/** A new place of each kind: the browser's database in a page, and in Node memory, which is the same in both, and files. */
export const PLACES: readonly (readonly [kind: string, make: () => Promise<Place>])[] = inPage
  ? [["IndexedDB", databasePlace]]
  : [
      ["memory", async () => ({ open: sharedStore(memoryStore()), remove: async () => {} })],
      ["files", async () => (await import("./directory-place.ts")).directoryPlace()],
    ];
