import { expressionError, takeText } from "../../expression/lexer.ts";

export interface Token {
  readonly kind: "number" | "name" | "text" | "symbol" | "end";
  /** What it says: of a text what stands between the quotation marks, escapes replaced. */
  readonly text: string;
  /** From 1. */
  readonly column: number;
}

const BLANKS = /[ \t\r\n]*/y;
const WORDS = /(\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|([\p{ID_Start}_]\p{ID_Continue}*)|=>|\*\*|[=!<>]=|[-+*/%<>()[\]{},:.]/uy;
const HINTS: ReadonlyMap<string, string> = new Map([
  ["=", 'Write "==" to compare.'],
  ["^", 'Write "**" for a power.'],
  ["&", 'Write "and".'],
  ["|", 'Write "or".'],
  ["!", 'Write "not", or "!=" to compare.'],
  ["?", "Write if(condition, value, otherwise)."],
  ["$", "A formula holds no references: give the value a name in the variables."],
]);

/** Cuts a formula into tokens; the last one is the end. Throws `EXPRESSION_SYNTAX`. */
export function readTokens(text: string): readonly Token[] {
  const tokens: Token[] = [];
  for (let at = 0; ;) {
    BLANKS.lastIndex = at;
    at += BLANKS.exec(text)![0].length;
    const character = text[at];
    const column = at + 1;
    if (character === undefined) return [...tokens, { kind: "end", text: "", column }];
    if (character === "'" || character === '"') {
      const cursor = { text, at: column };
      tokens.push({ kind: "text", text: takeText(cursor, character), column });
      if (text[cursor.at] !== character) {
        const message = `The text that starts here is never closed. Add ${character} at its end; a formula holds no references.`;
        throw expressionError("EXPRESSION_SYNTAX", at, message);
      }
      at = cursor.at + 1;
      continue;
    }
    WORDS.lastIndex = at;
    const found = WORDS.exec(text);
    if (!found) {
      const hint = HINTS.get(character) ?? "A formula has no such sign.";
      throw expressionError("EXPRESSION_SYNTAX", at, `Unexpected ${JSON.stringify(character)} at position ${column}. ${hint}`);
    }
    const [word, number, name] = found;
    tokens.push({ kind: number === undefined ? (name === undefined ? "symbol" : "name") : "number", text: word, column });
    at += word.length;
  }
}
