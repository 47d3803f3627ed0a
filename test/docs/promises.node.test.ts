import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ROOT } from "../package/source-files.ts";

const ROW = /^\| (D\d+)\s+\|.*\]\(\.\.\/(test\/[^)]+)\)\s+\| `([^`]+)`\s+\|$/gm;

const rows = [...readFileSync(`${ROOT}docs/testing.md`, "utf8").matchAll(ROW)].map(([, promise, file, title]) => ({
  promise: promise!,
  file: file!,
  title: title!,
}));

test("the table of promises names a test for each of D1 to D20", () => {
  expect(rows.map(({ promise }) => promise)).toEqual(Array.from({ length: 20 }, (_, index) => `D${index + 1}`));
});

test.each(rows)("$promise: the test is there, and is called so", ({ file, title }) => {
  expect(readFileSync(ROOT + file, "utf8")).toContain(title);
});
