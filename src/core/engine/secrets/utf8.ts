const REPLACEMENT = 0xfffd;

/** The UTF-8 bytes of a text; a lone half of a surrogate pair becomes U+FFFD, as encoders of platforms do it. */
export function utf8Bytes(text: string): number[] {
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
