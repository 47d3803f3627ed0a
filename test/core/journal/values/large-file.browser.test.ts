import { test } from "vitest";
import { indexedDbStore } from "wavepoint/store/indexeddb";
import { keepLargeFile } from "./large-file.ts";

test("a file of 20 MB goes through the IndexedDB store", async () => {
  await keepLargeFile(() => indexedDbStore({ name: "large-file" }));
});
