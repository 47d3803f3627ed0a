/** Candidates looked at before giving up: a suggestion is a courtesy and must stay cheap. */
const MAX_CANDIDATES = 2_000;
/** Characters of a name that count. */
const MAX_LENGTH = 64;

/** Characters of a name that count as the beginning of a longer one. */
const MIN_BEGINNING = 3;

/**
 * The candidate that was likely meant by a misspelt name: at most a third of its letters differ, capitals left out of account; else the
 * first one that begins with the name, as `timeout_ms` does with `timeout`.
 */
export function nearestName(name: string, candidates: Iterable<string>): string | undefined {
  const wanted = name.slice(0, MAX_LENGTH).toLowerCase();
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  let longer: string | undefined;
  let seen = 0;
  for (const candidate of candidates) {
    if (++seen > MAX_CANDIDATES) break;
    if (wanted.length >= MIN_BEGINNING && candidate.toLowerCase().startsWith(wanted)) longer ??= candidate;
    if (Math.abs(candidate.length - wanted.length) >= bestDistance) continue;
    const distance = editDistance(wanted, candidate.slice(0, MAX_LENGTH).toLowerCase());
    if (distance >= bestDistance) continue;
    best = candidate;
    bestDistance = distance;
  }
  return best ?? longer;
}

/** What to say about a name that does not exist. */
export interface Advice {
  /** Ends a message, with a blank before it: what was likely meant, else what exists (at most ten names), else nothing. */
  readonly sentence: string;
  /** `suggestion`: the name that was likely meant. */
  readonly details: { readonly suggestion?: string };
}

/** Looks for what was likely meant by a name that does not exist. */
export function adviseName(name: string, candidates: Iterable<string>): Advice {
  const known = [...candidates];
  const nearest = nearestName(name, known);
  if (nearest !== undefined) return { sentence: ` Did you mean "${nearest}"?`, details: { suggestion: nearest } };
  const listed = listNames(known);
  return { sentence: listed === "" ? "" : ` There is: ${listed}.`, details: {} };
}

/** At most ten names, quoted and separated by commas. */
export function listNames(names: Iterable<string>): string {
  const shown: string[] = [];
  for (const name of names) {
    if (shown.length === 10) {
      shown.push("…");
      break;
    }
    shown.push(`"${name.length > MAX_LENGTH ? `${name.slice(0, MAX_LENGTH)}…` : name}"`);
  }
  return shown.join(", ");
}

/** Levenshtein's distance, where swapping two neighbours costs one. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1;
      let cost = Math.min(last[j]! + 1, current[j - 1]! + 1, last[j - 1]! + change);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, beforeLast[j - 2]! + 1);
      current.push(cost);
    }
    beforeLast = last;
    last = current;
  }
  return last[b.length]!;
}
