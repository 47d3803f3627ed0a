import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ROOT } from "../package/source-files.ts";

// Which tests try which promise. After a change on purpose: UPDATE_PROMISES=1 npx vitest run --project node test/docs/promises
const PAGE = `${ROOT}docs/testing.md`;
/** A row of the table: a promise, what it says, the files that try it. */
const ROW = /^\| ([DS]\d+)\s+\| (.*?)\s+\| (.*?)\s+\|$/gm;
/** What a title begins with: the promises that its test tries, and a colon. */
const TRIES = /["`]([DS]\d+(?:, [DS]\d+)*): /g;

const upTo = (letter: string, length: number): readonly string[] => Array.from({ length }, (_, index) => `${letter}${index + 1}`);
const promised = [...upTo("D", 25), ...upTo("S", 13)];

/** The files that try each promise, by the titles of their tests, as the table writes them. */
function readTitles(): Readonly<Record<string, string>> {
  const files: Record<string, string[]> = {};
  for (const path of readdirSync(`${ROOT}test`, { recursive: true, encoding: "utf8" }).toSorted()) {
    if (!path.endsWith(".test.ts")) continue;
    const titles = readFileSync(`${ROOT}test/${path}`, "utf8").matchAll(TRIES);
    const promises = new Set([...titles].flatMap(([, tried]) => tried!.split(", ")));
    for (const promise of promises) (files[promise] ??= []).push(`\`${path.replace(/\.test\.ts$/, "")}\``);
  }
  return Object.fromEntries(Object.entries(files).map(([promise, paths]) => [promise, paths.join(", ")]));
}

const tried = readTitles();

test("each promise is tried by a test", () => {
  expect(Object.keys(tried).toSorted()).toEqual(promised.toSorted());
});

test("the table names the files that try each promise", () => {
  if (process.env.UPDATE_PROMISES !== undefined) {
    const renewed = readFileSync(PAGE, "utf8").replaceAll(
      ROW,
      (_, promise: string, says: string) => `| ${promise} | ${says} | ${tried[promise]} |`,
    );
    writeFileSync(PAGE, renewed);
  }
  const rows = [...readFileSync(PAGE, "utf8").matchAll(ROW)];
  expect(rows.map(([, promise]) => promise)).toEqual(promised);
  expect(Object.fromEntries(rows.map(([, promise, , files]) => [promise, files]))).toEqual(tried);
});
