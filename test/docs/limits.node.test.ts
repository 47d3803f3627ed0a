import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as limits from "../../src/core/model/limits.ts";
import { ROOT } from "../package/source-files.ts";

const table = readFileSync(`${ROOT}docs/limits.md`, "utf8");
const numbers = [...table.matchAll(/\b\d{1,3}(?:,\d{3})+\b|\b\d+\b/g)].map(([digits]) => Number(digits.replaceAll(",", "")));

test("docs/limits.md names every limit by its number", () => {
  expect(Object.keys(limits).length).toBeGreaterThan(6);
  for (const [name, limit] of Object.entries(limits)) expect(numbers, name).toContain(limit);
});
