import { isWorkflowError, type WorkflowError } from "../model/errors.ts";
import { MAX_EXPRESSION_DEPTH } from "../model/limits.ts";
import { type Cursor, expressionError, ONE_REFERENCE, peekInReference, takeText, type Token } from "./lexer.ts";
import type { Reference, Template } from "./syntax.ts";
import { forbiddenKey, isForbiddenKey } from "./walk-path.ts";

const INDEX = /^(?:0|[1-9]\d{0,8})$/;
const DIGITS = /^-?\d+$/;
/** Mistakes found in one text. */
const MAX_MISTAKES = 20;

const FORM_CONDITIONS: ReadonlySet<unknown> = new Set(["show_if", "showIf", "check"]);

/**
 * Whether a text is a condition over the fields of a form, from the key under which it stands: what it refers to is known when someone answers, so it is no template of
 * the workflow and stays as it is written.
 */
export function isFormCondition(key: string | number | undefined, text: string): boolean {
  return FORM_CONDITIONS.has(key) && text.includes("${fields.");
}

/**
 * Parses a text with `${…}` references. `$${` is a literal `${`; a lone `$`, `{` or `}` is text. Throws `EXPRESSION_SYNTAX`,
 * `REFERENCE_FORBIDDEN` and `LIMIT_EXCEEDED` with the column in the text.
 */
export function parseTemplate(text: string): Template {
  return { parts: [...takeParts({ text, at: 0 }, 1)] };
}

/** Parses a whole text, mistakes included: after a mistake, parsing continues at the next reference. */
export function parseLeniently(text: string): { readonly template: Template; readonly mistakes: readonly WorkflowError[] } {
  const parts: (string | Reference)[] = [];
  const mistakes: WorkflowError[] = [];
  for (let at: number | undefined = 0; at !== undefined && mistakes.length < MAX_MISTAKES;) {
    try {
      for (const part of takeParts({ text, at }, 1)) parts.push(part);
      at = undefined;
    } catch (thrown) {
      if (!isWorkflowError(thrown)) throw thrown;
      mistakes.push(thrown);
      at = nextOpening(text, thrown.place.column ?? text.length);
    }
  }
  return { template: { parts }, mistakes };
}

function nextOpening(text: string, from: number): number | undefined {
  for (const { 0: opening, index } of text.slice(from).matchAll(/\$?\$\{/g)) if (opening === "${") return from + index;
  return undefined;
}

/** Takes texts and references up to the end, or up to the quotation mark that closes a string. */
export function* takeParts(cursor: Cursor, depth: number, quote?: string): Generator<string | Reference> {
  for (;;) {
    const text = takeText(cursor, quote);
    if (text !== "") yield text;
    if (cursor.text[cursor.at] !== "$") return;
    yield takeReference(cursor, depth);
  }
}

/** Where the innermost braces opened, and how many there are. */
interface Braces {
  readonly start: number;
  readonly depth: number;
}

/** Takes a reference; `depth` is how many references and strings hold it, the text itself included. */
export function takeReference(cursor: Cursor, depth: number): Reference {
  const braces: Braces = { start: cursor.at, depth: depth + 1 };
  if (depth === MAX_EXPRESSION_DEPTH) {
    const message = `References are nested deeper than ${MAX_EXPRESSION_DEPTH} levels. Use fewer levels.`;
    throw expressionError("LIMIT_EXCEEDED", braces.start, message);
  }
  cursor.at += 2;
  return takePath(cursor, braces, { start: braces.start, last: "}" });
}

function take(cursor: Cursor, { start }: Braces): Token {
  const token = peekInReference(cursor, start);
  cursor.at = token.end;
  return token;
}

function takePath(cursor: Cursor, braces: Braces, { start, last }: { readonly start: number; readonly last: "}" | "]" }): Reference {
  const path: (string | number | Reference)[] = [takeRoot(cursor, braces)];
  for (;;) {
    const token = take(cursor, braces);
    const symbol = token.kind === "symbol" ? token.text : undefined;
    if (symbol === last) return { path, column: start + 1 };
    if (path.length === MAX_EXPRESSION_DEPTH) {
      throw expressionError("LIMIT_EXCEEDED", token.start, `A reference has more than ${MAX_EXPRESSION_DEPTH} parts. Use a shorter path.`);
    }
    if (symbol === ".") path.push(takeMember(cursor, braces));
    else if (symbol === "[") path.push(takeBracket(cursor, braces));
    else
      throw expressionError(
        "EXPRESSION_SYNTAX",
        token.start,
        `Expected ".", "[" or "${last}" at position ${token.start + 1}. ${ONE_REFERENCE}`,
      );
  }
}

function takeRoot(cursor: Cursor, braces: Braces): string {
  const token = take(cursor, braces);
  // What is wrong in the braces inside is said first, and that there are too many of them.
  if (token.kind === "open") takeReference(cursor, braces.depth);
  if (token.kind !== "name" || DIGITS.test(token.text)) {
    throw expressionError(
      "EXPRESSION_SYNTAX",
      token.start,
      "A reference starts with a name: ${inputs.name}, ${metadata.name} or ${blocks.id.outputs.name}.",
    );
  }
  if (isForbiddenKey(token.text)) throw forbiddenKey(token.text, token.start + 1);
  return token.text;
}

function takeMember(cursor: Cursor, braces: Braces): string | Reference {
  const token = take(cursor, braces);
  if (token.kind === "open") return takeReference(cursor, braces.depth);
  if (token.kind !== "name")
    throw expressionError("EXPRESSION_SYNTAX", token.start, 'A name is missing after ".". Write other keys as ["key"].');
  if (isForbiddenKey(token.text)) throw forbiddenKey(token.text, token.start + 1);
  return token.text;
}

function takeBracket(cursor: Cursor, braces: Braces): string | number | Reference {
  const token = peekInReference(cursor, braces.start);
  if (token.kind === "name" && !DIGITS.test(token.text)) return takePath(cursor, braces, { start: token.start, last: "]" });
  cursor.at = token.end;
  let key: string | number | Reference;
  if (token.kind === "open") key = takeReference(cursor, braces.depth);
  else if (token.kind === "key") key = token.text;
  else if (token.kind === "name" && INDEX.test(token.text)) key = Number(token.text);
  else
    throw expressionError(
      "EXPRESSION_SYNTAX",
      token.start,
      'Brackets hold an index from 0 on, a quoted key or a reference: [0], ["key"], [${inputs.name}].',
    );
  if (typeof key === "string" && isForbiddenKey(key)) throw forbiddenKey(key, token.start + 1);
  const end = take(cursor, braces);
  if (end.kind !== "symbol" || end.text !== "]")
    throw expressionError("EXPRESSION_SYNTAX", end.start, `Expected "]" at position ${end.start + 1}.`);
  return key;
}
