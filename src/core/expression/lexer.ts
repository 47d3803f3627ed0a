import { MAX_EXPRESSION_LENGTH } from "../model/limits.ts";
import { type ErrorCode, WorkflowError } from "../model/errors.ts";

/** A text of the language and how far it has been read. */
export interface Cursor {
  readonly text: string;
  /** Offset, from 0. */
  at: number;
}

export interface Token {
  /** What stands for itself: "open" is the `${` of a reference, "quote" begins a string. Taking one of these two leaves it to be read. */
  readonly kind: "open" | "quote" | "key" | "name" | "number" | "symbol" | "end";
  /** What it says, escapes replaced. */
  readonly text: string;
  readonly start: number;
  /** Offset behind it. */
  readonly end: number;
}

/**
 * How published workflows write an expression where nothing is computed, `${(${inputs.a} == 1) or ${inputs.b}}`: no reference starts this
 * way, so it is text around the references in it.
 */
export const EXPRESSION_IN_BRACES = "${(${";

const WORD = /[\p{ID_Continue}-]+/uy;
const BARE_WORD = /[\p{ID_Start}_]\p{ID_Continue}*/uy;
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const SYMBOL = /[=!<>]=|[<>()[\],]/y;
const HEX = /[0-9a-fA-F]{4}/y;
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
  ["b", "\b"],
  ["f", "\f"],
  ["/", "/"],
  ["\\", "\\"],
  ["'", "'"],
  ['"', '"'],
]);
const HINTS: ReadonlyMap<string, string> = new Map([
  ["=", 'Write "==" to compare.'],
  ["&", 'Write "and".'],
  ["|", 'Write "or".'],
  ["!", 'Write "not", or "!=" to compare.'],
  ["+", "There is no arithmetic."],
  ["-", "There is no arithmetic."],
  ["*", "There is no arithmetic."],
  ["/", "There is no arithmetic."],
  ["%", "There is no arithmetic."],
  ["(", "Nothing can be called."],
  ["{", "A reference has one brace: ${inputs.name}."],
  ["`", "Strings stand in ' or \"."],
  ["$", "A reference has braces: ${inputs.name}."],
]);

/** The next token inside of the braces that opened at `open`. Throws where there is none, or the reference is too long. */
export function peekInReference(cursor: Cursor, open: number): Token {
  const { text } = cursor;
  const start = skipBlanks(cursor);
  const character = text[start];
  if (character === undefined) {
    const message = 'The reference that starts here with "${" is never closed. Add "}", or write "$${" for a literal "${".';
    throw expressionError("EXPRESSION_SYNTAX", open, message);
  }
  if (start - open > MAX_EXPRESSION_LENGTH) {
    throw expressionError("LIMIT_EXCEEDED", open, `A reference is longer than ${MAX_EXPRESSION_LENGTH} characters. Shorten it.`);
  }
  if (text.startsWith("${", start)) return { kind: "open", text: "${", start, end: start };
  if (".[]}".includes(character)) return { kind: "symbol", text: character, start, end: start + 1 };
  if (character === "'" || character === '"') {
    const inside: Cursor = { text, at: start + 1 };
    const key = takeText(inside, character);
    if (text[inside.at] !== character) throw unclosedKey(inside, start);
    return { kind: "key", text: key, start, end: inside.at + 1 };
  }
  const word = match(WORD, text, start);
  if (word === undefined) throw unexpected(text, start, "({".includes(character) ? HINTS.get(character) : ONE_REFERENCE);
  return { kind: "name", text: word, start, end: start + word.length };
}

/** The next token of a condition, outside of references and strings. */
export function peekInCondition(cursor: Cursor): Token {
  const { text } = cursor;
  const start = skipBlanks(cursor);
  const character = text[start];
  if (character === undefined) return { kind: "end", text: "", start, end: start };
  if (text.startsWith("${", start)) return { kind: "open", text: "${", start, end: start };
  if (character === "'" || character === '"') return { kind: "quote", text: character, start, end: start };
  const word = match(BARE_WORD, text, start);
  if (word !== undefined) return { kind: "name", text: word, start, end: start + word.length };
  const number = match(NUMBER, text, start);
  if (number !== undefined) return { kind: "number", text: number, start, end: start + number.length };
  const symbol = match(SYMBOL, text, start);
  if (symbol !== undefined) return { kind: "symbol", text: symbol, start, end: start + symbol.length };
  if (character === "." || character === "?" || character === ":") throw notReference(text, start);
  throw unexpected(text, start, HINTS.get(character));
}

