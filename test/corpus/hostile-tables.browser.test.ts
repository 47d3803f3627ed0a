/// <reference types="vite/client" />
import { describe, expect, it } from "vitest";
import { memoryStore } from "wavepoint/store/memory";
import { indexedDbStore } from "wavepoint/store/indexeddb";
import { restoreLongTexts } from "./hostile/generate.ts";
import manifest from "./hostile/manifest.json?raw";
import expressions from "./hostile/tables/E-expressions.json?raw";
import identifiers from "./hostile/tables/K-identifiers.json?raw";
import regexes from "./hostile/tables/R-regexes.json?raw";
import { judgeHostile } from "./hostile-runner/judge.ts";
import type { HostileInput } from "./hostile-runner/verdict.ts";

const TABLES: ReadonlyMap<string, string> = new Map([
  ["expression", expressions],
  ["identifier", identifiers],
  ["regex", regexes],
]);
const { inputs: listed } = JSON.parse(manifest) as { readonly inputs: readonly HostileInput[] };
const inputs = listed.filter((input) => TABLES.has(input.kind));
let opened = 0;

it("finds the hostile inputs", () => {
  expect(inputs.length).toBeGreaterThan(50);
});

describe("hostile expressions, identifiers and patterns get the expected verdict in a page", () => {
  it.each(inputs)("$id: $attack", async (input) => {
    const table = restoreLongTexts(JSON.parse(TABLES.get(input.kind)!)) as { readonly rows: readonly unknown[] };
    const stores = [async () => memoryStore(), async () => indexedDbStore({ name: `hostile-${(opened += 1)}` })];
    const verdict = await judgeHostile(input, table.rows[input.row!], { stopwatch: () => () => 0, platform: "browser", stores });
    expect(verdict.status === "failed" ? verdict : "no failure").toBe("no failure");
  });
});
