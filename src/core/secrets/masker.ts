import { MIN_SECRET_LENGTH } from "../model/limits.ts";
import { MASK } from "../journal/journal.ts";
import { decodedViews, type View } from "./decoded-views.ts";
import { type SecretForm, secretForms, textOfUnits } from "./secret-forms.ts";
import { reverse, TextFinder } from "./text-finder.ts";

/** Base64 is cut into lines of 64 or 76 digits by those who cut it; forms that are shorter stand on one line or are cut by chance. */
const SHORTEST_CUT_FORM = 40;
const BASE64_DIGIT = /[A-Za-z0-9+/_-]/;
const NUMERIC = /^[0-9.eE+-]+$/;
/** What those write who cut texts. */
const ELLIPSIS = "…";
const ASTERISK = 42;
/** Bytes that are looked at as a whole: more of them would take many times their room. */
const WINDOW = 131_072;
/** Bytes that could be text, enough of them to hold a secret. Escapes are looked for only there: all else would take too long. */
const PRINTED = /[\t-\r\u0020-\u007e\u0080-\u00ff]{6,}/g;
const ESCAPE = /[\\%\r\n]/;
/** Characters that one of a secret takes where it is escaped and the escapes are escaped again. */
const MOST_SPREAD = 16;

/** A stretch of a text: from the first number up to the second. */
type Range = [begin: number, end: number];

/** Where secrets stand in a view, in places of the original. */
interface Found {
  readonly ranges: readonly Range[];
  /** Where at the end one may have begun that goes on in another text; else infinite. */
  readonly open: number;
}

/** Hides secrets, however they are written, in texts and bytes. Takes in more of them as they turn up. */
export class Masker {
  readonly #secrets = new Set<string>();
  /** Each with more to find than those behind it. */
  readonly #finders: TextFinder[] = [];
  /** What no finder looks for yet. */
  #fresh: SecretForm[] = [];
  #longest = 0;
  #joinLines = false;
  #isNumeric = false;

  constructor(secrets: Iterable<string> = []) {
    for (const secret of secrets) this.add(secret);
  }

