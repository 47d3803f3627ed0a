import { expect, test, vi } from "vitest";
import { memoryStore } from "wavepoint/store/memory";
import { simulate } from "wavepoint/testing";

const SLOW_MS = 40;

async function loadSlowly(load: () => Promise<object>): Promise<object> {
  await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
  return load();
}

vi.mock("../../src/core/journal/values/rich-codec.ts", loadSlowly);

test("a seed goes the same way when code that it uses is yet to be loaded", async () => {
  const makePlace = async () => {
    const store = memoryStore();
    return { open: async () => store, dispose: async () => {} };
  };
  const first = await simulate({ seed: 22, makePlace });
  expect(first.forks).toBeGreaterThan(0);
  expect(await simulate({ seed: 22, makePlace })).toEqual(first);
});
