/**
 * Product of two lengths up to which the platform's search is used: there it takes 30 ms at worst. Beyond, a text made for it keeps it busy
 * for minutes, since it may compare most of the wanted text again at each place.
 */
const MAX_PRODUCT = 100_000_000;

/** Whether the platform finds a text of the one length in a text of the other in little time, for all texts of these lengths. */
export function isQuick(length: number, wantedLength: number): boolean {
  return length * wantedLength <= MAX_PRODUCT;
}

/** What `text.indexOf(wanted, from)` gives, in a time that grows with the two lengths and not with their product. */
export function indexOfText(text: string, wanted: string, from = 0): number {
  if (isQuick(text.length - from, wanted.length)) return text.indexOf(wanted, from);
  const borders = bordersOf(wanted);
  let matched = 0;
  for (let at = from; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    while (matched > 0 && wanted.charCodeAt(matched) !== unit) matched = borders[matched - 1]!;
    if (wanted.charCodeAt(matched) === unit) matched++;
    if (matched === wanted.length) return at + 1 - matched;
  }
  return -1;
}

/** What `text.split(wanted)` gives, in such a time. `wanted` is not empty. */
export function splitText(text: string, wanted: string): string[] {
  if (isQuick(text.length, wanted.length)) return text.split(wanted);
  const parts: string[] = [];
  let from = 0;
  for (let at = indexOfText(text, wanted); at >= 0; at = indexOfText(text, wanted, from)) {
    parts.push(text.slice(from, at));
    from = at + wanted.length;
  }
  parts.push(text.slice(from));
  return parts;
}

/** For each beginning of a text how long its longest proper ending is that begins the text too. Knuth, Morris and Pratt, 1977. */
function bordersOf(wanted: string): Int32Array {
  const borders = new Int32Array(wanted.length);
  for (let at = 1, matched = 0; at < wanted.length; at++) {
    while (matched > 0 && wanted.charCodeAt(at) !== wanted.charCodeAt(matched)) matched = borders[matched - 1]!;
    if (wanted.charCodeAt(at) === wanted.charCodeAt(matched)) matched++;
    borders[at] = matched;
  }
  return borders;
}
