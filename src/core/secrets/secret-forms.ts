import { MIN_SECRET_LENGTH } from "../model/limits.ts";

/** One way in which a secret may be written. */
export interface SecretForm {
  readonly text: string;
  /** Whether the character before it, or behind it, holds bits of the secret too (base64). */
  readonly before: boolean;
  readonly after: boolean;
}

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/**
 * The ways to write a secret that are looked for: as it is, each of its lines, their UTF-8 bytes, hexadecimal in small and capital letters,
 * and base64 in both alphabets at each of the three places where it can begin. What escapes single characters (JSON, percent signs) is
 * undone before looking; see `decodedViews`.
 */
export function secretForms(secret: string): readonly SecretForm[] {
  const forms = new Map<string, SecretForm>();
  const add = (text: string, before = false, after = false): void => {
    if (!forms.has(text)) forms.set(text, { text, before, after });
  };
  for (const piece of pieces(secret)) {
    const bytes = utf8Bytes(piece);
    const hex = bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");
    for (const text of [piece, textOfUnits(Uint8Array.from(bytes)), hex, hex.toUpperCase()]) add(text);
    for (const lead of [0, 1, 2]) {
      const text = base64Core(bytes, lead);
      const [before, after] = [lead > 0, (lead + bytes.length) % 3 > 0];
      add(text, before, after);
      add(text.replaceAll("+", "-").replaceAll("/", "_"), before, after);
    }
  }
  return [...forms.values()];
}

/** The secret and those of its lines that are long enough to be told from other text. */
function pieces(secret: string): ReadonlySet<string> {
  const found = new Set([secret]);
  for (const part of [secret, ...secret.split(/[\r\n]+/)]) {
    const line = part.trim();
    if (line.length >= MIN_SECRET_LENGTH) found.add(line);
  }
  return found;
}

/** The base64 digits that do not depend on what stands around the bytes, if `lead` bytes of a group of three stand before them. */
function base64Core(bytes: readonly number[], lead: number): string {
  const first = Math.ceil((lead * 8) / 6);
  const end = Math.floor(((lead + bytes.length) * 8) / 6);
  let text = "";
  for (let digit = first; digit < end; digit++) {
    const bit = digit * 6 - lead * 8;
    const at = bit >> 3;
    const pair = (bytes[at]! << 8) | (bytes[at + 1] ?? 0);
    text += DIGITS[(pair >> (10 - (bit & 7))) & 63];
  }
  return text;
}

const REPLACEMENT = 0xfffd;

/** The UTF-8 bytes of a text; a lone half of a surrogate pair becomes U+FFFD, as encoders of platforms do it. */
function utf8Bytes(text: string): number[] {
  const bytes: number[] = [];
  for (const character of text) {
    const read = character.codePointAt(0)!;
    const point = read >= 0xd800 && read <= 0xdfff ? REPLACEMENT : read;
    if (point < 0x80) bytes.push(point);
    else if (point < 0x800) bytes.push(0xc0 | (point >> 6), 0x80 | (point & 63));
    else if (point < 0x10000) bytes.push(0xe0 | (point >> 12), 0x80 | ((point >> 6) & 63), 0x80 | (point & 63));
    else bytes.push(0xf0 | (point >> 18), 0x80 | ((point >> 12) & 63), 0x80 | ((point >> 6) & 63), 0x80 | (point & 63));
  }
  return bytes;
}

/** The text of these UTF-16 units; of bytes, one character for each. */
export function textOfUnits(units: Uint8Array | Uint16Array): string {
  const parts: string[] = [];
  // Longer argument lists overflow the stack of some engines.
  for (let from = 0; from < units.length; from += 4_096) parts.push(String.fromCharCode(...units.subarray(from, from + 4_096)));
  return parts.join("");
}
