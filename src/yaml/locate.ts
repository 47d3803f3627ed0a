import type { YamlNode, YamlScalar } from "./tree.ts";

const PART = /\.?([^.[\]]+)|\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]/y;

/**
 * The offset (from 0) where a path, for example `blocks[2].inputs.message`, stands in a text: that of the key or of the value. Where the
 * path leads nowhere, as for a key that is missing, the offset of the last part that exists. `column` is the position (from 1) inside a
 * text value that the offset should point at.
 */
export function locate(
  { text, root }: { readonly text: string; readonly root: YamlNode | null },
  path: string,
  options: { readonly at: "key" | "value"; readonly column?: number | undefined },
): number {
  const parts = splitPath(path);
  let node: YamlNode | undefined = root ?? undefined;
  let offset = root?.start ?? 0;
  for (const [i, part] of parts.entries()) {
    if (node?.kind === "map") {
      const entry = node.entries.find(({ key }) => key === part);
      if (entry === undefined) return offset;
      node = entry.value;
      offset = options.at === "key" && i === parts.length - 1 ? entry.keyStart : (node?.start ?? entry.keyStart);
    } else if (node?.kind === "list") {
      node = node.items[Number(part)];
      offset = node?.start ?? offset;
    } else {
      return offset;
    }
  }
  return options.at === "value" && options.column !== undefined && node?.kind === "scalar"
    ? offsetInScalar(text, node, options.column - 1)
    : offset;
}

function splitPath(path: string): readonly string[] {
  const parts: string[] = [];
  PART.lastIndex = 0;
  for (let match = PART.exec(path); match !== null; match = PART.exec(path)) {
    parts.push(match[1] ?? match[2] ?? (JSON.parse(`"${match[3]}"`) as string));
  }
  return parts;
}

/** Line and column, both from 1, of an offset in a text. */
export type Position = (offset: number) => { readonly line: number; readonly column: number };

/** Finds positions in a text. Lines are looked for when the first position is asked for. */
export function createLineTable(text: string): Position {
  let starts: number[] | undefined;
  return (offset) => {
    starts ??= lineStarts(text);
    let low = 0;
    for (let high = starts.length; high - low > 1;) {
      const middle = (low + high) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: offset - starts[low]! + 1 };
  };
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

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
function offsetInScalar(text: string, { start, inner, value }: YamlScalar, at: number): number {
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
