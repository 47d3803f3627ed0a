import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const FOLDERS = ["src", "templates", "test", "scripts", "demo", "docs", "bench"];
/** Forms of names, not files. */
const PATTERNS = /^x\.|^\.\//;

test("every file that CONTRIBUTING.md sends you to is there", () => {
  const text = readFileSync("CONTRIBUTING.md", "utf8");
  const named = [...new Set([...text.matchAll(/`([\w./-]+\.(?:ts|mjs|md|json))`/g)].map(([, path]) => path!))].filter(
    (path) => !PATTERNS.test(path),
  );
  const files = FOLDERS.flatMap((folder) => readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) => `/${folder}/${path}`));
  files.push(...readdirSync(".").map((path) => `/${path}`));
  expect(named.length).toBeGreaterThan(60);
  expect(named.filter((path) => !files.some((file) => file.endsWith(`/${path}`)))).toEqual([]);
});
