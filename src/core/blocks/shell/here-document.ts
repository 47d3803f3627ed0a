import { descend, readEscape, type Cursor, type HereDocument } from "./cursor.ts";
import { readBackticks, readDollar, takeSlot } from "./read-expansion.ts";
import { cutText, SLOT } from "./shell-text.ts";
import type { Word } from "./word.ts";
import { unsafe, unsure } from "./unsafe-error.ts";

/** Notes the here-document that a redirection announces. */
export function announceHereDocument(cursor: Cursor, delimiter: Word, stripsTabs: boolean): void {
  if (delimiter.literal === undefined || delimiter.literal.includes("\n") || delimiter.literal.includes(SLOT)) {
    throw unsure(cursor, "the word that ends a here-document is no plain text");
  }
  cursor.pending.push({ delimiter: delimiter.literal, isQuoted: delimiter.bare === undefined, stripsTabs });
}

/** Reads the bodies of the here-documents that the line before announced. */
export function readHereDocuments(cursor: Cursor): void {
  for (const document of cursor.pending.splice(0)) {
    const body = findBody(cursor, document);
    const inside = cutText(cursor, cursor.at, body.end);
    if (!document.isQuoted) readBody(descend(cursor, { ...inside, at: 0, pending: [] }));
    else if (inside.slots.size > 0) {
      throw unsafe(
        cursor,
        `nothing is expanded in a here-document with a quoted delimiter; write <<${document.delimiter} without quotation marks`,
      );
    }
    cursor.at = body.next;
  }
}

function findBody(cursor: Cursor, { delimiter, isQuoted, stripsTabs }: HereDocument): { readonly end: number; readonly next: number } {
  const { text } = cursor;
  let continued = false;
  for (let start = cursor.at; start < text.length;) {
    const lineEnd = text.indexOf("\n", start);
    const end = lineEnd < 0 ? text.length : lineEnd;
    const line = text.slice(start, end);
    if ((stripsTabs ? line.replace(/^\t+/, "") : line) === delimiter) {
      if (continued) throw unsure(cursor, "a backslash joins the line that ends a here-document to the one before");
      return { end: start, next: Math.min(end + 1, text.length) };
    }
    continued = !isQuoted && /(?:^|[^\\])(?:\\\\)*\\$/.test(line);
    start = end + 1;
  }
  throw unsure(cursor, `the here-document is not ended by a line with ${delimiter} alone`);
}

function readBody(cursor: Cursor): void {
  while (cursor.at < cursor.text.length) {
    const character = cursor.text[cursor.at];
    if (takeSlot(cursor, "double", [])) continue;
    if (character === "\\") readEscape(cursor);
    else if (character === "$") readDollar(cursor, "document");
    else if (character === "`") readBackticks(cursor, "document");
    else cursor.at++;
  }
}
