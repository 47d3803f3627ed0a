const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const VALUES: ReadonlyMap<string, number> = new Map([...ALPHABET].map((letter, value) => [letter, value]));
/** Bytes made into text at once; a multiple of three. */
const CHUNK = 6_144;

/** Bytes as base64 text, with padding. RFC 4648, section 4. */
export function encodeBase64(bytes: Uint8Array): string {
  const chunks: string[] = [];
  for (let start = 0; start < bytes.length; start += CHUNK) chunks.push(encodeChunk(bytes.subarray(start, start + CHUNK)));
  return chunks.join("");
}

function encodeChunk(bytes: Uint8Array): string {
  let text = "";
  for (let i = 0; i < bytes.length; i += 3) {
    const [first, second, third] = [bytes[i]!, bytes[i + 1], bytes[i + 2]];
    const bits = (first << 16) | ((second ?? 0) << 8) | (third ?? 0);
    text += ALPHABET[bits >> 18]! + ALPHABET[(bits >> 12) & 63]!;
    text += second === undefined ? "==" : ALPHABET[(bits >> 6) & 63]! + (third === undefined ? "=" : ALPHABET[bits & 63]!);
  }
  return text;
}

/** The bytes of a base64 text; nothing for a text that is none. Line ends and blanks are skipped, padding may be left out. */
export function decodeBase64(text: string): Uint8Array | undefined {
  const letters = text.replace(/[ \t\r\n]/g, "");
  const end = letters.length - (letters.endsWith("==") ? 2 : letters.endsWith("=") ? 1 : 0);
  if (end % 4 === 1 || (end !== letters.length && letters.length % 4 !== 0)) return undefined;
  const bytes = new Uint8Array(Math.floor((end * 3) / 4));
  let bits = 0;
  let at = 0;
  for (let i = 0; i < end; i++) {
    const value = VALUES.get(letters[i]!);
    if (value === undefined) return undefined;
    bits = ((bits << 6) | value) & 0xffffff;
    if (i % 4 > 0) bytes[at++] = (bits >> (6 - 2 * (i % 4))) & 0xff;
  }
  return bytes;
}
