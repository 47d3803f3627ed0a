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

/** How often one encoding may stand in another. */
const MAX_LAYERS = 3;
const LETTER_ESCAPES: { readonly [letter: string]: string } = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };
/** JSON escapes quotes, slashes and backslashes; shells and patterns any sign that means something to them. */
const ESCAPED_SIGN = /[\u0000-\u007f]/;
const LETTER_OR_DIGIT = /[A-Za-z0-9]/;
const PERCENT = /%[0-9A-Fa-f]{2}/;
const PERCENT_RUN = /(?:%[0-9A-Fa-f]{2})+/y;
const LINE_END = /[\r\n]/;
/** Also a character of several bytes that may miss its last ones. */
const UNFINISHED_ESCAPE = /(?:\\(?:u[0-9A-Fa-f]{0,3})?|(?:%[C-Fc-f][0-9A-Fa-f](?:%[89ABab][0-9A-Fa-f]){0,2})?(?:%[0-9A-Fa-f]?)?)$/;
const LONGEST_UNFINISHED = 11;
const UNICODE_ESCAPE = /u([0-9A-Fa-f]{4})/y;

/** How texts are looked at. */
export interface ViewOptions {
  /** Whether to look across the ends of lines too: base64 is often cut into lines. */
  readonly joinLines: boolean;
  /** Whether the text may go on: an escape at its end that is not finished is left out. */
  readonly goesOn: boolean;
}

/**
 * The text itself, then what it says with backslashes undone, with percent signs undone, or with its lines joined, each on its own and one
 * inside the other. A text with nothing to undo has one view.
 */
export function decodedViews(text: string, { joinLines, goesOn }: ViewOptions): readonly View[] {
  const finish = (view: View): View => (goesOn ? withoutUnfinished(view) : view);
  const views: View[] = [finish({ text })];
  const seen = new Set([text]);
  for (let layer = 0, begin = 0; layer < MAX_LAYERS; layer++) {
    const end = views.length;
    for (; begin < end; begin++) {
      for (const made of [unescapeJson(views[begin]!), decodePercent(views[begin]!), joinLines && joinAllLines(views[begin]!)]) {
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

/** Builds a view on a view. Characters are counted as UTF-16 units; no view is longer than what it was made from. */
class ViewWriter {
  readonly #base: View;
  readonly #units: Uint16Array;
  readonly #from: Int32Array;
  readonly #to: Int32Array;
  #length = 0;
  /** How much of the base was written or left out. */
  #taken = 0;

  constructor(base: View) {
    const { length } = base.text;
    this.#base = base;
    this.#units = new Uint16Array(length);
    this.#from = new Int32Array(length);
    this.#to = new Int32Array(length);
  }

  /** Writes a unit for those from `begin` to `end`, after all that stand before them. */
  write(unit: number, begin: number, end: number): void {
    this.#copyTo(begin);
    this.#place(unit, begin, end);
    this.#taken = end;
  }

  leaveOut(at: number): void {
    this.#copyTo(at);
    this.#taken = at + 1;
  }

  finish(): View {
    this.#copyTo(this.#base.text.length);
    const length = this.#length;
    return { text: textOfUnits(this.#units.subarray(0, length)), from: this.#from.subarray(0, length), to: this.#to.subarray(0, length) };
  }

  #copyTo(end: number): void {
    const { text } = this.#base;
    for (let i = this.#taken; i < end; i++) this.#place(text.charCodeAt(i), i, i + 1);
    this.#taken = end;
  }

  #place(unit: number, begin: number, end: number): void {
    const { from, to } = this.#base;
    this.#units[this.#length] = unit;
    this.#from[this.#length] = from ? from[begin]! : begin;
    this.#to[this.#length++] = to ? to[end - 1]! : end;
  }
}

function unescapeJson(base: View): View | undefined {
  const { text } = base;
  let at = text.indexOf("\\");
  if (at < 0) return undefined;
  const writer = new ViewWriter(base);
  for (; at >= 0; at = text.indexOf("\\", at)) {
    UNICODE_ESCAPE.lastIndex = at + 1;
    const point = text[at + 1] === "u" ? UNICODE_ESCAPE.exec(text)?.[1] : undefined;
    const single = unescapeSign(text[at + 1] ?? "");
    if (point !== undefined) writer.write(Number.parseInt(point, 16), at, at + 6);
    else if (single !== undefined) writer.write(single.charCodeAt(0), at, at + 2);
    at += point !== undefined ? 6 : single !== undefined ? 2 : 1;
  }
  return writer.finish();
}

function unescapeSign(sign: string): string | undefined {
  if (LETTER_OR_DIGIT.test(sign)) return LETTER_ESCAPES[sign];
  return ESCAPED_SIGN.test(sign) ? sign : undefined;
}

function decodePercent(base: View): View | undefined {
  const { text } = base;
  if (!PERCENT.test(text)) return undefined;
  const writer = new ViewWriter(base);
  for (let at = text.indexOf("%"); at >= 0; at = text.indexOf("%", at)) {
    PERCENT_RUN.lastIndex = at;
    const run = PERCENT_RUN.exec(text)?.[0];
    if (run === undefined) {
      at++;
      continue;
    }
    const { characters, isUtf8 } = decodeRun(run);
    for (const character of characters) {
      const end = at + 3 * (isUtf8 ? utf8Length(character.codePointAt(0)!) : 1);
      for (let i = 0; i < character.length; i++) writer.write(character.charCodeAt(i), i === 0 ? at : end, end);
      at = end;
    }
  }
  return writer.finish();
}

/** The characters that `%C3%A9…` stands for; what is no UTF-8 gives one character for each byte. */
function decodeRun(run: string): { readonly characters: string; readonly isUtf8: boolean } {
  try {
    return { characters: decodeURIComponent(run), isUtf8: true };
  } catch {
    const characters = run.replaceAll(/%(..)/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
    return { characters, isUtf8: false };
  }
}

function utf8Length(point: number): number {
  if (point < 0x80) return 1;
  if (point < 0x800) return 2;
  return point < 0x10000 ? 3 : 4;
}

function joinAllLines(base: View): View | undefined {
  const { text } = base;
  if (!text.includes("\n")) return undefined;
  const writer = new ViewWriter(base);
  for (let at = text.search(LINE_END); at >= 0 && at < text.length; at++) {
    if (LINE_END.test(text[at]!)) writer.leaveOut(at);
  }
  return writer.finish();
}