  add(secret: string): void {
    if (this.#secrets.has(secret)) return;
    this.#secrets.add(secret);
    for (const form of secretForms(secret)) {
      this.#fresh.push(form);
      this.#longest = Math.max(this.#longest, form.text.length);
      this.#joinLines ||= (form.before || form.after) && form.text.length >= SHORTEST_CUT_FORM;
      this.#isNumeric ||= NUMERIC.test(form.text);
    }
  }

  get isEmpty(): boolean {
    return this.#secrets.size === 0;
  }

  /** Whether a form of a secret reads as a number, so that numbers have to be looked at. */
  get isNumeric(): boolean {
    return this.#isNumeric;
  }

  /**
   * The text with each secret replaced by three asterisks; the same text where there is none. `isCut`: the text may have been cut in the
   * middle of a secret, at its end or where it has "…", and what is left of the secret there is hidden too.
   */
  text(text: string, { isCut }: { readonly isCut: boolean } = { isCut: false }): string {
    if (text.length < MIN_SECRET_LENGTH) return text;
    let masked = text;
    for (;;) {
      const found = this.#views(masked, false).flatMap((view) => this.#find(view).ranges);
      const ranges = mergeRanges(isCut ? [...found, ...this.#findRemains(masked)] : found);
      if (ranges.length === 0) return masked;
      // What is left over may read as a secret again; it gets shorter each time.
      masked = replaceRanges(masked, ranges);
    }
  }

  /** A copy of the bytes with those of secrets overwritten by asterisks; nothing where there are none. */
  bytes(bytes: Uint8Array): Uint8Array | undefined {
    const reach = MOST_SPREAD * this.#longest;
    const size = Math.max(WINDOW, 2 * reach);
    const found: Range[] = [];
    const look = (view: View, at: number): void => {
      for (const [begin, end] of this.#find(view).ranges) found.push([at + begin, at + end]);
    };
    for (let at = 0; at === 0 || at + reach < bytes.length; at += size - reach) {
      const window = textOfUnits(bytes.subarray(at, at + size));
      look({ text: window }, at);
      for (const { index, 0: stretch } of window.matchAll(PRINTED)) {
        if (ESCAPE.test(stretch)) for (const view of this.#views(stretch, false).slice(1)) look(view, at + index);
      }
    }
    if (found.length === 0) return undefined;
    const copy = bytes.slice();
    for (const [begin, end] of found) copy.fill(ASTERISK, begin, end);
    return copy;
  }

  /** Masks as much of a text as cannot be part of a secret that goes on behind it. */
  head(text: string): { readonly masked: string; readonly rest: string } {
    const views = this.#views(text, true);
    const found = views.map((view) => this.#find(view));
    const ranges = found.flatMap((each) => each.ranges);
    const cut = settleCut(Math.min(text.length, ...found.map(({ open }) => open)), ranges, views);
    return { masked: this.text(text.slice(0, cut)), rest: text.slice(cut) };
  }

  #views(text: string, goesOn: boolean): readonly View[] {
    return decodedViews(text, { joinLines: this.#joinLines, goesOn });
  }

  #find({ text, from, to, end: unfinished = Number.POSITIVE_INFINITY }: View): Found {
    const ranges: Range[] = [];
    const begun = this.#scan(text, (form, formEnd) => {
      let begin = formEnd - form.text.length;
      let end = formEnd;
      if (form.before && begin > 0 && BASE64_DIGIT.test(text[begin - 1]!)) begin--;
      if (form.after && end < text.length && BASE64_DIGIT.test(text[end]!)) {
        end++;
        for (let padding = 0; padding < 2 && text[end] === "="; padding++) end++;
      }
      ranges.push([from ? from[begin]! : begin, to ? to[end - 1]! : end]);
    });
    if (begun === 0) return { ranges, open: unfinished };
    const open = text.length - begun;
    // A digit of base64 before it may hold bits of it.
    const first = open > 0 && BASE64_DIGIT.test(text[open - 1]!) ? open - 1 : open;
    return { ranges, open: from ? from[first]! : first };
  }

  /** What is left of a secret where the text was cut: before its end, and on both sides of each "…". */
  #findRemains(text: string): readonly Range[] {
    const found: Range[] = [];
    const lookBefore = (cut: number): void => {
      const length = this.#scan(text.slice(Math.max(0, cut - this.#longest), cut));
      if (length >= MIN_SECRET_LENGTH) found.push([cut - length, cut]);
    };
    lookBefore(text.length);
    for (let at = text.indexOf(ELLIPSIS); at >= 0; at = text.indexOf(ELLIPSIS, at + 1)) {
      lookBefore(at);
      const begin = at + ELLIPSIS.length;
      const behind = reverse(text.slice(begin, begin + this.#longest));
      const length = Math.max(0, ...this.#finders.map((finder) => finder.backwards.scan(behind, ignore)));
      if (length >= MIN_SECRET_LENGTH) found.push([begin, begin + length]);
    }
    return found;
  }

  /** Tells of the forms in a text, and gives how many characters at its end begin one. */
  #scan(text: string, see: (form: SecretForm, end: number) => void = ignore): number {
    if (this.#fresh.length > 0) this.#takeFresh();
    return Math.max(0, ...this.#finders.map((finder) => finder.scan(text, see)));
  }

  /**
   * Making a finder takes time for all that it finds. So what comes late gets one of its own, which replaces those that find no more than it:
   * each secret is taken in a few times, not once for each that follows it.
   */
  #takeFresh(): void {
    let forms = this.#fresh;
    this.#fresh = [];
    let size = forms.reduce((sum, { text }) => sum + text.length, 0);
    while (this.#finders.length > 0 && this.#finders.at(-1)!.size <= size) {
      const last = this.#finders.pop()!;
      forms = [...last.forms, ...forms];
      size += last.size;
    }
    this.#finders.push(new TextFinder(forms));
  }
}

function ignore(): void {}

/** The last place up to the wanted one that is inside no secret and inside no escape. */
function settleCut(wanted: number, ranges: readonly Range[], views: readonly View[]): number {
  let cut = wanted;
  for (let before = -1; cut !== before;) {
    before = cut;
    for (const [begin, end] of ranges) if (begin < cut && cut < end) cut = begin;
    for (const { from, to } of views) {
      const at = from?.findLastIndex((place) => place < cut) ?? -1;
      if (at >= 0 && to![at]! > cut) cut = from![at]!;
    }
  }
  return cut;
}

function mergeRanges(ranges: readonly Range[]): readonly Range[] {
  if (ranges.length < 2) return ranges;
  const merged: Range[] = [];
  for (const [begin, end] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last && begin <= last[1]) last[1] = Math.max(last[1], end);
    else merged.push([begin, end]);
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
