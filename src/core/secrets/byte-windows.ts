import { MIN_SECRET_LENGTH } from "../model/limits.ts";
import { decodeUtf8 } from "../model/utf8.ts";

/** Bytes that are looked at as a whole, in all encodings: more of them would take many times their room. */
const WINDOW = 131_072;
const BACKSLASH = 0x5c;
const PERCENT = 0x25;
const LINE_END = 0x0a;
const FIRST_SIGN = 0x20;
const DELETE = 0x7f;

/** A part of bytes, with where it begins. */
export interface ByteWindow {
  readonly begin: number;
  readonly bytes: Uint8Array;
  /** Whether escapes may stand in it; otherwise it need only be looked at as it is. */
  readonly isEscaped: boolean;
}

/**
 * Bytes in parts that overlap by at least `reach`; few bytes are always one part. In parts that are no text, escapes are looked for only
 * where something stands that could be text: there is no other way to get through them in time.
 */
export function* byteWindows(bytes: Uint8Array, reach: number): Generator<ByteWindow> {
  const size = Math.max(WINDOW, 2 * reach);
  if (bytes.length <= size) return yield { begin: 0, bytes, isEscaped: true };
  for (let begin = 0; begin + reach < bytes.length; begin += size - reach) {
    const part = bytes.subarray(begin, begin + size);
    const isEscaped = isText(part);
    yield { begin, bytes: part, isEscaped };
    if (!isEscaped) for (const run of escapedRuns(part)) yield { ...run, begin: begin + run.begin };
  }
}

/** A character may be cut at either end. */
function isText(bytes: Uint8Array): boolean {
  let begin = 0;
  let end = bytes.length;
  while (begin < 3 && isInner(bytes[begin]!)) begin++;
  while (bytes.length - end < 3 && isInner(bytes[end - 1]!)) end--;
  if (bytes[end - 1]! >= 0xc0) end--;
  return decodeUtf8(bytes.subarray(begin, end)) !== undefined;
}

function isInner(byte: number): boolean {
  return byte >> 6 === 2;
}

/** Stretches without control characters, long enough to hold a secret, with something in them that may be an escape or a cut line. */
function* escapedRuns(bytes: Uint8Array): Generator<ByteWindow> {
  let begin = 0;
  let hasEscape = false;
  for (let at = 0; at <= bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === BACKSLASH || byte === PERCENT || byte === LINE_END) hasEscape = true;
    if ((byte >= FIRST_SIGN && byte !== DELETE) || (byte >= 0x09 && byte <= 0x0d)) continue;
    if (hasEscape && at - begin >= MIN_SECRET_LENGTH) yield { begin, bytes: bytes.subarray(begin, at), isEscaped: true };
    begin = at + 1;
    hasEscape = false;
  }
}
