const HEADER = /([|>])(-?) *(?: #[^\n]*)?(?:\n|$)/y;

/** A block scalar. `end` is the offset of the line behind it. */
export interface BlockScalar {
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
