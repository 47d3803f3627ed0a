import { MAX_EXPRESSION_DEPTH } from "../model/limits.ts";
import { expressionError, ONE_REFERENCE, type TokenReader, tokenize, createReader } from "./lexer.ts";
import { forbiddenKey, isForbiddenKey } from "./walk-path.ts";
import type { Reference, Template } from "./syntax.ts";

const INDEX = /^(?:0|[1-9]\d{0,8})$/;
const DIGITS = /^-?\d+$/;

/**
 * Parses a text with `${…}` references. `$${` is a literal `${`; a lone `$`, `{` or `}` is text. Throws `EXPRESSION_SYNTAX`,
 * `REFERENCE_FORBIDDEN` and `LIMIT_EXCEEDED` with the column in the text.
 */
export function parseTemplate(text: string): Template {
  return parseParts(createReader(tokenize(text, "template")), "end");
}

/** Reads texts and references up to a token of the given kind, which is taken too. */
export function parseParts(reader: TokenReader, last: "end" | "quote"): Template {
  const parts: (string | Reference)[] = [];
  for (;;) {
    const token = reader.next();
    if (token.kind === last) return { parts };
    parts.push(token.kind === "text" ? token.text : parseReference(reader, token.start));
  }
}

/** Reads a reference whose `${` has been taken. */
export function parseReference(reader: TokenReader, start: number): Reference {
  return parsePath(reader, start, "close");
}

function parsePath(reader: TokenReader, start: number, last: "close" | "]"): Reference {
  const column = start + 1;
  const path: (string | number | Reference)[] = [parseRoot(reader)];
  for (;;) {
    const token = reader.next();
    if (token.kind === last || (token.kind === "symbol" && token.text === last)) return { path, column };
    if (path.length === MAX_EXPRESSION_DEPTH) {
      throw expressionError("LIMIT_EXCEEDED", token.start, `A reference has more than ${MAX_EXPRESSION_DEPTH} parts. Use a shorter path.`);
    }
    if (token.kind === "symbol" && token.text === ".") path.push(parseMember(reader));
    else if (token.kind === "symbol" && token.text === "[") path.push(parseBracket(reader));
    else
      throw expressionError(
        "EXPRESSION_SYNTAX",
        token.start,
        `Expected ".", "[" or "${last === "]" ? "]" : "}"}" at position ${token.start + 1}. ${ONE_REFERENCE}`,
      );
  }
}

function parseRoot(reader: TokenReader): string {
  const token = reader.next();
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

function parseMember(reader: TokenReader): string | Reference {
  const token = reader.next();
  if (token.kind === "open") return parseReference(reader, token.start);
  if (token.kind !== "name")
    throw expressionError("EXPRESSION_SYNTAX", token.start, 'A name is missing after ".". Write other keys as ["key"].');
  if (isForbiddenKey(token.text)) throw forbiddenKey(token.text, token.start + 1);
  return token.text;
}

function parseBracket(reader: TokenReader): string | number | Reference {
  const token = reader.peek();
  if (token.kind === "name" && !DIGITS.test(token.text)) return parsePath(reader, token.start, "]");
  reader.next();
  let key: string | number | Reference;
  if (token.kind === "open") key = parseReference(reader, token.start);
  else if (token.kind === "key") key = token.text;
  else if (token.kind === "name" && INDEX.test(token.text)) key = Number(token.text);
  else
    throw expressionError(
      "EXPRESSION_SYNTAX",
      token.start,
      'Brackets hold an index from 0 on, a quoted key or a reference: [0], ["key"], [${inputs.name}].',
    );
  if (typeof key === "string" && isForbiddenKey(key)) throw forbiddenKey(key, token.start + 1);
  const end = reader.next();
  if (end.kind !== "symbol" || end.text !== "]")
    throw expressionError("EXPRESSION_SYNTAX", end.start, `Expected "]" at position ${end.start + 1}.`);
  return key;
}
