import type { Piece } from "./word.ts";
import type { ShellText } from "./shell-text.ts";
import { unsafe, unsure } from "./unsafe-error.ts";

/** Nesting of substitutions and subshells in one command. */
const MAX_DEPTH = 40;

/** How a value is put into the text: the variable that holds it, with the quotation marks its place needs. */
export type Insertion = "word" | "double" | "single" | "comment";

/** A here-document whose body starts after the next line end. */
export interface HereDocument {
  readonly delimiter: string;
  /** Nothing in a quoted one is expanded. */
  readonly isQuoted: boolean;
  readonly stripsTabs: boolean;
}

/** What reading a command finds. */
export interface Findings {
  /** By number of the slot. */
  readonly placements: Map<number, Insertion>;
  /** The words in which a value may come first, so that a program could take it for an option. */
  readonly starts: (readonly Piece[])[];
}

/** A place in a text, and what was found up to it. */
export interface Cursor extends ShellText {
  at: number;
  readonly depth: number;
  readonly findings: Findings;
  readonly pending: HereDocument[];
  /** Reads commands up to the closing parenthesis, which is taken, or to the end of the text. */
  readonly readCommands: (cursor: Cursor, close: ")" | "") => void;
}

/** A cursor one level deeper, on the same text or on another one. */
export function descend(cursor: Cursor, more: Partial<Pick<Cursor, "text" | "slots" | "at" | "pending">>): Cursor {
  if (cursor.depth === MAX_DEPTH) throw unsure(cursor, `it is nested deeper than ${MAX_DEPTH} levels`);
  return { ...cursor, depth: cursor.depth + 1, ...more };
}

/** Reads commands in parentheses, after the opening one. */
export function readParentheses(cursor: Cursor, pending: HereDocument[]): void {
  const inner = descend(cursor, { pending });
  cursor.readCommands(inner, ")");
  cursor.at = inner.at;
}

/** Skips blanks, continued lines and comments, at a place where a token may start. */
export function skipBlanks(cursor: Cursor): void {
  for (;;) {
    const character = cursor.text[cursor.at];
    if (character === " " || character === "\t") cursor.at++;
    else if (character === "\\" && cursor.text[cursor.at + 1] === "\n") cursor.at += 2;
    else if (character === "#") skipComment(cursor);
    else return;
  }
}

function skipComment(cursor: Cursor): void {
  for (; cursor.at < cursor.text.length && cursor.text[cursor.at] !== "\n"; cursor.at++) {
    const slot = cursor.slots.get(cursor.at);
    if (slot !== undefined) cursor.findings.placements.set(slot, "comment");
  }
}

/** Reads a backslash and gives the character after it. */
export function readEscape(cursor: Cursor): string {
  const next = cursor.at + 1;
  if (cursor.slots.has(next)) {
    throw unsafe(cursor, 'a backslash stands before it; take it away, or write "$${" where the shell is to see "${"');
  }
  if (next >= cursor.text.length) throw unsure(cursor, "it ends with a backslash");
  cursor.at += 2;
  return cursor.text[next]!;
}
