import { crc32 } from "node:zlib";

const LONE_SURROGATE = /\p{Surrogate}/u;
const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;
const QUOTE = 0x22;
const LINE_FEED = 10;

/** Bytes at the end of a sealed line: `"` 8 digits `"]`. */
const SEAL = 11;
/** With its line feed. */
const SEAL_LINE = SEAL + 1;

/** A text as one line: JSON objects as they are, anything else as a JSON string, so that no text is lost or taken for a seal. */
export function textLine(text: string): string {
  return text.charCodeAt(0) === OPEN_BRACE && fitsLine(text) ? text : JSON.stringify(text);
}

/** Returns a text as the only line before a seal: unchanged if possible. */
export function onlyLine(text: string): string {
  return text.charCodeAt(0) !== QUOTE && fitsLine(text) ? text : JSON.stringify(text);
}

/** Asked one by one: one expression for all three takes many times as long. */
function fitsLine(text: string): boolean {
  return !text.includes("\n") && !text.includes("\0") && !LONE_SURROGATE.test(text);
}

/** The text of a line that {@link textLine} or {@link onlyLine} made. */
export function lineText(bytes: Buffer, start: number, end: number): string {
  const line = bytes.toString("utf8", start, end);
  return bytes[start] === QUOTE ? (JSON.parse(line) as string) : line;
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
  const text = `${lines.map((line) => `${line}\n`).join("")}${openList(seal)}`;
  const length = Buffer.byteLength(text);
  const bytes = Buffer.allocUnsafe(length + SEAL_LINE);
  bytes.write(text);
  return closed(bytes, length);
}

/** Any bytes, closed in the same way. */
export function sealedBytes(content: Uint8Array, seal: readonly unknown[]): Buffer {
  const list = Buffer.from(`\n${openList(seal)}`);
  const length = content.length + list.length;
  return closed(Buffer.concat([content, list], length + SEAL_LINE), length);
}

function openList(seal: readonly unknown[]): string {
  return `${JSON.stringify(seal).slice(0, -1)},`;
}

/** Puts the checksum of what stands before it at the end of these bytes. */
function closed(bytes: Buffer, length: number): Buffer {
  bytes.write(`"${checksum(bytes.subarray(0, length))}"]\n`, length, "latin1");
  return bytes;
}

/**
 * Returns the members of the list that seals the bytes from `start`; nothing if the bytes do not match their checksum. `end` is the place of its line feed.
 */
export function openSeal(bytes: Buffer, start: number, line: number, end: number): readonly unknown[] | undefined {
  const seal = end - SEAL;
  if (seal <= line || bytes.toString("latin1", seal, end) !== `"${checksum(bytes.subarray(start, seal))}"]`) return undefined;
  return (JSON.parse(bytes.toString("utf8", line, end)) as unknown[]).slice(0, -1);
}

function checksum(bytes: Uint8Array): string {
  return crc32(bytes).toString(16).padStart(8, "0");
}

/** Returns the seal of a file that is sealed as a whole, and the bytes before it; nothing if the checksum does not match. */
export function openFile(bytes: Buffer): { readonly content: Buffer; readonly seal: readonly unknown[] } | undefined {
  if (bytes.at(-1) !== LINE_FEED) return undefined;
  const line = bytes.length < 2 ? 0 : bytes.lastIndexOf(LINE_FEED, bytes.length - 2) + 1;
  const seal = isSeal(bytes, line) ? openSeal(bytes, 0, line, bytes.length - 1) : undefined;
  return seal && { content: bytes.subarray(0, Math.max(0, line - 1)), seal };
}
