import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { nodeFiles } from "wavepoint/node";
import { read, write } from "../../support/file-attempt.ts";
import { hostilePaths } from "../../support/hostile-paths.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const paths = hostilePaths(readFileSync(new URL("../../corpus/hostile/tables/F-paths.json", import.meta.url), "utf8"));

test("the table of paths was found", () => {
  expect(paths.filter(({ isTaken }) => !isTaken).length).toBeGreaterThan(15);
  expect(paths.filter(({ isTaken }) => isTaken).length).toBeGreaterThan(3);
});

describe("S4: hostile paths in Node", () => {
  test.each(paths)("$why", async ({ path, isTaken }) => {
    const all = temporaryFolder();
    const root = join(all, "root");
    mkdirSync(root);
    writeFileSync(join(all, "b"), "outside");
    const files = nodeFiles({ root, unsafe: true });
    expect(await write(files, path, "inside")).toBe(isTaken ? "created" : "PATH_FORBIDDEN");
    expect(await read(files, path)).toBe(isTaken ? "inside" : "PATH_FORBIDDEN");
    expect(readdirSync(root)).toHaveLength(isTaken ? 1 : 0);
    expect(readdirSync(all).toSorted()).toEqual(["b", "root"]);
    expect(readFileSync(join(all, "b"), "utf8")).toBe("outside");
  });
});
