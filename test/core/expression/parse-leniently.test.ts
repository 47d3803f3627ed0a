import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseLeniently, parseTemplate } from "../../../src/core/expression/parse-template.ts";
import { templateReferences } from "../../../src/core/expression/references.ts";

/** What is found: the columns of references, and of mistakes. */
function columns(text: string): { readonly references: readonly number[]; readonly mistakes: readonly (number | undefined)[] } {
  const { template, mistakes } = parseLeniently(text);
  return { references: templateReferences(template).map(({ column }) => column), mistakes: mistakes.map(({ place }) => place.column) };
}

describe("references are found around a mistake", () => {
  test.each<[string, string, readonly number[], readonly number[]]>([
    ["no mistake", "${a} and ${b.${c}}", [1, 10, 14], []],
    ["behind it", "${a ? b} and ${b}", [14], [5]],
    ["in front of it", "${a} and ${b ? c}", [1], [14]],
    ["on both sides of it", "${a} ${b ? c} ${d}", [1, 15], [10]],
    ["between two", "${a ?} ${b} ${c ?}", [8], [5, 17]],
    ["inside the reference that holds it", "${a.${b ?}} ${c}", [13], [9]],
    ["in front of one that is never closed", "${a} ${b", [1], [6]],
    ["but not in what is a literal", "${a ?} $${b} ${c}", [14], [5]],
  ])("%s", (_, text, references, mistakes) => {
    expect(columns(text)).toEqual({ references, mistakes });
  });

  test("the same as by the parser where there is no mistake", () => {
    const piece = fc.constantFrom("${a}", "${b.c[0]}", "${d[e].${f}}", "$${", "$", " x ", "}", "{");
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
        const text = pieces.join("");
        const { template, mistakes } = parseLeniently(text);
        if (mistakes.length === 0) expect(template).toEqual(parseTemplate(text));
        else expect(() => parseTemplate(text)).toThrow(/./);
      }),
    );
  });

  test("up to twenty mistakes in one text", () => {
    expect(columns("${?}".repeat(1_000)).mistakes).toHaveLength(20);
  });
});
