/** Characters of an answer that are searched for a choice. Longer answers must be a number or exactly a choice. */
const MAX_SEARCHED = 1_000;

/** Which choice an answer means: its index from 0, or the choices it could mean (none, or several). */
export type ChoiceMatch = { readonly index: number } | { readonly index?: never; readonly candidates: readonly string[] };

/**
 * Finds the choice an answer means: a number from 1 on; else an exact choice, whatever its case; else the longest choice that stands in
 * the answer as whole words. A number out of range is never looked for as text. Words are runs of letters, marks, digits and `_` of any
 * script.
 */
export function matchChoice(answer: string | number, choices: readonly string[]): ChoiceMatch {
  const text = String(answer).trim();
  if (/^[+-]?\d+$/.test(text)) {
    const number = Number(text);
    return number >= 1 && number <= choices.length ? { index: number - 1 } : { candidates: [] };
  }
  for (const like of [asWritten, trimmed, folded]) {
    const same = indexesOf(choices, (choice) => like(choice) === like(String(answer)));
    if (same.length > 0) return oneOf(same, choices);
  }
  if (text.length > MAX_SEARCHED) return { candidates: [] };
  const within = folded(text);
  const found = indexesOf(choices, (choice) => standsIn(within, folded(choice)));
  const longest = Math.max(0, ...found.map((index) => folded(choices[index]!).length));
  return oneOf(
    found.filter((index) => folded(choices[index]!).length === longest),
    choices,
  );
}

function oneOf(indexes: readonly number[], choices: readonly string[]): ChoiceMatch {
  return indexes.length === 1 ? { index: indexes[0]! } : { candidates: indexes.map((index) => choices[index]!) };
}

function indexesOf(choices: readonly string[], fits: (choice: string) => boolean): number[] {
  return choices.flatMap((choice, index) => (fits(choice) ? [index] : []));
}

const asWritten = (text: string): string => text;
const trimmed = (text: string): string => text.trim();
const folded = (text: string): string => text.trim().normalize("NFC").toLowerCase();

function standsIn(text: string, words: string): boolean {
  if (words === "") return false;
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
    if (isBoundary(text, at) && isBoundary(text, at + words.length)) return true;
  }
  return false;
}

/** Whether no word goes on across this place. */
function isBoundary(text: string, at: number): boolean {
  return !(/[\p{L}\p{M}\p{N}_]$/u.test(text.slice(Math.max(0, at - 2), at)) && /^[\p{L}\p{M}\p{N}_]/u.test(text.slice(at, at + 2)));
}
