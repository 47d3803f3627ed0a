import { readdirSync, readFileSync } from "node:fs";
import { createFilter } from "vite";
import { expect, test } from "vitest";
import { END_TO_END } from "../end-to-end.ts";
import { listPatterns } from "./list-patterns.ts";
import { readImports } from "./read-imports.ts";
import { ROOT } from "./source-files.ts";

const paths = readdirSync(`${ROOT}test`, { recursive: true, encoding: "utf8" })
  .map((path) => `test/${path.replaceAll("\\", "/")}`)
  .filter((path) => path.endsWith(".ts") && !path.startsWith("test/faults/") && !path.includes("node_modules"));
const targets = new Map(
  paths.map((path) => [path, readImports({ path, text: readFileSync(ROOT + path, "utf8") }).flatMap(({ target }) => target ?? [])]),
);
/** What builds the product or drives a browser. */
const WHOLE = ["build-once", "built-pages", "chrome", "pages-in-chrome", "shared-chrome"].map((name) => `test/support/${name}.ts`);

/** Where a store is asked from a second process, which takes a moment to build. */
const SMALL = "test/support/built-process.ts";

function usesWhole(path: string, seen = new Set([SMALL])): boolean {
  if (WHOLE.includes(path)) return true;
  if (seen.has(path)) return false;
  seen.add(path);
  return (targets.get(path) ?? []).some((target) => usesWhole(target, seen));
}

const tests = paths.filter((path) => path.endsWith(".node.test.ts"));
const isListed = createFilter([...END_TO_END], undefined, { resolve: ROOT });

test.each(listPatterns(END_TO_END))("there are tests at %s", (pattern) => {
  expect(tests.filter((path) => createFilter(pattern, undefined, { resolve: ROOT })(ROOT + path))).not.toEqual([]);
});

test("a file that builds the product or drives a browser is end to end", () => {
  const using = tests.filter((path) => usesWhole(path));
  expect(using.length).toBeGreaterThan(40);
  expect(using.filter((path) => !isListed(ROOT + path))).toEqual([]);
});
