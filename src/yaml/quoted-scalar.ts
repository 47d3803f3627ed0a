const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
  ["0", "\0"],
  ['"', '"'],
  ["\\", "\\"],
  ["/", "/"],
]);
const ESCAPED = /\\(?:u([0-9a-fA-F]{4})|([^\n]))/g;

/** A quoted scalar. `end` is the offset behind its closing mark. */
export interface Quoted {
  readonly value: string;
  readonly end: number;
  /** Whether nothing in it is escaped. */
  readonly isVerbatim: boolean;
}

/** Reads the quoted scalar that starts at an offset; nothing if it does not end on its line, or holds a rare escape. */
export function readQuoted(text: string, start: number): Quoted | undefined {
  const mark = text[start]!;
  let end = text.indexOf(mark, start + 1);
  if (mark === "'") while (end !== -1 && text[end + 1] === "'") end = text.indexOf("'", end + 2);
  else while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  if (end === -1) return undefined;

  const inside = text.slice(start + 1, end);
  if (inside.includes("\n")) return undefined;
  const value = mark === "'" ? inside.replaceAll("''", "'") : unescape(inside);
  return value === undefined ? undefined : { value, end: end + 1, isVerbatim: value.length === inside.length };
}

/** Whether a text that begins with a quotation mark ends with the one that closes it: the lexer of the library takes escaped ones for it. */
export function isClosed(quoted: string): boolean {
  const mark = quoted[0]!;
  if (quoted.length === 1 || !quoted.endsWith(mark)) return false;
  return mark === "'" ? quoted.split("'").length % 2 === 1 : !isEscaped(quoted, quoted.length - 1);
}

/** Whether an odd number of backslashes stands before an offset. */
function isEscaped(text: string, at: number): boolean {
  let from = at;
  while (text[from - 1] === "\\") from--;
  return (at - from) % 2 === 1;
}

function unescape(inside: string): string | undefined {
  if (!inside.includes("\\")) return inside;
  let isRare = false;
  const value = inside.replace(ESCAPED, (_, hex: string | undefined, letter: string) => {
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
    const character = ESCAPES.get(letter);
    isRare ||= character === undefined;
    return character ?? "";
  });
  return isRare ? undefined : value;
}
