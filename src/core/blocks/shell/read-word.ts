import { readParentheses, type Cursor } from "./cursor.ts";
import type { Uses } from "./findings.ts";
import { closing, readBackticks, readDollar, readDouble, readEscape } from "./read-expansion.ts";
import { cutText } from "./shell-text.ts";
import { unsafe, unsure } from "./unsafe.ts";

export type Piece =
  | { readonly kind: "text"; readonly text: string; readonly isQuoted: boolean }
  | { readonly kind: "slot"; readonly slot: number }
  | { readonly kind: "expansion" };

/** A word of the shell. */
export interface Word {
  /** Empty texts are left out. */
  readonly pieces: readonly Piece[];
  /** What it says, quotation marks taken away, where it holds no value and no expansion. */
  readonly literal: string | undefined;
  /** The same where nothing of it is quoted either: only such a word can be a keyword or a number of a stream. */
  readonly bare: string | undefined;
  readonly uses: Uses;
}

const END = new Set([" ", "\t", "\n", ";", "&", "|", "<", ">", "(", ")"]);

/** Reads a word. The cursor does not move where none starts. */
export function readWord(cursor: Cursor): Word {
  const pieces: Piece[] = [];
  const mark = cursor.findings.mark();
  let hasQuotes = false;
  const addText = (text: string, isQuoted: boolean): void => {
    hasQuotes ||= isQuoted;
    if (text === "") return;
    const last = pieces.at(-1);
    if (last?.kind === "text" && last.isQuoted === isQuoted) pieces[pieces.length - 1] = { kind: "text", text: last.text + text, isQuoted };
    else pieces.push({ kind: "text", text, isQuoted });
  };
  if (isProcessSubstitution(cursor)) {
    cursor.at += 2;
    readParentheses(cursor, []);
    if (cursor.findings.since(mark).slots.length > 0) throw unsafe(cursor, "not every shell knows substitution by a process");
    pieces.push({ kind: "expansion" });
  }
  for (;;) {
    const { at, text } = cursor;
    const character = text[at];
    const slot = cursor.slots.get(at);
    if (character === undefined || END.has(character)) break;
    if (slot !== undefined) {
      cursor.findings.place(slot, "word");
      pieces.push({ kind: "slot", slot });
      cursor.at++;
    } else if (character === "\\") {
      const escaped = readEscape(cursor);
      if (escaped !== "\n") addText(escaped, true);
    } else if (character === "'") readSingle(cursor, pieces, addText);
    else if (character === '"') readQuoted(cursor, pieces, addText);
    else if (character === "`") {
      readBackticks(cursor, "unquoted");
      pieces.push({ kind: "expansion" });
    } else if (character === "$" && text[at + 1] === "'") readEscapedQuote(cursor, addText);
    else if (character === "$" && text[at + 1] === '"') cursor.at++;
    else if (character === "$") {
      if (readDollar(cursor, "unquoted") === "text") addText("$", false);
      else pieces.push({ kind: "expansion" });
    } else {
      addText(character, false);
      cursor.at++;
    }
  }
  const isLiteral = pieces.every((piece) => piece.kind === "text");
  const literal = isLiteral ? pieces.map((piece) => piece.text).join("") : undefined;
  return { pieces, literal, bare: hasQuotes ? undefined : literal, uses: cursor.findings.since(mark) };
}

type AddText = (text: string, isQuoted: boolean) => void;

export function isProcessSubstitution({ text, at }: Cursor): boolean {
  return (text[at] === "<" || text[at] === ">") && text[at + 1] === "(";
}

function readSingle(cursor: Cursor, pieces: Piece[], addText: AddText): void {
  const end = closing(cursor, "'");
  const inside = cutText(cursor, cursor.at + 1, end);
  let from = 0;
  for (const [offset, slot] of inside.slots) {
    cursor.findings.place(slot, "single");
    addText(inside.text.slice(from, offset), true);
    pieces.push({ kind: "slot", slot });
    from = offset + 1;
  }
  addText(inside.text.slice(from), true);
  cursor.at = end + 1;
}

function readQuoted(cursor: Cursor, pieces: Piece[], addText: AddText): void {
  const mark = cursor.findings.mark();
  const start = cursor.at;
  const literal = readDouble(cursor);
  if (literal !== undefined) return addText(literal, true);
  // One value among literal text is told apart, because what stands before it decides about assignments and programs.
  const { slots, variables } = cursor.findings.since(mark);
  const inside = cutText(cursor, start + 1, cursor.at - 1);
  const direct = [...inside.slots];
  if (variables.length > 0 || /[\\$`]/.test(inside.text) || slots.length !== direct.length) {
    pieces.push(...slots.map((slot): Piece => ({ kind: "slot", slot })), { kind: "expansion" });
    return;
  }
  let from = 0;
  for (const [offset, slot] of direct) {
    addText(inside.text.slice(from, offset), true);
    pieces.push({ kind: "slot", slot });
    from = offset + 1;
  }
  addText(inside.text.slice(from), true);
}

/** `$'…'`: some shells know escapes in it, others read a dollar sign and plain single quotes. Both agree where there is no backslash. */
function readEscapedQuote(cursor: Cursor, addText: AddText): void {
  cursor.at++;
  const end = closing(cursor, "'");
  const { text, slots } = cutText(cursor, cursor.at, end + 1);
  if (slots.size > 0) throw unsafe(cursor, "it stands in $'…', which shells read differently");
  if (text.includes("\\")) throw unsure(cursor, "shells differ in what a backslash in $'…' means");
  addText(text.slice(1, -1), true);
  cursor.at = end + 1;
}
