/** Spellings of types that mean the same. */
const SYNONYMS: ReadonlyMap<string, string> = new Map([
  ["str", "string"],
  ["int", "integer"],
  ["num", "number"],
  ["float", "number"],
  ["bool", "boolean"],
  ["list", "array"],
  ["dict", "object"],
]);

/**
 * What of a YAML text without comments and escapes is not to be found in the data that was read from it: words, brackets and quotation marks. It knows no
 * YAML: whichever way a text is read, its words stand in keys or values, and a bracket that stands in no value has its partner.
 */
export function unreadParts(text: string, data: unknown): readonly string[] {
  const values = partsOf(data);
  const read = countAll(values.flatMap(wordsOf));
  const unread = [...countAll(wordsOf(text))].filter(([word, count]) => count > (read.get(word) ?? 0)).map(([word]) => word);
  const spare = (sign: string): number => countOf(text, sign) - values.reduce((sum, value) => sum + countOf(value, sign), 0);
  for (const [open, close] of ["[]", "{}"].map((pair) => [...pair] as [string, string])) {
    if (spare(open) !== spare(close)) unread.push(open + close);
  }
  if (spare('"') % 2 !== 0) unread.push('"');
  return unread;
}

/** Keys and values at any depth, as texts. */
function partsOf(data: unknown): readonly string[] {
  if (Array.isArray(data)) return data.flatMap(partsOf);
  if (typeof data !== "object" || data === null) return [String(data)];
  return Object.entries(data).flatMap(([key, value]) => [key, ...partsOf(value)]);
}

/** The words of a text, the same for all spellings of keys, types, numbers and breaks. */
function wordsOf(text: string): readonly string[] {
  const plain = text.replaceAll(/[-_]/g, "").replaceAll(/\d+(?:\.\d+)?/g, (digits) => String(Number(digits)));
  return (plain.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => SYNONYMS.get(word) ?? word);
}

function countAll(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

function countOf(text: string, sign: string): number {
  return text.split(sign).length - 1;
}
