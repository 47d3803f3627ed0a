import { MAX_EXPRESSION_DEPTH, MAX_EXPRESSION_LENGTH } from "../model/limits.ts";
import { isWorkflowError, type ErrorCode, WorkflowError } from "../model/errors.ts";

type TokenKind =
  /** Literal text of a template or of a quoted string, escapes replaced. */
  | "text"
  /** `${` and `}` of a reference. */
  | "open"
  | "close"
  /** A quotation mark of a string in a condition. */
  | "quote"
  /** A quoted key in a reference. */
  | "key"
  | "name"
  | "number"
  | "symbol"
  /** What no token starts with; taking it throws. */
  | "invalid"
  | "end";

export interface Token {
  readonly kind: TokenKind;
  /** What it says, escapes replaced. */
  readonly text: string;
  /** Offset in the text, from 0. */
  readonly start: number;
  /** Of an `invalid` token. */
  readonly error?: WorkflowError;
}

type Mode = "template" | "condition" | "reference" | "'" | '"';

/**
 * How published workflows write an expression where nothing is computed, `${(${inputs.a} == 1) or ${inputs.b}}`: no reference starts this
 * way, so it is text around the references in it.
 */
export const EXPRESSION_IN_BRACES = "${(${";

const WORD = /[\p{ID_Continue}-]+/uy;
const BARE_WORD = /[\p{ID_Start}_]\p{ID_Continue}*/uy;
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
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

/**
 * Splits a template or a condition into tokens, in one pass and linear time. Ends with an `end` token, or with an `invalid` one, so that
 * what is wrong before it is reported first. Throws `LIMIT_EXCEEDED`.
 */
export function tokenize(text: string, language: "template" | "condition"): readonly Token[] {
  const tokens: Token[] = [];
  try {
    scan(text, language, tokens);
  } catch (thrown) {
    if (!isWorkflowError(thrown) || thrown.code !== "EXPRESSION_SYNTAX") throw thrown;
    tokens.push({ kind: "invalid", text: "", start: (thrown.place.column ?? 1) - 1, error: thrown });
  }
  return tokens;
}

function scan(text: string, language: "template" | "condition", tokens: Token[]): void {
  const modes: { readonly mode: Mode; readonly start: number }[] = [{ mode: language, start: 0 }];
  let at = 0;

  const push = (kind: TokenKind, value: string, length: number): void => {
    tokens.push({ kind, text: value, start: at });
    at += length;
  };
  const enter = (mode: Mode): void => {
    modes.push({ mode, start: at });
    if (modes.length <= MAX_EXPRESSION_DEPTH) return;
    throw expressionError("LIMIT_EXCEEDED", at, `References are nested deeper than ${MAX_EXPRESSION_DEPTH} levels. Use fewer levels.`);
  };
  const unexpected = (mode: Mode): Error => {
    const character = String.fromCodePoint(text.codePointAt(at)!);
    const hint = mode === "reference" && !"({".includes(character) ? ONE_REFERENCE : HINTS.get(character);
    return expressionError(
      "EXPRESSION_SYNTAX",
      at,
      `Unexpected ${show(character)} at position ${at + 1}.${hint === undefined ? "" : ` ${hint}`}`,
    );
  };

  while (at < text.length) {
    const { mode, start } = modes.at(-1)!;
    if (mode === "template" || mode === "'" || mode === '"') {
      const chunk = readText(text, at, mode);
      if (chunk.value !== "") tokens.push({ kind: "text", text: chunk.value, start: at });
      at = chunk.end;
      if (at >= text.length) continue;
      if (text[at] === "$") {
        enter("reference");
        push("open", "${", 2);
      } else {
        modes.pop();
        push("quote", mode, 1);
      }
      continue;
    }
    if (mode === "reference" && at - start > MAX_EXPRESSION_LENGTH) {
      throw expressionError("LIMIT_EXCEEDED", start, `A reference is longer than ${MAX_EXPRESSION_LENGTH} characters. Shorten it.`);
    }
    const character = text[at]!;
    if (character === " " || character === "\t" || character === "\n" || character === "\r") {
      at++;
    } else if (character === "$" && text[at + 1] === "{") {
      enter("reference");
      push("open", "${", 2);
    } else if (mode === "reference") {
      if (character === "}") {
        modes.pop();
        push("close", "}", 1);
      } else if (character === "." || character === "[" || character === "]") {
        push("symbol", character, 1);
      } else if (character === "'" || character === '"') {
        const key = readText(text, at + 1, character);
        if (text[key.end] !== character) throw unclosedKey(text, at, key.end);
        push("key", key.value, key.end + 1 - at);
      } else {
        const word = match(WORD, text, at);
        if (word === undefined) throw unexpected(mode);
        push("name", word, word.length);
      }
    } else if (character === "'" || character === '"') {
      enter(character);
      push("quote", character, 1);
    } else {
      const word = match(BARE_WORD, text, at);
      const number = word === undefined ? match(NUMBER, text, at) : undefined;
      if (word !== undefined) push("name", word, word.length);
      else if (number !== undefined) push("number", number, number.length);
      else if (/^(?:==|!=|<=|>=)/.test(text.slice(at, at + 2))) push("symbol", text.slice(at, at + 2), 2);
      else if ("<>()[],".includes(character)) push("symbol", character, 1);
      else if (character === "." || character === "?" || character === ":") throw notReference(text, at);
      else throw unexpected(mode);
    }
  }

  const open = modes.at(-1)!;
  if (modes.length > 1) {
    throw open.mode === "reference"
      ? expressionError(
          "EXPRESSION_SYNTAX",
          open.start,
          'The reference that starts here with "${" is never closed. Add "}", or write "$${" for a literal "${".',
        )
      : expressionError("EXPRESSION_SYNTAX", open.start, `The string that starts here is never closed. Add ${open.mode} at its end.`);
  }
  tokens.push({ kind: "end", text: "", start: at });
}

/** Reads literal text up to a reference, the closing quotation mark, or the end. */
function readText(text: string, from: number, mode: "template" | "'" | '"'): { readonly value: string; readonly end: number } {
  const chunks: string[] = [];
  let start = from;
  let at = from;
  while (at < text.length) {
    const character = text[at]!;
    if (character === "$" && text[at + 1] === "{") {
      if (mode !== "template" || !text.startsWith(EXPRESSION_IN_BRACES, at)) break;
      // Up to the reference that is in it.
      at += EXPRESSION_IN_BRACES.length - 2;
    } else if (character === "$" && text[at + 1] === "$" && text[at + 2] === "{") {
      chunks.push(text.slice(start, at), "${");
      at += 3;
      start = at;
    } else if (character === mode) {
      break;
    } else if (character === "\\" && mode !== "template") {
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
  return { value: chunks.join(""), end: at };
}

function unclosedKey(text: string, start: number, end: number): Error {
  return text[end] === "$"
    ? expressionError(
        "EXPRESSION_SYNTAX",
        end,
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

/** Hands out tokens one after another; after the last one it stays there. */
export interface TokenReader {
  peek(): Token;
  next(): Token;
}

/** Reads a list of tokens that ends with an `end` or an `invalid` token; coming to the latter throws its error. */
export function createReader(tokens: readonly Token[]): TokenReader {
  const last = tokens.length - 1;
  let at = 0;
  const peek = (): Token => {
    const token = tokens[at]!;
    if (token.error !== undefined) throw token.error;
    return token;
  };
  return {
    peek,
    next() {
      const token = peek();
      if (at < last) at++;
      return token;
    },
  };
}
