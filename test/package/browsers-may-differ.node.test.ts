import { readdirSync, readFileSync } from "node:fs";
import { createFilter } from "vite";
import { expect, test } from "vitest";
import { BROWSERS_MAY_DIFFER } from "../browsers-may-differ.ts";
import { listPatterns } from "./list-patterns.ts";
import { ROOT } from "./source-files.ts";

const files = readdirSync(`${ROOT}test`, { recursive: true, encoding: "utf8" })
  .filter((path) => /^[^.]+\.test\.ts$/.test(path.replaceAll("\\", "/").split("/").at(-1)!))
  .map((path) => `${ROOT}test/${path}`);

test.each(listPatterns(BROWSERS_MAY_DIFFER))("there are tests for Node and Chromium at %s", (pattern) => {
  expect(files.filter(createFilter(pattern, undefined, { resolve: ROOT }))).not.toEqual([]);
});

test("what leans on a browser's database, files and encryption is tried in Chromium", () => {
  const chosen = files.filter(createFilter([...BROWSERS_MAY_DIFFER], undefined, { resolve: ROOT }));
  expect(chosen.length).toBeGreaterThan(60);
  const onDatabase = (file: string): boolean => /\/places\.ts"|\/store\/indexeddb/.test(readFileSync(file, "utf8"));
  const leaning = files.filter((file) => /test\/(store|encryption)\//.test(file) || onDatabase(file));
  expect(leaning.filter((file) => !chosen.includes(file))).toEqual([]);
});
