import { expect, test } from "vitest";
import { compilePattern } from "../../../src/core/expression/pattern.ts";

test.each([
  [String.raw`^\d+$`, "٣٤", true],
  [String.raw`^\w+$`, "größe", true],
  [String.raw`^[\w-]+$`, "größe-1", true],
  [String.raw`^\W$`, "ö", false],
  [String.raw`^a\sb$`, "a\u00a0b", true],
  [String.raw`^\S+$`, "a\u00a0b", false],
  ["^abc$", "abc\n", true],
  ["^abc$", "abc\n\n", false],
  ["^abc$", "abcd", false],
  [String.raw`^\$[$]$`, "$$", true],
  [String.raw`a\z`, "a\n", false],
])("%s matches %j as re of Python does: %s", async (pattern, text, matches) => {
  expect((await compilePattern(pattern)).matchesStart(text)).toBe(matches);
});

test.each([
  [String.raw`^[[:alpha:]\d]+$`, "a٣", true],
  [String.raw`^[]\d]+$`, "]٣", true],
  [String.raw`^[^]\d]+$`, "٣", false],
  [String.raw`^\\d$`, "\\d", true],
  [String.raw`^\Q[\d\E\d$`, "[\\d٣", true],
])("%s with all of a class in brackets matches %j: %s", async (pattern, text, matches) => {
  expect((await compilePattern(pattern)).matchesStart(text)).toBe(matches);
});
