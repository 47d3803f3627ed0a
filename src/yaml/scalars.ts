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

const NULL = /^(?:~|[Nn]ull|NULL)$/;
const BOOLEAN = /^(?:[Tt]rue|TRUE|[Ff]alse|FALSE)$/;
const NUMBER = /^(?:0o[0-7]+|0x[0-9a-fA-F]+|[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?)$/;
const INFINITY = /^[-+]?\.(?:inf|Inf|INF)$/;
const NOT_A_NUMBER = /^\.(?:nan|NaN|NAN)$/;

/** What a scalar without quotation marks means. YAML 1.2.2, "Core Schema". */
export function plainValue(source: string): string | number | boolean | null {
  if (!mayBeMore(source.charCodeAt(0))) return source;
  if (NUMBER.test(source)) return Number(source);
  if (NULL.test(source)) return null;
  if (BOOLEAN.test(source)) return source[0] === "t" || source[0] === "T";
  if (INFINITY.test(source)) return source[0] === "-" ? -Infinity : Infinity;
  return NOT_A_NUMBER.test(source) ? NaN : source;
}

/** Whether anything but a text starts with this character: most texts need no pattern. */
function mayBeMore(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || "+-.~nNtTfF".includes(String.fromCharCode(code));
}

const HEADER = /([|>])(-?) *(?: #[^\n]*)?(?:\n|$)/y;

/** A block scalar. `end` is the offset of the line behind it. */
interface BlockScalar {
  readonly value: string;
  readonly end: number;
}

/**
 * Reads the block scalar whose header starts at an offset, in a collection of the given column (from 0); nothing if it is empty, keeps
 * its last line breaks, tells its indentation, or is indented unevenly where that matters.
 */
export function readBlockScalar(text: string, start: number, column: number): BlockScalar | undefined {
  HEADER.lastIndex = start;
  const header = HEADER.exec(text);
  if (header === null) return undefined;
  const [whole, style, strip] = header;
  const lines: string[] = [];
  let indent = -1;
  let end = start + whole.length;
  while (end < text.length) {
    const newline = text.indexOf("\n", end);
    const lineEnd = newline === -1 ? text.length : newline;
    let content = end;
    while (text[content] === " ") content++;
    if (content < lineEnd) {
      if (text[content] === "\t") return undefined;
      if (indent === -1) indent = content - end;
      if (content - end < indent || indent <= column) break;
      lines.push(text.slice(end + indent, lineEnd));
    } else {
      // Lines of spaces count only where they are longer than the indentation, which is not known before the first line of text.
      if (content - end > Math.max(indent, 0)) return undefined;
      lines.push("");
    }
    end = lineEnd + 1;
  }
  while (lines.at(-1) === "") lines.pop();
  if (lines.length === 0) return undefined;
  const value = style === "|" ? lines.join("\n") : fold(lines);
  return value === undefined ? undefined : { value: strip === "-" ? value : `${value}\n`, end: Math.min(end, text.length) };
}

/** Lines joined by spaces, empty ones kept as line breaks; nothing where a line is indented deeper, which is a case of its own. */
function fold(lines: readonly string[]): string | undefined {
  if (lines[0] === "" || lines.some((line) => line.startsWith(" ") || line.startsWith("\t"))) return undefined;
  const pieces: string[] = [];
  let breaks = 0;
  for (const line of lines) {
    if (line === "") {
      breaks++;
      continue;
    }
    if (pieces.length > 0) pieces.push(breaks === 0 ? " " : "\n".repeat(breaks));
    pieces.push(line);
    breaks = 0;
  }
  return pieces.join("");
}
