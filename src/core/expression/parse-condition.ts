import { MAX_EXPRESSION_DEPTH, MAX_EXPRESSION_LENGTH } from "../model/limits.ts";
import type { Value } from "../model/value.ts";
import { type Cursor, expressionError, peekInCondition as peek, type Token } from "./lexer.ts";
import { takeParts, takeReference } from "./parse-template.ts";
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
  const cursor: Cursor = { text, at: 0 };
  const condition = parseOr(cursor, 1);
  const rest = peek(cursor);
  if (rest.kind !== "end") throw unexpected(rest);
  return condition;
}

function take(cursor: Cursor): Token {
  const token = peek(cursor);
  cursor.at = token.end;
  return token;
}

function parseOr(cursor: Cursor, depth: number): Condition {
  return parseJoined(cursor, "or", () => parseJoined(cursor, "and", () => parseNot(cursor, depth)));
}

function parseJoined(cursor: Cursor, word: "and" | "or", parseOperand: () => Condition): Condition {
  const first = parseOperand();
  if (!isWord(peek(cursor), word)) return first;
  const operands = [first];
  while (isWord(peek(cursor), word)) {
    take(cursor);
    operands.push(parseOperand());
  }
  return { kind: word, operands };
}

function parseNot(cursor: Cursor, depth: number): Condition {
  const token = peek(cursor);
  if (!isWord(token, "not")) return parseComparison(cursor, depth);
  take(cursor);
  return { kind: "not", operand: parseNot(cursor, deeper(depth, token)) };
}

function parseComparison(cursor: Cursor, depth: number): Condition {
  const operands = [parseOperand(cursor, depth)];
  const comparators: { comparator: Comparator; column: number }[] = [];
  for (let next = readComparator(cursor); next !== undefined; next = readComparator(cursor)) {
    comparators.push(next);
    operands.push(parseOperand(cursor, depth));
  }
  return comparators.length === 0 ? operands[0]! : ({ kind: "comparison", operands, comparators } satisfies Comparison);
}

function readComparator(cursor: Cursor): { comparator: Comparator; column: number } | undefined {
  const token = peek(cursor);
  const column = token.start + 1;
  if (token.kind === "symbol" && COMPARATORS.has(token.text)) {
    take(cursor);
    return { comparator: token.text as Comparator, column };
  }
  if (isWord(token, "in")) {
    take(cursor);
    return { comparator: "in", column };
  }
  if (!isWord(token, "not")) return undefined;
  take(cursor);
  const second = take(cursor);
  if (!isWord(second, "in")) throw unexpected(second, 'Expected "in" after "not".');
  return { comparator: "not in", column };
}

function parseOperand(cursor: Cursor, depth: number): Condition {
  const token = take(cursor);
  if (token.kind === "number") return { kind: "literal", value: readNumber(token) };
  if (token.kind === "open") return { kind: "reference", reference: takeReference(cursor, 1) };
  if (token.kind === "quote") return parseString(cursor, token);
  if (token.kind === "name" && CONSTANTS.has(token.text)) return { kind: "literal", value: CONSTANTS.get(token.text)! };
  if (token.kind === "symbol" && token.text === "(") {
    const inner = parseOr(cursor, deeper(depth, token));
    expectSymbol(cursor, ")");
    return inner;
  }
  if (token.kind === "symbol" && token.text === "[") return parseList(cursor, deeper(depth, token));
  throw unexpected(token);
}

function parseList(cursor: Cursor, depth: number): Condition {
  const items: Condition[] = [];
  while (!isSymbol(peek(cursor), "]")) {
    items.push(parseOr(cursor, depth));
    if (!isSymbol(peek(cursor), ",")) break;
    take(cursor);
  }
  expectSymbol(cursor, "]");
  return { kind: "list", items };
}

function parseString(cursor: Cursor, { text: quote, start }: Token): Condition {
  cursor.at++;
  const parts = [...takeParts(cursor, 2, quote)];
  if (cursor.text[cursor.at] !== quote)
    throw expressionError("EXPRESSION_SYNTAX", start, `The string that starts here is never closed. Add ${quote} at its end.`);
  cursor.at++;
  const [only = "", ...more] = parts;
  return more.length === 0 && typeof only === "string" ? { kind: "literal", value: only } : { kind: "text", template: { parts } };
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

function expectSymbol(cursor: Cursor, symbol: string): void {
  const token = take(cursor);
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
