/** Code units handed to `fromCharCode` at once: engines bound the number of arguments. */
const CHUNK = 8_192;
const SURROGATE = /\p{Surrogate}/u;

/** Bytes a text takes in UTF-8; a lone surrogate counts three. */
export function utf8Length(text: string): number {
  let length = 0;
  for (let i = 0; i < text.length; i++) {
    const point = text.codePointAt(i)!;
    length += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    if (point >= 0x10000) i++;
  }
  return length;
}

/** The text in UTF-8; nothing where a lone surrogate makes that impossible. */
export function encodeUtf8(text: string): Uint8Array | undefined {
  if (SURROGATE.test(text)) return undefined;
  const bytes = new Uint8Array(utf8Length(text));
  let at = 0;
  for (let i = 0; i < text.length; i++) {
    const point = text.codePointAt(i)!;
    if (point < 0x80) {
      bytes[at++] = point;
      continue;
    }
    if (point >= 0x10000) {
      i++;
      bytes[at++] = 0xf0 | (point >> 18);
      bytes[at++] = 0x80 | ((point >> 12) & 0x3f);
    } else if (point >= 0x800) bytes[at++] = 0xe0 | (point >> 12);
    bytes[at++] = point < 0x800 ? 0xc0 | (point >> 6) : 0x80 | ((point >> 6) & 0x3f);
    bytes[at++] = 0x80 | (point & 0x3f);
  }
  return bytes;
}

/**
 * The text that these bytes are in UTF-8; nothing where they are none: longer forms, surrogates and code points past U+10FFFF included. A
 * byte order mark is kept, so that encoding the text gives the same bytes.
 */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  const chunks: string[] = [];
  const units = new Uint16Array(Math.min(CHUNK, bytes.length) + 1);
  let filled = 0;
  for (let i = 0; i < bytes.length;) {
    const first = bytes[i]!;
    if (first < 0x80) {
      units[filled++] = first;
      i++;
    } else {
      const more = first >= 0xc2 && first < 0xe0 ? 1 : first >= 0xe0 && first < 0xf0 ? 2 : first >= 0xf0 && first < 0xf5 ? 3 : 0;
      if (more === 0 || i + more >= bytes.length) return undefined;
      let point = first & (0x3f >> more);
      for (let k = 1; k <= more; k++) {
        const next = bytes[i + k]!;
        if (next >> 6 !== 2) return undefined;
        point = (point << 6) | (next & 0x3f);
      }
      if (more === 2 && (point < 0x800 || (point >= 0xd800 && point <= 0xdfff))) return undefined;
      if (more === 3 && (point < 0x10000 || point > 0x10ffff)) return undefined;
      if (point >= 0x10000) {
        units[filled++] = 0xd800 + ((point - 0x10000) >> 10);
        point = 0xdc00 + ((point - 0x10000) & 0x3ff);
      }
      units[filled++] = point;
      i += more + 1;
    }
    if (filled >= CHUNK) {
      chunks.push(String.fromCharCode(...units.subarray(0, filled)));
      filled = 0;
    }
  }
  chunks.push(String.fromCharCode(...units.subarray(0, filled)));
  return chunks.join("");
}
