import type { YamlScalar } from "./tree.ts";

const HEADER = /[|>][-+\d]*[ \t]*(?:#[^\n]*)?\n/y;
/** How long the escapes of double quotes are that are longer than two characters. YAML 1.2.2, 5.7. */
const ESCAPES: ReadonlyMap<string, number> = new Map([
  ["x", 4],
  ["u", 6],
  ["U", 10],
]);

/**
 * The offset in the text at which a character (from 0) of a text value stands; where the value starts, if it is written over several
 * lines in quotation marks or as a plain text, or folded unevenly.
 */
export function offsetInScalar(text: string, { start, inner, value }: YamlScalar, at: number): number {
  if (inner !== -1) return inner + at;
  const style = text[start];
  if (typeof value !== "string") return start;
  if (style === "|" || style === ">") return inBlock(text, start, { value, at, isFolded: style === ">" }) ?? start;
  return style === '"' || style === "'" ? (inQuotes(text, start, at) ?? start) : start;
}

function inQuotes(text: string, start: number, at: number): number | undefined {
  let offset = start + 1;
  for (let seen = 0; seen < at; seen++) {
    if (offset >= text.length || text[offset] === "\n") return undefined;
    const isEscape = text[start] === '"' ? text[offset] === "\\" : text[offset] === "'";
    const length = isEscape ? (ESCAPES.get(text[offset + 1]!) ?? 2) : 1;
    // A character beyond the first plane counts twice in the value.
    if (length === 10 && Number.parseInt(text.slice(offset + 2, offset + 10), 16) > 0xffff) seen++;
    offset += length;
  }
  return offset;
}

/** Walks the lines of a block scalar and the value side by side. */
function inBlock(
  text: string,
  start: number,
  { value, at, isFolded }: { readonly value: string; readonly at: number; readonly isFolded: boolean },
): number | undefined {
  HEADER.lastIndex = start;
  const header = HEADER.exec(text);
  if (header === null) return undefined;
  let line = start + header[0].length;
  let indent = -1;
  let seen = 0;
  let breaks = 0;
  while (line < text.length && seen <= at) {
    const newline = text.indexOf("\n", line);
    const end = newline === -1 ? text.length : newline;
    const isBlank = text.slice(line, end).trim() === "";
    if (!isBlank) {
      if (indent === -1) indent = text.slice(line, end).search(/[^ ]/);
      if (isFolded && seen > 0) seen += Math.max(1, breaks - 1);
      const content = text.slice(line + indent, end);
      if (!value.startsWith(content, seen)) return undefined;
      if (at <= seen + content.length) return line + indent + Math.max(0, at - seen);
      seen += content.length;
      breaks = 0;
    }
    if (!isFolded) seen++;
    breaks++;
    line = end + 1;
  }
  return undefined;
}
