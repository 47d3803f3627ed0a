import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { excerpt } from "../../../src/node/cli/problem-lines.ts";
import { recordedTerminal } from "./recorded-terminal.ts";

let directory: string;
const { err } = recordedTerminal();

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "wavepoint-excerpt-"));
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

function excerptOf(text: string, line: number, column: number): readonly string[] {
  const source = join(directory, "text.yaml");
  writeFileSync(source, text);
  return excerpt({ source, line, column }, err);
}

test("shows the line, the one before it, and a caret below the place", () => {
  expect(excerptOf("a: 1\r\nb: [2\r\n", 2, 4)).toEqual(["  1 | a: 1", "  2 | b: [2", "    |    ^"]);
});

test("puts the caret below a place after tabs", () => {
  expect(excerptOf("\tkey: x", 1, 7)).toEqual(["  1 | \tkey: x", "    | \t     ^"]);
});

test("cuts long lines around the place, and shows no control character", () => {
  const [line, caret] = excerptOf(`${"a".repeat(500)}!${"b".repeat(500)}\u001b[2J`, 1, 501);
  expect(line!.length).toBeLessThan(140);
  expect(line![caret!.indexOf("^")]).toBe("!");
  expect(excerptOf("a\u001b[2J: 1", 1, 1)[0]).toBe("  1 | a[2J: 1");
});

test("shows nothing where the file or the line is not there", () => {
  expect(excerptOf("a: 1", 9, 1)).toEqual([]);
  expect(excerpt({ source: join(directory, "gone.yaml"), line: 1, column: 1 }, err)).toEqual([]);
  expect(excerpt({ path: "blocks[0]" }, err)).toEqual([]);
});
