import { afterEach, expect, test, vi } from "vitest";
import { openStore } from "wavepoint/store/open";

afterEach(() => {
  vi.restoreAllMocks();
});

/** As browsers answer where the user has forbidden the site to keep data. */
function forbid(): never {
  throw new DOMException("The operation is insecure.", "SecurityError");
}

test.each([
  ["may not be opened", () => vi.spyOn(IDBFactory.prototype, "open").mockImplementation(forbid)],
  ["may not be looked at", () => vi.spyOn(globalThis, "indexedDB", "get").mockImplementation(forbid)],
  ["is not there", () => vi.spyOn(globalThis, "indexedDB", "get").mockReturnValue(undefined as never)],
])("where IndexedDB %s, a page that prefers to forget gets memory, and others get an error", async (_why, lack) => {
  lack();
  expect(await openStore("indexeddb:forbidden", { orMemory: true })).toMatchObject({ kind: "memory", durable: false });
  await expect(openStore("indexeddb:forbidden")).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
});
