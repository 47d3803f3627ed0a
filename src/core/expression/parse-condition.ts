import { MAX_EXPRESSION_DEPTH, MAX_EXPRESSION_LENGTH } from "../model/limits.ts";
import type { Value } from "../model/value.ts";
import { expressionError, type Token, tokenize, type TokenReader, createReader } from "./lexer.ts";
import { parseParts, parseReference } from "./parse-template.ts";
import type { Comparator, Comparison, Condition } from "./syntax.ts";

const CONSTANTS: ReadonlyMap<string, Value> = new Map<string, Value>([
  ["true", true],
  ["True", true],
  ["false", false],
  ["False", false],
  ["null", null],
  ["None", null],
]);
const COMPARATORS: ReadonlySet<string> = new Set(["==", "!=", "<", "<=", ">", ">="]);
const OPERATORS: ReadonlySet<string> = new Set(["and", "or", "in", "not"]);
/** Characters of a wrong word that a message repeats. */
const MAX_SHOWN = 60;

/**
 * Parses a condition. `or` binds weakest, then `and`, `not`, and comparisons, which chain. Throws `EXPRESSION_SYNTAX`,
 * `REFERENCE_FORBIDDEN` and `LIMIT_EXCEEDED` with the column in the text.
 */
export function parseCondition(text: string): Condition {
  if (text.length > MAX_EXPRESSION_LENGTH) {
    throw expressionError(
      "LIMIT_EXCEEDED",
      MAX_EXPRESSION_LENGTH,
      `A condition is longer than ${MAX_EXPRESSION_LENGTH} characters. Shorten it.`,
    );
  }
  const reader = createReader(tokenize(text, "condition"));
  const condition = parseOr(reader, 1);
  const rest = reader.peek();
  if (rest.kind !== "end") throw unexpected(rest);
  return condition;
}

function parseOr(reader: TokenReader, depth: number): Condition {
  return parseJoined(reader, "or", () => parseJoined(reader, "and", () => parseNot(reader, depth)));
}

function parseJoined(reader: TokenReader, word: "and" | "or", parseOperand: () => Condition): Condition {
  const first = parseOperand();
  if (!isWord(reader.peek(), word)) return first;
  const operands = [first];
  while (isWord(reader.peek(), word)) {
    reader.next();
    operands.push(parseOperand());
  }
  return { kind: word, operands };
}

function parseNot(reader: TokenReader, depth: number): Condition {
  const token = reader.peek();
  if (!isWord(token, "not")) return parseComparison(reader, depth);
  reader.next();
  return { kind: "not", operand: parseNot(reader, deeper(depth, token)) };
}

function parseComparison(reader: TokenReader, depth: number): Condition {
  const operands = [parseOperand(reader, depth)];
  const comparators: { comparator: Comparator; column: number }[] = [];
  for (let next = readComparator(reader); next !== undefined; next = readComparator(reader)) {
    comparators.push(next);
    operands.push(parseOperand(reader, depth));
  }
  return comparators.length === 0 ? operands[0]! : ({ kind: "comparison", operands, comparators } satisfies Comparison);
}

function readComparator(reader: TokenReader): { comparator: Comparator; column: number } | undefined {
  const token = reader.peek();
  const column = token.start + 1;
  if (token.kind === "symbol" && COMPARATORS.has(token.text)) {
    reader.next();
    return { comparator: token.text as Comparator, column };
  }
  if (isWord(token, "in")) {
    reader.next();
    return { comparator: "in", column };
  }
  if (!isWord(token, "not")) return undefined;
  reader.next();
  const second = reader.next();
  if (!isWord(second, "in")) throw unexpected(second, 'Expected "in" after "not".');
  return { comparator: "not in", column };
}

function parseOperand(reader: TokenReader, depth: number): Condition {
  const token = reader.next();
  if (token.kind === "number") return { kind: "literal", value: readNumber(token) };
  if (token.kind === "open") return { kind: "reference", reference: parseReference(reader, token.start) };
  if (token.kind === "quote") return parseString(reader);
  if (token.kind === "name" && CONSTANTS.has(token.text)) return { kind: "literal", value: CONSTANTS.get(token.text)! };
  if (token.kind === "symbol" && token.text === "(") {
    const inner = parseOr(reader, deeper(depth, token));
    expectSymbol(reader, ")");
    return inner;
  }
  if (token.kind === "symbol" && token.text === "[") return parseList(reader, deeper(depth, token));
  throw unexpected(token);
}

function parseList(reader: TokenReader, depth: number): Condition {
  const items: Condition[] = [];
  while (!isSymbol(reader.peek(), "]")) {
    items.push(parseOr(reader, depth));
    if (!isSymbol(reader.peek(), ",")) break;
    reader.next();
  }
  expectSymbol(reader, "]");
  return { kind: "list", items };
}

function parseString(reader: TokenReader): Condition {
  const template = parseParts(reader, "quote");
  const [only = "", ...more] = template.parts;
  return more.length === 0 && typeof only === "string" ? { kind: "literal", value: only } : { kind: "text", template };
}

function readNumber(token: Token): number {
  const value = Number(token.text);
  const isInteger = !/[.eE]/.test(token.text);
  if (/^-?0\d/.test(token.text)) throw unexpected(token, "A number does not start with 0.");
  if (!Number.isFinite(value) || (isInteger && !Number.isSafeInteger(value)))
    throw unexpected(token, "This number cannot be held exactly.");
  return value;
}

function deeper(depth: number, token: Token): number {
  if (depth < MAX_EXPRESSION_DEPTH) return depth + 1;
  throw expressionError(
    "LIMIT_EXCEEDED",
    token.start,
    `A condition is nested deeper than ${MAX_EXPRESSION_DEPTH} levels. Use fewer parentheses, lists and "not".`,
  );
}

function expectSymbol(reader: TokenReader, symbol: string): void {
  const token = reader.next();
  if (!isSymbol(token, symbol)) throw unexpected(token, `Expected "${symbol}".`);
}

function isSymbol(token: Token, symbol: string): boolean {
  return token.kind === "symbol" && token.text === symbol;
}

function isWord(token: Token, word: string): boolean {
  return token.kind === "name" && token.text === word;
}

function unexpected(token: Token, hint = ""): Error {
  if (token.kind === "end") {
    return expressionError(
      "EXPRESSION_SYNTAX",
      token.start,
      `The condition ends too early. ${hint === "" ? "Something is missing at its end." : hint}`,
    );
  }
  let advice = hint;
  const text = token.text.length > MAX_SHOWN ? `${token.text.slice(0, MAX_SHOWN)}…` : token.text;
  if (advice === "" && token.kind === "name" && !OPERATORS.has(text)) {
    advice = `Names stand in braces: \${inputs.${text === "inputs" ? "name" : text}}; a text stands in quotation marks.`;
  }
  if (advice === "") advice = "Comparisons are joined by and, or and not; there are no calls and no arithmetic.";
  return expressionError("EXPRESSION_SYNTAX", token.start, `Unexpected ${JSON.stringify(text)} at position ${token.start + 1}. ${advice}`);
}
