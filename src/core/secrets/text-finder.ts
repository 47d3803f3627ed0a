import type { SecretForm } from "./secret-forms.ts";
import { MIN_SECRET_LENGTH } from "../model/limits.ts";

/** Told of the longest form that ends at a place, one past its last character. */
type SeeForm = (form: SecretForm, end: number) => void;

/** Finds forms of secrets in texts. */
export interface TextFinder {
  /**
   * Goes over any text only once. Gives how many characters at its end are the beginning of a form that may go on in another
   * text.
   */
  scan(text: string, see: SeeForm): number;
}

const BLANK = 32;
const PLUS = 43;
/** Characters that the table of the first two tells apart; others share places, which only costs time. */
const TABLE_BITS = 7;
const TABLE_MASK = (1 << TABLE_BITS) - 1;

/**
 * Builds the machine of Aho and Corasick ("Efficient string matching", 1975) over UTF-16 units: all forms are looked for at once and in
 * linear time. A blank and a plus count as the same, for forms on web pages write one for the other.
 */
export function createTextFinder(forms: readonly SecretForm[]): TextFinder {
  const trie = growTrie(forms);
  const { step, fail, depth, longest, pairs } = trie;
  return {
    scan(text, see) {
      const last = text.length - 1;
      let state = 0;
      for (let i = 0; i <= last; i++) {
        const unit = fold(text.charCodeAt(i));
        // Nearly all characters of nearly all texts begin nothing.
        if (state === 0 && i < last && pairs[pairIndex(unit, fold(text.charCodeAt(i + 1)))] === 0) continue;
        let next = step(state, unit);
        while (next === 0 && state !== 0) {
          state = fail[state]!;
          next = step(state, unit);
        }
        state = next;
        const found = longest[state]!;
        if (found >= 0) see(forms[found]!, i + 1);
      }
      return depth[state]!;
    },
  };
}

interface Trie {
  /** The state behind a state for a unit; 0 where there is none. */
  step(state: number, unit: number): number;
  /** The state of the longest proper ending that begins a form. */
  readonly fail: Int32Array;
  readonly depth: Int32Array;
  /** The longest form that ends in a state, or -1. */
  readonly longest: Int32Array;
  /** 1 where two characters begin a form. */
  readonly pairs: Uint8Array;
}

function growTrie(forms: readonly SecretForm[]): Trie {
  const size = forms.reduce((sum, { text }) => sum + text.length, 1);
  const edges = createEdges(size);
  const fail = new Int32Array(size);
  const depth = new Int32Array(size);
  const longest = new Int32Array(size).fill(-1);
  const pairs = new Uint8Array(1 << (2 * TABLE_BITS));
  const parent = new Int32Array(size);
  const unitOf = new Uint16Array(size);
  let states = 1;
  forms.forEach(({ text }, form) => {
    let state = 0;
    for (let i = 0; i < text.length; i++) {
      const unit = fold(text.charCodeAt(i));
      let next = edges.get(state, unit);
      if (next === 0) {
        next = states++;
        edges.set(state, unit, next);
        parent[next] = state;
        unitOf[next] = unit;
        depth[next] = depth[state]! + 1;
      }
      state = next;
    }
    longest[state] = form;
    pairs[pairIndex(fold(text.charCodeAt(0)), fold(text.charCodeAt(1)))] = 1;
  });
  for (const state of byDepth(depth, states)) {
    if (depth[state]! > 1) {
      let back = fail[parent[state]!]!;
      while (back !== 0 && edges.get(back, unitOf[state]!) === 0) back = fail[back]!;
      fail[state] = edges.get(back, unitOf[state]!);
    }
    if (longest[state] === -1) longest[state] = longest[fail[state]!]!;
  }
  return { step: edges.get, fail, depth, longest, pairs };
}

/** All states but the first, those nearer to it before the others. */
function byDepth(depth: Int32Array, states: number): Int32Array {
  return Int32Array.from({ length: states - 1 }, (_, i) => i + 1).toSorted((a, b) => depth[a]! - depth[b]!);
}

interface Edges {
  readonly get: (state: number, unit: number) => number;
  readonly set: (state: number, unit: number, to: number) => void;
}

/** A hash table in typed arrays: a few bytes for each edge, and no object for the collector to visit. */
function createEdges(count: number): Edges {
  let size = 16;
  while (size < count * 2) size *= 2;
  const states = new Int32Array(size);
  const units = new Uint16Array(size);
  const targets = new Int32Array(size);
  const placeOf = (state: number, unit: number): number => {
    let place = (Math.imul(state, 0x9e3779b1) ^ Math.imul(unit, 0x85ebca6b)) >>> 7;
    for (place &= size - 1; targets[place] !== 0; place = (place + 1) & (size - 1)) {
      if (states[place] === state && units[place] === unit) break;
    }
    return place;
  };
  return {
    get: (state, unit) => targets[placeOf(state, unit)]!,
    set(state, unit, to) {
      const place = placeOf(state, unit);
      states[place] = state;
      units[place] = unit;
      targets[place] = to;
    },
  };
}

function fold(unit: number): number {
  return unit === BLANK ? PLUS : unit;
}

function pairIndex(first: number, second: number): number {
  return ((first & TABLE_MASK) << TABLE_BITS) | (second & TABLE_MASK);
}

/** What those write who cut texts. */
const ELLIPSIS = "…";

/**
 * Finds the stretches of a text that hold what is left of a secret where the text was cut: before its end, and on both sides of each "…".
 * `beginnings` finds the forms themselves.
 */
export function createRemainsFinder(
  forms: readonly SecretForm[],
  beginnings: TextFinder,
): (text: string) => [begin: number, end: number][] {
  const longest = forms.reduce((length, form) => Math.max(length, form.text.length), 0);
  let endings: TextFinder | undefined;
  return (text) => {
    const found: [begin: number, end: number][] = [];
    const lookBefore = (cut: number): void => {
      const length = beginnings.scan(text.slice(Math.max(0, cut - longest), cut), () => undefined);
      if (length >= MIN_SECRET_LENGTH) found.push([cut - length, cut]);
    };
    lookBefore(text.length);
    for (let at = text.indexOf(ELLIPSIS); at >= 0; at = text.indexOf(ELLIPSIS, at + 1)) {
      lookBefore(at);
      // The ending of a form is the beginning of one that is read from behind.
      endings ??= createTextFinder(forms.map((form) => ({ ...form, text: reverse(form.text) })));
      const begin = at + ELLIPSIS.length;
      const length = endings.scan(reverse(text.slice(begin, begin + longest)), () => undefined);
      if (length >= MIN_SECRET_LENGTH) found.push([begin, begin + length]);
    }
    return found;
  };
}

function reverse(text: string): string {
  return text.split("").toReversed().join("");
}
