import fc from "fast-check";
import { expect, test } from "vitest";
import { type ErrorCode, Parser } from "yaml";
import { compose } from "../../src/yaml/compose.ts";
import type { YamlNode } from "../../src/yaml/tree.ts";
import { type LibraryMistake, readWhole } from "./whole-language.ts";

interface Read {
  readonly root: YamlNode | null;
  readonly mistakes: readonly LibraryMistake[];
}

function read(text: string): Read {
  const mistakes: { code: ErrorCode; offset: number }[] = [];
  const root = compose([...new Parser().parse(text)], (code, offset) => mistakes.push({ code, offset }));
  return { root, mistakes };
}

/** The first mistake is the one that people read; what follows is often its echo. */
const firstOf = ({ mistakes }: Read): string | undefined =>
  mistakes.toSorted((a, b) => a.offset - b.offset).map(({ code, offset }) => `${code} at ${offset}`)[0];

test.each([
  ["plain and quoted texts over lines", "a: b\n  c\n\n  d\ne: \"f\n  g \\\n  h\"\ni: 'j\n\n  k'\n"],
  ["keys with a question mark", "? a\n: b\n? c\n? d\n:\n  - e\n"],
  ["pairs in lists", 'a: [b: c, ? d : e, "f":g, {h}]\n'],
  ["tags", "!!map\na: !!str 1\nb: !!int 0x1F\nc: ! 2\nd: !!seq\n- !!null\ne: !!str\n!!str f: !!bool true\n"],
  ["marks of the document", "---\na: b # c\n...\n# d\n"],
  ["all kinds of block texts", "a: |+\n  b\n\nc: >2\n    d\n   e\n\nf: >-\n  g\n    h\n  i\n"],
  ["tabs where they may be", "a:\tb\nc: [\td,\n\te]\n"],
  ["comments everywhere", "# a\nb: # c\n  # d\n  - e # f\n# g\n  - h\n# i\n"],
  ["empty values", "a:\n? \n: \nb: {c: , d, : e}\nf: [ , ]\n"],
])("%s: read as the library does, places included", (_, text) => {
  expect(read(text)).toEqual(readWhole(text));
});

/** Tags outside the core schema are refused before; and no workflow is a text alone, which the library lets stand without being indented. */
function isCompared(text: string): boolean {
  const tags = text.match(/!\S*/g) ?? [];
  const isText = [...new Parser().parse(text)].some((token) => token.type === "document" && token.value?.type === "block-scalar");
  return !isText && tags.every((tag) => /^!(?:!(?:str|int|float|bool|null|map|seq)|<tag:yaml\.org,2002:str>)?$/.test(tag));
}

test("any text: read as the library does, or refused for the same reason", () => {
  const piece = fc.constantFrom(
    ..."a|b c| |  |\n|\n  |\n    |\n- |- |-|: |:|:\n|:\n  |{|}|[|]|, |,|'|\"|'x'|\"y\\n\"|#| # c\n|\n   # c\n|\n#c\n|\n\n".split("|"),
    ...'1|-3.5|~|true|.nan|k:\n  - |[b, {c: d}]|{a}|"a":1|?|? |? a\n: b\n|---|---\n|...\n|@|!|! |!!str |!!int |!!map |!!seq\n|!!null '.split(
      "|",
    ),
    ...'!!float 1.5|!<tag:yaml.org,2002:str> |\t|\t- |\n\t|"a\n  b"|\'c\n\n  d\'|x\n  y|\\|"\\d"|[a: b]|[? a : b]|{? a}|{a: b: c}'.split(
      "|",
    ),
    ..."[a,,b]|[\n|\n]|\n}|[a\n: b]|é".split("|"),
    "|\n  x\n",
    "|2\n    x\n",
    ">+\n x\n   y\n\n",
    "|",
    ">",
  );
  const indent = fc.constantFrom("", "  ", "- ", "  - ", "    ", "\t");
  const line = fc.tuple(indent, fc.constantFrom("a: ", "b:", "- ", "", "'c': ", "? ", ": ", "!!str "), piece);
  const text = fc.oneof(
    fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join("")),
    fc.array(line, { maxLength: 8 }).map((lines) => lines.map((parts) => parts.join("")).join("\n")),
    fc.array(line, { maxLength: 8 }).map((lines) => `a:\n${lines.map((parts) => `  ${parts.join("")}`).join("\n")}`),
  );
  const seen = { read: 0, refused: 0 };
  fc.assert(
    fc.property(text, (sample) => {
      const whole = readWhole(sample);
      if (whole === undefined || !isCompared(sample)) return;
      const own = read(sample);
      expect(firstOf(own)).toBe(firstOf(whole));
      if (whole.mistakes.length > 0) seen.refused++;
      else {
        seen.read++;
        expect(own.root).toEqual(whole.root);
      }
    }),
    { numRuns: 5_000 },
  );
  expect(seen.read).toBeGreaterThan(500);
  expect(seen.refused).toBeGreaterThan(500);
});
