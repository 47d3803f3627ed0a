import { crc32 } from "node:zlib";

const NEEDS_QUOTES = /[\n\0]|\p{Surrogate}/u;
const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;
const LINE_FEED = 10;

/** Bytes at the end of a sealed line: `"` 8 digits `"]`. */
const SEAL = 11;

/** A text as one line: JSON objects as they are, anything else as a JSON string, so that no text is lost or taken for a seal. */
export function textLine(text: string): string {
  return text.charCodeAt(0) === OPEN_BRACE && !NEEDS_QUOTES.test(text) ? text : JSON.stringify(text);
}

/** The text of a line that {@link textLine} made. */
export function lineText(bytes: Buffer, start: number, end: number): string {
  const line = bytes.toString("utf8", start, end);
  return bytes[start] === OPEN_BRACE ? line : (JSON.parse(line) as string);
}

/** Whether the line that starts here seals what stands before it. */
export function isSeal(bytes: Buffer, start: number): boolean {
  return bytes[start] === OPEN_BRACKET;
}

/**
 * Lines closed by a list whose last member is the checksum of all bytes before it. Only with the seal do they count; a seal that does
 * not fit tells damage from an unfinished write.
 */
export function sealedLines(lines: readonly string[], seal: readonly unknown[]): Buffer {
  return closed(Buffer.from(`${lines.map((line) => `${line}\n`).join("")}${openList(seal)}`));
}

/** Any bytes, closed in the same way. */
export function sealedBytes(content: Uint8Array, seal: readonly unknown[]): Buffer {
  return closed(Buffer.concat([content, Buffer.from(`\n${openList(seal)}`)]));
}

function openList(seal: readonly unknown[]): string {
  return `${JSON.stringify(seal).slice(0, -1)},`;
}

function closed(body: Buffer): Buffer {
  return Buffer.concat([body, Buffer.from(`"${checksum(body)}"]\n`, "latin1")]);
}

/** The members of the list that seals the bytes from `start`; nothing where they do not fit their checksum. `end` is the place of its line feed. */
export function openSeal(bytes: Buffer, start: number, line: number, end: number): readonly unknown[] | undefined {
  const seal = end - SEAL;
  if (seal <= line || bytes.toString("latin1", seal, end) !== `"${checksum(bytes.subarray(start, seal))}"]`) return undefined;
  return (JSON.parse(bytes.toString("utf8", line, end)) as unknown[]).slice(0, -1);
}

function checksum(bytes: Uint8Array): string {
  return crc32(bytes).toString(16).padStart(8, "0");
}

/** The seal of a file that is sealed as a whole, and what stands before its line; nothing where the checksum does not fit. */
export function openFile(bytes: Buffer): { readonly content: Buffer; readonly seal: readonly unknown[] } | undefined {
  if (bytes.at(-1) !== LINE_FEED) return undefined;
  const line = bytes.length < 2 ? 0 : bytes.lastIndexOf(LINE_FEED, bytes.length - 2) + 1;
  const seal = isSeal(bytes, line) ? openSeal(bytes, 0, line, bytes.length - 1) : undefined;
  return seal && { content: bytes.subarray(0, Math.max(0, line - 1)), seal };
}