function skipBlanks(cursor: Cursor): number {
  while (/[ \t\n\r]/.test(cursor.text[cursor.at] ?? "")) cursor.at++;
  return cursor.at;
}

/** Takes literal text up to a reference, the end, or the quotation mark that closes a string or key. */
export function takeText(cursor: Cursor, quote?: string): string {
  const { text } = cursor;
  const chunks: string[] = [];
  let { at } = cursor;
  let start = at;
  while (at < text.length) {
    const character = text[at]!;
    if (character === "$" && text[at + 1] === "{") {
      if (quote !== undefined || !text.startsWith(EXPRESSION_IN_BRACES, at)) break;
      // Up to the reference that is in it.
      at += EXPRESSION_IN_BRACES.length - 2;
    } else if (character === "$" && text[at + 1] === "$" && text[at + 2] === "{") {
      chunks.push(text.slice(start, at), "${");
      at += 3;
      start = at;
    } else if (character === quote) {
      break;
    } else if (character === "\\" && quote !== undefined) {
      chunks.push(text.slice(start, at));
      const next = text[at + 1] ?? "";
      const simple = ESCAPES.get(next);
      const hex = next === "u" ? match(HEX, text, at + 2) : undefined;
      if (simple === undefined && hex === undefined) {
        throw expressionError(
          "EXPRESSION_SYNTAX",
          at,
          `"\\${next}" is no escape. Write "\\\\" for a backslash; \\n, \\t, \\', \\" and \\u0041 are known.`,
        );
      }
      chunks.push(simple ?? String.fromCharCode(Number.parseInt(hex!, 16)));
      at += simple === undefined ? 6 : 2;
      start = at;
    } else {
      at++;
    }
  }
  chunks.push(text.slice(start, at));
  cursor.at = at;
  return chunks.join("");
}

function unexpected(text: string, at: number, hint: string | undefined): Error {
  const character = String.fromCodePoint(text.codePointAt(at)!);
  const message = `Unexpected ${show(character)} at position ${at + 1}.${hint === undefined ? "" : ` ${hint}`}`;
  return expressionError("EXPRESSION_SYNTAX", at, message);
}

function unclosedKey({ text, at }: Cursor, start: number): Error {
  return text[at] === "$"
    ? expressionError(
        "EXPRESSION_SYNTAX",
        at,
        "A quoted key is literal. Write a nested reference without quotation marks: [${inputs.name}].",
      )
    : expressionError("EXPRESSION_SYNTAX", start, `The key that starts here is never closed. Add ${text[start]} at its end.`);
}

function notReference(text: string, at: number): Error {
  const problem =
    text[at] === "." && text[at - 1] === "}"
      ? `Unexpected "." at position ${at + 1}. A path ends with its braces: \${inputs.name.field}. Nothing can be called.`
      : `Unexpected name at position ${at + 1}. A reference stands in braces: \${inputs.name}.`;
  return expressionError("EXPRESSION_SYNTAX", at, problem);
}

function match(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

function show(character: string): string {
  const point = character.codePointAt(0)!;
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(character)
    ? `"${character}"`
    : `the character U+${point.toString(16).toUpperCase().padStart(4, "0")}`;
}

/** An error about a text of the language, pointing at an offset (from 0) in it. */
export function expressionError(code: ErrorCode, offset: number, message: string): WorkflowError {
  return new WorkflowError(code, message, { place: { column: offset + 1 } });
}

/** Ends a message about something that braces cannot hold. */
export const ONE_REFERENCE = 'Braces hold one reference: write operators outside of them, and "$${" for a literal "${".';
