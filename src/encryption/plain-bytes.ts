import type { BlobContent } from "../core/ports/store.ts";

/** The first byte says what the others are. */
const UTF8 = 0;
/** A text with half a surrogate pair, which UTF-8 does not have: its code units, low byte first. */
const UNITS = 1;
const BYTES = 2;

/** A text or bytes as the bytes that are sealed. */
export function encodePlain(content: BlobContent): Uint8Array<ArrayBuffer> {
  if (typeof content !== "string") return flagged(BYTES, content);
  if (!/\p{Surrogate}/u.test(content)) return flagged(UTF8, new TextEncoder().encode(content));
  const bytes = new Uint8Array(1 + content.length * 2);
  bytes[0] = UNITS;
  for (let i = 0; i < content.length; i++) {
    const unit = content.charCodeAt(i);
    bytes[1 + i * 2] = unit & 0xff;
    bytes[2 + i * 2] = unit >> 8;
  }
  return bytes;
}

/** What {@link encodePlain} was given. Throws for bytes it does not make. */
export function decodePlain(bytes: Uint8Array<ArrayBuffer>): BlobContent {
  const rest = bytes.subarray(1);
  switch (bytes[0]) {
    case UTF8:
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(rest);
    case UNITS: {
      const units: string[] = [];
      for (let i = 0; i + 1 < rest.length; i += 2) units.push(String.fromCharCode(rest[i]! | (rest[i + 1]! << 8)));
      return units.join("");
    }
    case BYTES:
      return rest.slice();
    default:
      throw new TypeError("Bytes of an unknown kind.");
  }
}

function flagged(flag: number, content: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(1 + content.length);
  bytes[0] = flag;
  bytes.set(content, 1);
  return bytes;
}
