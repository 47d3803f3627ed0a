import type { Cursor } from "./cursor.ts";
import { readEscape } from "./cursor.ts";
import { addText, readBackticks, readDollar, readQuotes, takeSlot } from "./read-expansion.ts";
import { makeWord, type Piece, type Word } from "./word.ts";

const END = new Set([" ", "\t", "\n", ";", "&", "|", "<", ">", "(", ")"]);

/** Reads a word. The cursor does not move where none starts. */
export function readWord(cursor: Cursor): Word {
  const pieces: Piece[] = [];
  for (;;) {
    const character = cursor.text[cursor.at];
    if (character === undefined || END.has(character)) break;
    if (takeSlot(cursor, "word", pieces)) continue;
    if (character === "\\") {
      const escaped = readEscape(cursor);
      if (escaped !== "\n") addText(pieces, escaped, true);
    } else if (character === "'" || character === '"') readQuotes(cursor, pieces);
    else if (character === "`") pieces.push(readBackticks(cursor, "unquoted"));
    else if (character === "$") pieces.push(readDollar(cursor, "unquoted"));
    else {
      addText(pieces, character, false);
      cursor.at++;
    }
  }
  return makeWord(pieces);
}
