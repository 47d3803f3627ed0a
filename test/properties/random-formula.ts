import fc from "fast-check";
import { FUNCTIONS } from "../../src/core/blocks/compute/functions.ts";

/** Names that formulas use and that are there: of data, of attackers, of nothing. */
const NAMES = ["rows", "object", "text", "number", "nothing", "x", "y"] as const;
const KEYS = ["price", "name", "length", "toString", "constructor", "__proto__", "prototype", "hasOwnProperty", "0"] as const;
const SCRAPS = [
  "(",
  ")",
  "[",
  "]",
  "{",
  "}",
  ",",
  ".",
  ":",
  "=>",
  "**",
  "not",
  "in",
  "and",
  "if(",
  "'",
  '"',
  "${inputs.x}",
  "\\",
  "\u0000",
  "😀",
  "1e999",
  "0x10",
  "//",
  "=",
  ";",
] as const;

/** Formulas that are mostly well formed. */
export const formulas: fc.Arbitrary<string> = fc.letrec<{ formula: string; operand: string }>((tie) => {
  const formula = tie("formula");
  const list = fc.array(formula, { maxLength: 3 }).map((parts) => parts.join(", "));
  return {
    formula: fc.oneof(
      { maxDepth: 6, depthIdentifier: "formula" },
      tie("operand"),
      fc
        .tuple(formula, fc.constantFrom("+", "-", "*", "/", "%", "**", "==", "<", ">=", "in", "not in", "and", "or"), formula)
        .map((parts) => parts.join(" ")),
      fc.tuple(fc.constantFrom("-", "not "), formula).map((parts) => parts.join("")),
      formula.map((inner) => `(${inner})`),
      list.map((items) => `[${items}]`),
      fc.tuple(fc.constantFrom(...KEYS), formula).map(([key, value]) => `{ ${key}: ${value} }`),
      fc.tuple(formula, fc.constantFrom(...KEYS)).map(([of, key]) => `(${of}).${key}`),
      fc.tuple(formula, formula).map(([of, key]) => `(${of})[${key}]`),
      // With the arguments that a function wants, and with others.
      fc.tuple(fc.constantFrom(...FUNCTIONS.values()), fc.array(formula, { minLength: 3, maxLength: 3 })).map(([{ name, takes }, args]) => {
        const written = takes.map((kind, i) => (kind === "lambda" ? `x => ${args[i]}` : args[i]));
        return `${name}(${written.join(", ")})`;
      }),
      fc.tuple(fc.constantFrom(...FUNCTIONS.keys(), "constructor", "eval"), list).map(([name, args]) => `${name}(${args})`),
    ),
    operand: fc.oneof(
      fc.constantFrom(...NAMES),
      fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }).map((number) => String(number).replace("e+", "e")),
      fc.nat(20).map(String),
      fc.constantFrom("true", "false", "null", "''", "'2024-02-29'", "'a'", "[]", "1e308", "5e-324", "9007199254740991"),
    ),
  };
}).formula;

/** Any text, and formulas with something wrong in them. */
export const texts: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: "binary", maxLength: 50 }),
  fc.array(fc.constantFrom(...SCRAPS, ...NAMES, "1", "+", " "), { maxLength: 40 }).map((parts) => parts.join("")),
  fc
    .tuple(formulas, fc.nat(), fc.constantFrom(...SCRAPS))
    .map(([text, at, scrap]) => text.slice(0, at % (text.length + 1)) + scrap + text.slice(at % (text.length + 1))),
);
