import { MIN_SECRET_LENGTH } from "../model/limits.ts";
import { byteWindows } from "./byte-windows.ts";
import { decodedViews, type View } from "./decoded-views.ts";
import { secretForms, textOfUnits } from "./secret-forms.ts";
import { MASK } from "../journal/journal.ts";
import { createRemainsFinder, createTextFinder, type TextFinder } from "./text-finder.ts";

/** Base64 is cut into lines of 64 or 76 digits by those who cut it; forms that are shorter stand on one line or are cut by chance. */
const SHORTEST_CUT_FORM = 40;
const BASE64_DIGIT = /[A-Za-z0-9+/_-]/;
const NUMERIC = /^[0-9.eE+-]+$/;
const ASTERISK = 42;
/** Characters that one of a secret takes where it is escaped and the escapes are escaped again. */
const MOST_SPREAD = 16;
/** Hides secrets, however they are written, in texts and bytes. */
export interface Masker {
  /** Whether a form of a secret reads as a number, so that numbers have to be looked at. */
  readonly isNumeric: boolean;
  /**
   * The text with each secret replaced by three asterisks; the same text where there is none. `isCut`: the text may have been cut in the
   * middle of a secret, at its end or where it has "…", and what is left of the secret there is hidden too.
   */
  text(text: string, options?: { readonly isCut: boolean }): string;
  /** A copy of the bytes with those of secrets overwritten by asterisks; nothing where there are none. */
  bytes(bytes: Uint8Array): Uint8Array | undefined;
  /** Masks as much of a text as cannot be part of a secret that goes on behind it. */
  head(text: string): { readonly masked: string; readonly rest: string };
}

/** A stretch of a text: from the first number up to the second. */
type Range = [begin: number, end: number];

/** Makes ready to look for these secrets, all at once. */
export function createMasker(secrets: Iterable<string>): Masker {
  const forms = [...new Set(secrets)].flatMap((secret) => [...secretForms(secret)]);
  const finder = createTextFinder(forms);
  const joinLines = forms.some((form) => (form.before || form.after) && form.text.length >= SHORTEST_CUT_FORM);
  const findRemains = createRemainsFinder(forms, finder);
  const reach = MOST_SPREAD * Math.max(0, ...forms.map(({ text }) => text.length));
  const maskText = (text: string, isCut: boolean): string => {
    let masked = text;
    for (;;) {
      const found = decodedViews(masked, { joinLines, goesOn: false }).flatMap((view) => findRanges(finder, view).ranges);
      const ranges = mergeRanges(isCut ? [...found, ...findRemains(masked)] : found);
      if (ranges.length === 0) return masked;
      // What is left over may read as a secret again; it gets shorter each time.
      masked = replaceRanges(masked, ranges);
    }
  };
  return {
    isNumeric: forms.some(({ text }) => NUMERIC.test(text)),
    text: (text, { isCut } = { isCut: false }) => (text.length < MIN_SECRET_LENGTH ? text : maskText(text, isCut)),
    bytes(bytes) {
      const found: Range[] = [];
      for (const { begin, bytes: part, isEscaped } of byteWindows(bytes, reach)) {
        const text = textOfUnits(part);
        const views = isEscaped ? decodedViews(text, { joinLines, goesOn: false }) : [{ text }];
        for (const view of views) for (const [from, to] of findRanges(finder, view).ranges) found.push([begin + from, begin + to]);
      }
      const ranges = mergeRanges(found);
      if (ranges.length === 0) return undefined;
      const copy = bytes.slice();
      for (const [begin, end] of ranges) copy.fill(ASTERISK, begin, end);
      return copy;
    },
    head(text) {
      const views = decodedViews(text, { joinLines, goesOn: true });
      const found = views.map((view) => findRanges(finder, view));
      const wanted = Math.min(text.length, ...found.map(({ open }) => open));
      const cut = settleCut(
        wanted,
        found.flatMap(({ ranges }) => ranges),
        views,
      );
      return { masked: maskText(text.slice(0, cut), false), rest: text.slice(cut) };
    },
  };
}

/** The stretches of the original that hold a secret in this view, and where at its end one may have begun. */
function findRanges(finder: TextFinder, { text, from, to, end: unfinished }: View): { readonly ranges: Range[]; readonly open: number } {
  const ranges: Range[] = [];
  const add = (begin: number, end: number): void => {
    ranges.push([from ? from[begin]! : begin, to ? to[end - 1]! : end]);
  };
  const begun = finder.scan(text, (form, formEnd) => {
    let begin = formEnd - form.text.length;
    let end = formEnd;
    if (form.before && begin > 0 && BASE64_DIGIT.test(text[begin - 1]!)) begin--;
    if (form.after && end < text.length && BASE64_DIGIT.test(text[end]!)) {
      end++;
      for (let padding = 0; padding < 2 && text[end] === "="; padding++) end++;
    }
    add(begin, end);
  });
  if (begun === 0) return { ranges, open: unfinished ?? Number.POSITIVE_INFINITY };
  const open = text.length - begun;
  // A digit of base64 before it may hold bits of it.
  const first = open > 0 && BASE64_DIGIT.test(text[open - 1]!) ? open - 1 : open;
  return { ranges, open: from ? from[first]! : first };
}

/** The last place up to the wanted one that is inside no secret and inside no escape. */
function settleCut(wanted: number, ranges: readonly Range[], views: readonly View[]): number {
  let cut = wanted;
  for (let before = -1; cut !== before;) {
    before = cut;
    for (const [begin, end] of ranges) if (begin < cut && cut < end) cut = begin;
    for (const { from, to } of views) {
      const at = from && to ? lastBefore(from, cut) : -1;
      if (at >= 0 && to![at]! > cut) cut = from![at]!;
    }
  }
  return cut;
}

/** The index of the last of these rising numbers that is less than a limit, or -1. */
function lastBefore(numbers: Int32Array, limit: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle]! < limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function mergeRanges(ranges: Range[]): readonly Range[] {
  if (ranges.length < 2) return ranges;
  const merged: Range[] = [];
  for (const range of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last && range[0] <= last[1]) last[1] = Math.max(last[1], range[1]);
    else merged.push(range);
  }
  return merged;
}

function replaceRanges(text: string, ranges: readonly Range[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const [begin, end] of ranges) {
    parts.push(text.slice(at, begin), MASK);
    at = end;
  }
  parts.push(text.slice(at));
  return parts.join("");
}
