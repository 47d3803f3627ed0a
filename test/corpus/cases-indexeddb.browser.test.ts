import { describe, expect, it } from "vitest";
import { indexedDbStore } from "wavepoint/store/indexeddb";
import { CASES } from "./case-files.ts";
import { runCase } from "./run-case.ts";

describe("cases on IndexedDB, opened again before every answer", () => {
  it.each(CASES)("$name", async (found) => {
    const name = `case-${found.name}`;
    expect(await runCase(found, async () => indexedDbStore({ name }), { reopen: true })).toEqual([]);
    indexedDB.deleteDatabase(name);
  });
});
