import { encodeBase64 } from "../model/base64.ts";
import { MIN_SECRET_LENGTH } from "../model/limits.ts";
import { encodeUtf8 } from "../model/utf8.ts";

/** One way in which a secret may be written. */
export interface SecretForm {
  readonly text: string;
  /** Whether the character before it, or behind it, holds bits of the secret too (base64). */
  readonly before: boolean;
  readonly after: boolean;
}

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
    // Encoders of platforms write U+FFFD for a lone half of a surrogate pair.
    const bytes = encodeUtf8(piece.replaceAll(/\p{Surrogate}/gu, "\ufffd"))!;
    const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    for (const text of [piece, textOfUnits(bytes), hex, hex.toUpperCase()]) add(text);
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
function base64Core(bytes: Uint8Array, lead: number): string {
  const group = new Uint8Array(lead + bytes.length);
  group.set(bytes, lead);
  return encodeBase64(group).slice(Math.ceil((lead * 8) / 6), Math.floor((group.length * 8) / 6));
}

/** The text of these UTF-16 units; of bytes, one character for each. */
export function textOfUnits(units: Uint8Array | Uint16Array): string {
  const parts: string[] = [];
  // Longer argument lists overflow the stack of some engines.
  for (let from = 0; from < units.length; from += 4_096) parts.push(String.fromCharCode(...units.subarray(from, from + 4_096)));
  return parts.join("");
}
