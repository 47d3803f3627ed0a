import { readdirSync, readFileSync } from "node:fs";
import { createFilter } from "vite";
import { expect, test } from "vitest";
import { ON_IMITATED_DATABASE, OWN_PROCESS } from "../own-process.ts";
import { listPatterns } from "./list-patterns.ts";
import { ROOT } from "./source-files.ts";

const files = readdirSync(`${ROOT}test`, { recursive: true, encoding: "utf8" })
  .map((path) => path.replaceAll("\\", "/"))
  .filter((path) => path.endsWith(".test.ts") && !/\.(?:browser|dom)\.test\.ts$/.test(path) && !path.startsWith("faults/"))
  .map((path) => `${ROOT}test/${path}`);

test.each(listPatterns([...OWN_PROCESS, ...ON_IMITATED_DATABASE]))("there are tests of Node at %s", (pattern) => {
  expect(files.filter(createFilter(pattern, undefined, { resolve: ROOT }))).not.toEqual([]);
});

test("a file that changes its process for good has one of its own", () => {
  const changing = files.filter((file) => /fake-indexeddb\/auto|vi\.mock\(/.test(readFileSync(file, "utf8")));
  expect(changing.length).toBeGreaterThan(10);
  expect(changing.filter((file) => !createFilter([...OWN_PROCESS], undefined, { resolve: ROOT })(file))).toEqual([]);
});
