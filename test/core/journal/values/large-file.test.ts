import { test } from "vitest";
import { memoryStore } from "wavepoint/store/memory";
import { keepLargeFile } from "./large-file.ts";

test("a file of 20 MB goes through the memory store", async () => {
  const store = memoryStore();
  await keepLargeFile(() => ({ ...store, close: async () => {} }));
});
