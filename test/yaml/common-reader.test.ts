import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readCommon } from "../../src/yaml/common-reader.ts";
import { readWhole } from "./whole-language.ts";

function isCommon(text: string): boolean {
  return "root" in readCommon(text);
}

const common: readonly (readonly [string, string])[] = [
  ["nested blocks", "a:\n  b:\n    - c: d\n      e: f\n    - - h\n      - i\n    -\n      j: k\n"],
  ["a list as deep as its key", "a:\n- b: 1\n  c:\n  - d\n- e\nf: g\n"],
  ["empty values", "a:\nb:   # nothing\n\nc:\n  -\n  - # nothing\n  - d:\n"],
  ["comments and blank lines", "# one\n\na: b # two\n  # three\n\n# four\nc: d\n"],
  ["flow collections", 'a: {b: [c, "d", {e: f}, [], {}], g: , h, "i":1, }\n'],
  ["flow over lines", "a: [\n    b,\n    {c: d,\n     e: f}\n  ]\n"],
  ["a flow collection alone", "{a: [b], c: d}"],
  ["numbers and words", "[1, -2, 0x1F, 0o17, 1.5, .5, 5., 1e3, +1, 012, ~, null, true, False, .inf, -.INF, yes, 1.2.3, 1_0]"],
  ["quoted texts", `a: 'it''s'\n"b c": "x \\n \\u0041 \\" \\\\"\n'': ""\n`],
  ["plain texts with signs in them", "a: b#c\nd: http://e:80/f\ng: -h\ni: x - y ? z, {not} [flow]\n"],
  ["literal texts", "a: |\n  b\n    c\n\n  d\n\ne: |-\n\n  f # g\n"],
  ["folded texts", "a:\n  - >\n   b\n   c\n\n\n   d\n  - >-\n    e\n"],
  ["no line break at the end", "a:\n  - b: |\n      c"],
];

test.each(common)("%s: read in one go, as the whole language has them", (_, text) => {
  const read = readCommon(text);
  expect(readWhole(text)).toEqual({ ...read, mistakes: [] });
});

describe("what is rare or wrong is left to the parser of the whole language", () => {
  test.each([
    ["nothing", ""],
    ["a text alone", "a"],
    ["a plain text of two lines", "a: b\n  c\n"],
    ["a quoted text of two lines", 'a: "b\n  c"\n'],
    ["an anchor", "a: &b c\n"],
    ["a tag", "a: !!str b\n"],
    ["a tab", "a:\tb\n"],
    ["a key with a question mark", "? a\n: b\n"],
    ["a mark between documents", "a: b\n---\nc: d\n"],
    ["a mapping in a mapping's line", "a: b: c\n"],
    ["a list in a mapping's line", "a: - b\n"],
    ["lines that are indented too far", "a: b\n  c: d\n"],
    ["lines that belong nowhere", "a:\n  b: c\n d: e\n"],
    ["a bracket too few", "a: [b\n"],
    ["a bracket too many", "a: [b]]\n"],
    ["a comma too many", "[a,,b]"],
    ["a pair in a list", "[a: b]"],
    ["a key that is too long", `${"a".repeat(1_100)}: b\n`],
    ["nesting near the limit", `${"[".repeat(64)}${"]".repeat(64)}`],
  ])("%s", (_, text) => {
    expect(isCommon(text)).toBe(false);
  });
});

test("what it reads, it reads as the parser of the whole language does, places included", () => {
  const piece = fc.constantFrom(
    ..."a|b c|key| |  |\n|\n  |\n    |\n- |- - |-|: |:|:\n|:\n  |:\n- |{|}|[|]|, |,|'|\"|'x'|\"y\\n\"|#| # c\n|\n   # c\n|\n\n".split("|"),
    ..."1|-3.5|~|true|.nan|0x1F|1e|k:\n  - |[b, {c: d}]|{a}|\"a\":1|a#b|a:b|? |---|%|@|!|&|*|\t|é|=|-x|it''s|\\".split("|"),
    "|\n  x\n",
    ">-\n  x\n  y\n\n  z\n",
    "|",
    ">",
    "|-\n",
  );
  const line = fc.tuple(fc.constantFrom("", "  ", "- ", "  - ", "    "), fc.constantFrom("a: ", "b:", "- ", "", "'c': "), piece);
  const text = fc.oneof(
    fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join("")),
    fc.array(line, { maxLength: 8 }).map((lines) => lines.map((parts) => parts.join("")).join("\n")),
    fc
      .tuple(fc.constantFrom(...common.map(([, sample]) => sample)), fc.nat(80), fc.nat(3), piece)
      .map(([sample, at, cut, added]) => sample.slice(0, at) + added + sample.slice(at + cut)),
  );
  let count = 0;
  fc.assert(
    fc.property(text, (sample) => {
      const read = readCommon(sample);
      if (!("root" in read)) return;
      count++;
      expect(readWhole(sample)).toEqual({ root: read.root, mistakes: [] });
    }),
    { numRuns: 5_000 },
  );
  expect(count).toBeGreaterThan(500);
});

describe("workflows as large as a text may be never need the parser of the whole language", () => {
  const rows = (row: (i: number) => string): string => {
    let text = "name: w\nblocks:\n";
    for (let i = 0; text.length < 261_900; i++) text += row(i);
    return text;
  };
  test.each([
    ["a line for each block", rows((i) => `  - {id: b${i}, type: Echo, inputs: {message: x}}\n`)],
    ["a chain", rows((i) => `  - {id: b${i}, type: Echo, depends_on: [b${i - 1}]}\n`)],
    ["blocks over lines", rows((i) => `  - id: b${i}\n    type: Echo\n    inputs:\n      message: "\${inputs.x}" # said\n`)],
    ["long texts", rows((i) => `  - id: b${i}\n    type: Echo\n    inputs:\n      message: |\n        one\n\n        two\n`)],
  ])("%s", (_, text) => {
    expect(isCommon(text)).toBe(true);
  });
});
