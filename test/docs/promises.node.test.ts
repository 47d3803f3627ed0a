import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ROOT } from "../package/source-files.ts";

const ROW = /^\| ([DS]\d+)\s+\|.*\]\(\.\.\/(test\/[^)]+)\)\s+\| `([^`]+)`\s+\|$/gm;

const rows = [...readFileSync(`${ROOT}docs/testing.md`, "utf8").matchAll(ROW)].map(([, promise, file, title]) => ({
  promise: promise!,
  file: file!,
  title: title!,
}));

const upTo = (letter: string, length: number): readonly string[] => Array.from({ length }, (_, index) => `${letter}${index + 1}`);

test("the table of promises names a test for each of D1 to D22, D24, D25 and S1 to S13", () => {
  expect(rows.map(({ promise }) => promise)).toEqual([...upTo("D", 22), "D24", "D25", ...upTo("S", 13)]);
});

test.each(rows)("$promise: the test is there, and is called so", ({ file, title }) => {
  expect(readFileSync(ROOT + file, "utf8")).toContain(title);
});
