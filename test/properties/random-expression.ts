import fc from "fast-check";
import type { Condition, Reference, Template } from "../../src/core/expression/syntax.ts";

/** Names that mean something elsewhere, and some that need quotes. */
const NAMES = ["a", "name", "in", "not", "true", "0", "x-y", "toString", "hasOwnProperty", "length", "ß", "two words", "", '"', "${", "$"];
/** Texts that would do harm if they were ever read as something else than data. */
export const HOSTILE_TEXTS = [
  "${inputs.a}",
  "$${inputs.a}",
  "' or true or '",
  '" == "',
  "__proto__",
  "constructor",
  "]",
  ")",
  "\\",
  "\n",
  "\u2028",
  "𝄞",
];

const text = fc.oneof(fc.constantFrom(...HOSTILE_TEXTS, ...NAMES), fc.string({ unit: "grapheme", maxLength: 8 }));
const column = fc.constant(1);

const rawReference = fc.letrec<{ reference: Reference; part: Reference["path"][number] }>((tie) => ({
  part: fc.oneof({ maxDepth: 2, depthSize: "small" }, fc.constantFrom(...NAMES), fc.nat(999), tie("reference")),
  reference: fc
    .tuple(fc.constantFrom("inputs", "metadata", "blocks", "each", "a", "in", "x-y"), fc.array(tie("part"), { maxLength: 4 }))
    .map(([root, rest]) => ({ path: [root, ...rest], column: 1 })),
}));

/** A reference as the parser makes it. */
export const references: fc.Arbitrary<Reference> = rawReference.reference;

/** Texts and references in turn, as the parser makes them: no empty text, no two in a row. */
function templatesOf(texts: fc.Arbitrary<string>): fc.Arbitrary<Template> {
  return fc
    .array(fc.tuple(texts, references), { maxLength: 3 })
    .chain((pairs) => texts.map((last) => ({ parts: [...pairs.flat(), last].filter((part) => part !== "") })));
}

/** Templates that can be written outside quotes. */
export const templates: fc.Arbitrary<Template> = templatesOf(text.map((written) => written.replace(/\$+$/, "")));

const numbers = fc
  .oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }))
  .filter((number) => !Object.is(number, -0) && (!Number.isInteger(number) || Number.isSafeInteger(number) || /e/.test(String(number))));

const comparator = fc.constantFrom(
  "==" as const,
  "!=" as const,
  "<" as const,
  "<=" as const,
  ">" as const,
  ">=" as const,
  "in" as const,
  "not in" as const,
);

/** A condition as the parser makes it. */
export const conditions: fc.Arbitrary<Condition> = fc.letrec<{ condition: Condition }>((tie) => {
  const some = (least: number): fc.Arbitrary<Condition[]> => fc.array(tie("condition"), { minLength: least, maxLength: 3 });
  return {
    condition: fc.oneof(
      { maxDepth: 4, depthSize: "small" },
      fc.oneof(numbers, text, fc.boolean(), fc.constant(null)).map((value): Condition => ({ kind: "literal", value })),
      references.map((reference): Condition => ({ kind: "reference", reference })),
      templatesOf(text)
        .filter(({ parts }) => parts.some((part) => typeof part === "object"))
        .map((template): Condition => ({ kind: "text", template })),
      some(0).map((items): Condition => ({ kind: "list", items })),
      tie("condition").map((operand): Condition => ({ kind: "not", operand })),
      fc.tuple(fc.constantFrom("and" as const, "or" as const), some(2)).map(([kind, operands]): Condition => ({ kind, operands })),
      some(2).chain((operands) =>
        fc
          .array(fc.record({ comparator, column }), { minLength: operands.length - 1, maxLength: operands.length - 1 })
          .map((comparators): Condition => ({ kind: "comparison", operands, comparators })),
      ),
    ),
  };
}).condition;

/** A tree without the places its parts had in the text. */
export function withoutColumns(tree: unknown): unknown {
  return JSON.parse(JSON.stringify(tree, (key, value: unknown) => (key === "column" ? undefined : value)));
}
