const BEGIN = '{"packed":"';
const END = '"}';

/** A stored text as it was before the engine compressed it; the text itself where it did not, or where the browser cannot unpack. */
export async function unpacked(text: string): Promise<{ readonly plain: string; readonly isPacked: boolean }> {
  if (!text.startsWith(BEGIN) || !text.endsWith(END)) return { plain: text, isPacked: false };
  try {
    const packed = Uint8Array.from(atob(text.slice(BEGIN.length, -END.length)), (character) => character.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return { plain: await new Response(stream).text(), isPacked: true };
  } catch {
    return { plain: text, isPacked: true };
  }
}

/** How many bytes a text takes in UTF-8. */
export function textBytes(text: string): number {
  return new Blob([text]).size;
}

/** A number of bytes as people read it: `820 B`, `1.4 kB`, `20 MB`. */
export function bytesText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  for (const [unit, size] of UNITS) {
    const count = bytes / size;
    if (count < 1_000) return `${count < 10 ? count.toFixed(1) : Math.round(count)} ${unit}`;
  }
  return `${Math.round(bytes / 1e12)} TB`;
}

const UNITS = [
  ["kB", 1e3],
  ["MB", 1e6],
  ["GB", 1e9],
] as const;
