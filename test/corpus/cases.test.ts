import { describe, expect, it } from "vitest";
import { memoryStore } from "wavepoint/store/memory";
import type { Store } from "wavepoint";
import { CASES, LEAST_CASES } from "./case-files.ts";
import { runCase } from "./run-case.ts";

it("finds the cases", () => {
  expect(CASES.length).toBeGreaterThanOrEqual(LEAST_CASES);
  expect(new Set(CASES.map((found) => found.name)).size).toBe(CASES.length);
});

describe("cases on the memory store", () => {
  it.each(CASES)("$name", async (found) => {
    expect(await runCase(found, async () => memoryStore())).toEqual([]);
  });
});

describe("cases with another executor for every answer", () => {
  const answered = CASES.filter((found) => found.answers.length > 0);

  it.each(answered)("$name", async (found) => {
    const store: Store = { ...memoryStore(), close: async () => {} };
    expect(await runCase(found, async () => store, { reopen: true })).toEqual([]);
  });
});
