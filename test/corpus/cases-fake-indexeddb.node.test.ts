import "fake-indexeddb/auto";
import { describe, expect, it } from "vitest";
import { indexedDbStore } from "wavepoint/store/indexeddb";
import { CASES } from "./case-files.ts";
import { runCase } from "./run-case.ts";

describe("cases on an imitated IndexedDB", () => {
  it.each(CASES)("$name", async (found) => {
    expect(await runCase(found, async () => indexedDbStore({ name: found.name }))).toEqual([]);
  });
});
