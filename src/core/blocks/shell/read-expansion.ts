import { descend, readEscape, readParentheses, type Cursor, type Insertion } from "./cursor.ts";
import { isParsedVariable } from "./program-names.ts";
import { cutText } from "./shell-text.ts";
import { unsafe, unsure } from "./unsafe-error.ts";
import type { Piece } from "./word.ts";

const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;
const SPECIAL = /[0-9@*#?$!-]/y;
/** What may follow a name in braces and needs no word: an index of a list, a part by numbers. */
const PLAIN_SUFFIX = /\[[0-9@*]+\]|:[0-9: -]+(?=\})/y;
const OPERATOR = /:?[-=?+]|##?|%%?|\/\/?|\^\^?|,,?/y;

/** What surrounds an expansion; quotation marks mean different things in each. */
export type Surroundings = "unquoted" | "double" | "document";

/** Reads what a dollar sign starts, on which the cursor stands. One that starts nothing is text. */
export function readDollar(cursor: Cursor, around: Surroundings): Piece {
  const at = ++cursor.at;
  const { text } = cursor;
  if (cursor.slots.has(at)) throw unsafe(cursor, "it would be part of the name of a variable");
  if (text.startsWith("((", at) || text[at] === "[") {
    throw unsure(
      cursor,
      'shells run what stands in the texts they calculate with; calculate in another block, or write "$( (" for commands',
    );
  }
  if (text[at] === "\\" && text[at + 1] === "\n") throw unsure(cursor, "the line ends after a dollar sign");
  if (around === "unquoted" && (text[at] === "'" || text[at] === '"')) throw unsure(cursor, "shells differ in what quotes after $ mean");
  if (text[at] === "(") readSubstitution(cursor);
  else if (text[at] === "{") readBraces(cursor, around);
  else if (match(/[?#$!]/y, cursor) !== undefined) return { kind: "number" };
  else if (match(NAME, cursor) === undefined && match(SPECIAL, cursor) === undefined) {
    return { kind: "text", text: "$", isQuoted: around !== "unquoted" };
  }
  return { kind: "expansion", splits: around === "unquoted" };
}

function readSubstitution(cursor: Cursor): void {
  const start = cursor.at++;
  readParentheses(cursor, []);
  refuseCrossing(cursor, start);
}

/** Reads a substitution in the older spelling, from its first backtick to the last. */
export function readBackticks(cursor: Cursor, around: Surroundings): Piece {
  const start = cursor.at + 1;
  const end = cursor.text.indexOf("`", start);
  if (end < 0) throw unsure(cursor, "a backtick has no partner");
  const inside = cutText(cursor, start, end);
  if (inside.text.includes("\\")) throw unsure(cursor, "shells differ in what a backslash between backticks means; write $(…)");
  cursor.readCommands(descend(cursor, { ...inside, at: 0, pending: [] }), "");
  cursor.at = end + 1;
  refuseCrossing(cursor, start);
  return { kind: "expansion", splits: around === "unquoted" };
}

function refuseCrossing(cursor: Cursor, start: number): void {
  if (cursor.pending.length === 0 || !cursor.text.slice(start, cursor.at).includes("\n")) return;
  throw unsure(cursor, "a here-document starts on a line that a substitution continues");
}

function readBraces(outer: Cursor, around: Surroundings): void {
  // Counts the nesting, so that no text overflows the stack.
  const cursor = descend(outer, { at: outer.at + 1 });
  const { text } = cursor;
  if (text[cursor.at] === "#" && text[cursor.at + 1] !== "}") cursor.at++;
  else if (text[cursor.at] === "!" && text[cursor.at + 1] !== "}") {
    throw unsure(cursor, '"${!…}" takes the name of a variable from another one');
  }
  if (cursor.slots.has(cursor.at)) throw unsafe(cursor, "it would be part of the name of a variable");
  const name = match(NAME, cursor) ?? match(/[0-9]+/y, cursor) ?? match(SPECIAL, cursor);
  if (name === undefined) throw unsure(cursor, '"${" is followed by no name');
  match(PLAIN_SUFFIX, cursor);
  if (text[cursor.at] === "}") cursor.at++;
  else {
    const operator = match(OPERATOR, cursor);
    if (operator === undefined) throw unsure(cursor, "shells differ in what these braces mean");
    if (operator.endsWith("=") && isParsedVariable(name)) throw unsure(cursor, `a shell parses the value of ${name}`);
    readBraceWord(cursor, around);
  }
  outer.at = cursor.at;
}

/** Reads up to the closing brace, which is taken. Shells differ too much here to put values in. */
function readBraceWord(cursor: Cursor, around: Surroundings): void {
  const { placements } = cursor.findings;
  const placed = placements.size;
  for (;;) {
    const character = cursor.text[cursor.at];
    if (character === undefined) throw unsure(cursor, '"${" is never closed');
    if (cursor.slots.has(cursor.at) || placements.size > placed) throw unsafe(cursor, "it stands in the braces of a variable");
    if (character === "\\") readEscape(cursor);
    else if (character === "$") readDollar(cursor, around);
    else if (character === "`") readBackticks(cursor, around);
    else if (character === "'" || character === '"') readBraceQuotes(cursor, around);
    else {
      cursor.at++;
      if (character === "}") return;
    }
  }
}

function readBraceQuotes(cursor: Cursor, around: Surroundings): void {
  const start = cursor.at;
  if (around === "document" || (around === "double" && cursor.text[start] === "'")) {
    throw unsure(cursor, "shells differ in what this quotation mark in braces means");
  }
  readQuotes(cursor, []);
  if (cursor.text.slice(start, cursor.at).includes("}")) throw unsure(cursor, "a closing brace stands in quotation marks between braces");
}

/** Takes the value on which the cursor stands, if it stands on one. */
export function takeSlot(cursor: Cursor, insertion: Insertion, pieces: Piece[]): boolean {
  const slot = cursor.slots.get(cursor.at);
  if (slot === undefined) return false;
  cursor.findings.placements.set(slot, insertion);
  pieces.push({ kind: "slot", slot });
  cursor.at++;
  return true;
}

export function addText(pieces: Piece[], text: string, isQuoted: boolean): void {
  const last = pieces.at(-1);
  if (last?.kind === "text" && last.isQuoted === isQuoted) pieces[pieces.length - 1] = { kind: "text", text: last.text + text, isQuoted };
  else pieces.push({ kind: "text", text, isQuoted });
}

/** Reads text in quotation marks, from the first to the last. */
export function readQuotes(cursor: Cursor, pieces: Piece[]): void {
  addText(pieces, "", true);
  if (cursor.text[cursor.at] === '"') readDouble(cursor, pieces);
  else readSingle(cursor, pieces);
}

function readSingle(cursor: Cursor, pieces: Piece[]): void {
  const end = cursor.text.indexOf("'", cursor.at + 1);
  if (end < 0) throw unsure(cursor, "a quotation mark has no partner");
  const inside = cutText(cursor, cursor.at + 1, end);
  let from = 0;
  for (const [offset, slot] of inside.slots) {
    addText(pieces, inside.text.slice(from, offset), true);
    cursor.findings.placements.set(slot, "single");
    pieces.push({ kind: "slot", slot });
    from = offset + 1;
  }
  addText(pieces, inside.text.slice(from), true);
  cursor.at = end + 1;
}

function readDouble(cursor: Cursor, pieces: Piece[]): void {
  cursor.at++;
  for (;;) {
    const character = cursor.text[cursor.at];
    if (character === undefined) throw unsure(cursor, "a double quotation mark has no partner");
    if (takeSlot(cursor, "double", pieces)) continue;
    if (character === "\\") {
      const escaped = readEscape(cursor);
      if (escaped !== "\n") addText(pieces, '$`"\\'.includes(escaped) ? escaped : `\\${escaped}`, true);
    } else if (character === "`") pieces.push(readBackticks(cursor, "double"));
    else if (character === "$") pieces.push(readDollar(cursor, "double"));
    else {
      cursor.at++;
      if (character === '"') return;
      addText(pieces, character, true);
    }
  }
}

function match(pattern: RegExp, cursor: Cursor): string | undefined {
  pattern.lastIndex = cursor.at;
  const found = pattern.exec(cursor.text)?.[0];
  cursor.at += found?.length ?? 0;
  return found;
}
