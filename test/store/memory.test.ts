import { expect, test } from "vitest";
import { memoryStore } from "wavepoint/store/memory";
import { storeConformance } from "wavepoint/testing";

const cases = storeConformance(
  async () => {
    const store = memoryStore();
    return { open: async () => store, dispose: async () => {} };
  },
  { scale: 100_000 },
);

for (const { name, run } of cases) test(name, run);

test("the memory store says that nothing it keeps outlives it", () => {
  expect(memoryStore()).toMatchObject({ kind: "memory", durable: false });
});
