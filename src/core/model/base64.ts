const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const PADDING = 0x3d;
/** The code of each letter, by its value. */
const LETTERS: Uint8Array = Uint8Array.from(ALPHABET, (letter) => letter.charCodeAt(0));
const NO_LETTER = 64;
/** The value of each letter, by its code. */
const VALUES: Uint8Array = new Uint8Array(128).fill(NO_LETTER);
LETTERS.forEach((code, value) => (VALUES[code] = value));
/** Bytes made into text at once; a multiple of three. Engines bound the number of arguments. */
const CHUNK = 6_144;

/** What newer engines do themselves, many times faster: a page stands still while a large file becomes text. */
const engine = Uint8Array as { readonly fromBase64?: (text: string) => Uint8Array<ArrayBuffer> };

/** Bytes as base64 text, with padding. RFC 4648, section 4. */
export function encodeBase64(bytes: Uint8Array & { readonly toBase64?: () => string }): string {
  if (bytes.toBase64) return bytes.toBase64();
  const chunks: string[] = [];
  for (let start = 0; start < bytes.length; start += CHUNK) chunks.push(encodeChunk(bytes.subarray(start, start + CHUNK)));
  return chunks.join("");
}

function encodeChunk(bytes: Uint8Array): string {
  const { length } = bytes;
  const codes = new Uint8Array(Math.ceil(length / 3) * 4);
  let at = 0;
  for (let i = 0; i < length; i += 3) {
    const bits = (bytes[i]! << 16) | (i + 1 < length ? bytes[i + 1]! << 8 : 0) | (i + 2 < length ? bytes[i + 2]! : 0);
    codes[at++] = LETTERS[bits >> 18]!;
    codes[at++] = LETTERS[(bits >> 12) & 63]!;
    codes[at++] = i + 1 < length ? LETTERS[(bits >> 6) & 63]! : PADDING;
    codes[at++] = i + 2 < length ? LETTERS[bits & 63]! : PADDING;
  }
  // Spreading would walk the codes by their iterator, one at a time.
  return String.fromCharCode.apply(null, codes as unknown as number[]);
}

/** The bytes of a base64 text; nothing for a text that is none. Line ends and blanks are skipped, padding may be left out. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  // Form feeds are blanks to engines, and not here.
  if (engine.fromBase64 && !text.includes("\f")) {
    try {
      return engine.fromBase64(text);
    } catch {
      return undefined;
    }
  }
  const letters = /[ \t\r\n]/.test(text) ? text.replace(/[ \t\r\n]/g, "") : text;
  const end = letters.length - (letters.endsWith("==") ? 2 : letters.endsWith("=") ? 1 : 0);
  if (end % 4 === 1 || (end !== letters.length && letters.length % 4 !== 0)) return undefined;
  const bytes = new Uint8Array(Math.floor((end * 3) / 4));
  let bits = 0;
  let at = 0;
  for (let i = 0; i < end; i++) {
    const code = letters.charCodeAt(i);
    const value = code < VALUES.length ? VALUES[code]! : NO_LETTER;
    if (value === NO_LETTER) return undefined;
    bits = ((bits << 6) | value) & 0xffffff;
    if (i % 4 > 0) bytes[at++] = (bits >> (6 - 2 * (i % 4))) & 0xff;
  }
  return bytes;
}
