import { textOfUnits } from "./secret-forms.ts";

/** A text as a reader would see it after undoing an encoding, with the place of each character in the text that was there. */
export interface View {
  readonly text: string;
  /** Where the character begins in the original; nothing where the view is the original. */
  readonly from?: Int32Array;
  /** One past where it ends in the original. */
  readonly to?: Int32Array;
  /** Where what is left out at the end begins in the original. */
  readonly end?: number;
}

/** How texts are looked at. */
export interface ViewOptions {
  /** Whether to look across the ends of lines too: base64 is often cut into lines. */
  readonly joinLines: boolean;
  /** Whether the text may go on: an escape at its end that is not finished is left out. */
  readonly goesOn: boolean;
}

/** What is undone to make a view. */
interface Encoding {
  readonly pattern: RegExp;
  /** What a match stands for: the characters, and how many of the match write them. */
  read(match: string): readonly [characters: string, length: number];
}

const LETTER_ESCAPES: { readonly [letter: string]: string } = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };

/** JSON escapes quotes, slashes and backslashes; shells and patterns any sign of ASCII that means something to them. */
const BACKSLASHES: Encoding = {
  pattern: /\\(?:u[0-9A-Fa-f]{4}|[nrtbf]|[^A-Za-z0-9\u0080-\uffff])/g,
  read: (match) => {
    const sign = match.length > 2 ? String.fromCharCode(Number.parseInt(match.slice(2), 16)) : match[1]!;
    return [match.length > 2 ? sign : (LETTER_ESCAPES[sign] ?? sign), match.length];
  },
};

/** The bytes of one character of UTF-8, or one byte, which is a character of Latin-1 then. */
const PERCENT_SIGNS: Encoding = {
  pattern:
    /%(?:[Ff][0-7](?:%[89ABab][0-9A-Fa-f]){3}|[Ee][0-9A-Fa-f](?:%[89ABab][0-9A-Fa-f]){2}|[CDcd][0-9A-Fa-f]%[89ABab][0-9A-Fa-f]|[0-9A-Fa-f]{2})/g,
  read(match) {
    try {
      return [decodeURIComponent(match), match.length];
    } catch {
      return [String.fromCharCode(Number.parseInt(match.slice(1, 3), 16)), 3];
    }
  },
};

const LINE_ENDS: Encoding = { pattern: /[\r\n]/g, read: () => ["", 1] };

/** How often one encoding may stand in another. */
const MAX_LAYERS = 3;
/** Also backslashes that may be escaped themselves, and a character of several bytes that may miss its last ones. */
const UNFINISHED_ESCAPE = /(?:\\{1,11}(?:u[0-9A-Fa-f]{0,3})?|(?:%[C-Fc-f][0-9A-Fa-f](?:%[89ABab][0-9A-Fa-f]){0,2})?(?:%[0-9A-Fa-f]?)?)$/;
const LONGEST_UNFINISHED = 11;

/**
 * The text itself, then what it says with backslashes undone, with percent signs undone, or with its lines joined, each on its own and one
 * inside the other. A text with nothing to undo has one view.
 */
export function decodedViews(text: string, { joinLines, goesOn }: ViewOptions): readonly View[] {
  const encodings = joinLines ? [BACKSLASHES, PERCENT_SIGNS, LINE_ENDS] : [BACKSLASHES, PERCENT_SIGNS];
  const finish = (view: View): View => (goesOn ? withoutUnfinished(view) : view);
  const views: View[] = [finish({ text })];
  const seen = new Set([text]);
  for (let layer = 0, begin = 0; layer < MAX_LAYERS; layer++) {
    const end = views.length;
    for (; begin < end; begin++) {
      for (const encoding of encodings) {
        const made = decode(views[begin]!, encoding);
        if (!made || seen.has(made.text)) continue;
        seen.add(made.text);
        views.push(finish(made));
      }
    }
  }
  return views;
}

function withoutUnfinished(view: View): View {
  const unfinished = UNFINISHED_ESCAPE.exec(view.text.slice(-LONGEST_UNFINISHED))?.[0].length ?? 0;
  if (unfinished === 0) return view;
  const length = view.text.length - unfinished;
  return { ...view, text: view.text.slice(0, length), end: view.from ? view.from[length]! : length };
}

/** The view with an encoding undone; nothing where there is none of it. Characters are counted as UTF-16 units; no view is longer than its base. */
function decode(base: View, { pattern, read }: Encoding): View | undefined {
  const { text } = base;
  pattern.lastIndex = 0;
  let match = pattern.exec(text);
  if (!match) return undefined;
  const units = new Uint16Array(text.length);
  const from = new Int32Array(text.length);
  const to = new Int32Array(text.length);
  let length = 0;
  let taken = 0;
  const place = (unit: number, begin: number, end: number): void => {
    units[length] = unit;
    from[length] = base.from ? base.from[begin]! : begin;
    to[length++] = base.to ? base.to[end - 1]! : end;
  };
  const copyTo = (end: number): void => {
    for (; taken < end; taken++) place(text.charCodeAt(taken), taken, taken + 1);
  };
  for (; match; match = pattern.exec(text)) {
    const { index } = match;
    const [characters, wide] = read(match[0]);
    copyTo(index);
    pattern.lastIndex = taken = index + wide;
    for (let i = 0; i < characters.length; i++) place(characters.charCodeAt(i), index, taken);
  }
  copyTo(text.length);
  return { text: textOfUnits(units.subarray(0, length)), from: from.subarray(0, length), to: to.subarray(0, length) };
}
