import { describe, expect, it } from "vitest";
import { memoryStore } from "wavepoint";
import { indexedDbStore } from "wavepoint/store/indexeddb";
import { restoreLongTexts } from "./hostile/generate.ts";
import manifest from "./hostile/manifest.json" with { type: "json" };
import expressions from "./hostile/tables/E-expressions.json" with { type: "json" };
import identifiers from "./hostile/tables/K-identifiers.json" with { type: "json" };
import regexes from "./hostile/tables/R-regexes.json" with { type: "json" };
import { judgeHostile } from "./hostile-runner/judge.ts";
import type { HostileInput } from "./hostile-runner/verdict.ts";

const TABLES: ReadonlyMap<string, { readonly rows: readonly unknown[] }> = new Map([
  ["expression", expressions],
  ["identifier", identifiers],
  ["regex", regexes],
]);
const inputs = (manifest.inputs as readonly HostileInput[]).filter((input) => TABLES.has(input.kind));
let opened = 0;

it("finds the hostile inputs", () => {
  expect(inputs.length).toBeGreaterThan(50);
});

describe("hostile expressions, identifiers and patterns get the expected verdict in a page", () => {
  it.each(inputs)("$id: $attack", async (input) => {
    const row = restoreLongTexts(TABLES.get(input.kind)!.rows[input.row!]);
    const stores = [async () => memoryStore(), async () => indexedDbStore({ name: `hostile-${(opened += 1)}` })];
    const verdict = await judgeHostile(input, row, { stopwatch: () => () => 0, platform: "browser", stores });
    expect(verdict.status === "failed" ? verdict : "no failure").toBe("no failure");
  });
});
