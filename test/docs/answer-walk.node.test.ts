import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ROOT } from "../package/source-files.ts";
import { namesIn, rowsBelow } from "./table-names.ts";

// The page about the design walks through the functions that an answer passes. They have to be there, short, and call one another as it says.
const MAX_STEPS = 12;
const MAX_ROOMS = 6;
const MAX_LINES = 60;

const walk = rowsBelow("docs/design.md", "The walk of an answer").map(([place]) => {
  const [file, name] = namesIn(place!.replace("#", "")) as [string, string];
  return { file, name, lines: bodyOf(file, name) };
});

/** The lines of a function or method of the core. */
function bodyOf(file: string, name: string): readonly string[] {
  const lines = readFileSync(`${ROOT}src/core/${file}`, "utf8").split("\n");
  const begin = lines.findIndex((line) => new RegExp(`^( {2})?(export )?(async )?(function )?#?${name}(<.*>)?\\(`).test(line));
  if (begin < 0) throw new Error(`src/core/${file} has no function ${name}.`);
  const indent = /^ */.exec(lines[begin]!)![0];
  return lines.slice(begin, lines.indexOf(`${indent}}`, begin) + 1);
}

test("an answer passes few functions in few rooms", () => {
  expect(walk.length).toBeGreaterThan(8);
  expect(walk.length).toBeLessThanOrEqual(MAX_STEPS);
  expect(new Set(walk.map(({ file }) => file.split("/")[0])).size).toBeLessThanOrEqual(MAX_ROOMS);
});

test.each(walk)("$name can be read at a glance", ({ lines }) => {
  expect(lines.length).toBeGreaterThan(2);
  expect(lines.length).toBeLessThanOrEqual(MAX_LINES);
});

test.each(walk.slice(1).map((step, i) => ({ name: step.name, before: walk[i]! })))("$before.name calls $name", ({ name, before }) => {
  expect(before.lines.slice(1).join("\n")).toMatch(new RegExp(`\\b${name}\\(`));
});
