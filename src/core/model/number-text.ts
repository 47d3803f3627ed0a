/** How a language writes numbers: the mark before decimals, the mark between groups, and its digits. */
interface Marks {
  readonly decimal: string;
  readonly group: string;
  readonly digits: readonly string[];
}

const known = new Map<string | undefined, Marks>();

function marksOf(language: string | undefined): Marks {
  let marks = known.get(language);
  if (!marks) {
    const numbers = new Intl.NumberFormat(language, { useGrouping: true });
    const parts = numbers.formatToParts(1_234_567.5);
    const mark = (type: Intl.NumberFormatPartTypes): string => parts.find((part) => part.type === type)?.value ?? "";
    marks = { decimal: mark("decimal"), group: mark("group"), digits: Array.from({ length: 10 }, (_, digit) => numbers.format(digit)) };
    known.set(language, marks);
  }
  return marks;
}

/** Marks that say in which direction a text runs. */
const DIRECTION = /[\u200e\u200f\u061c]/g;
/** Numbers in groups, which `,` separates: of three digits each, or in India of two before the last three. */
const GROUPED = /^[+-]?(?:\d{1,3}|[1-9]\d{0,2}(?:,\d{2,3})*,\d{3})$/;
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?$/i;
/** With the mark of another language: not where it may be one between groups. */
const FOREIGN = /^([+-]?\d+)[.,](\d+)$/;
/** With both marks, of which the last one can only stand before decimals. */
const BOTH = /^[+-]?\d{1,3}(?:([.,])\d{3})+(?!\1)[.,]\d+$/;

/**
 * A number as people of a language write it, `1.234,50` in German, in the way of JSON: `1234.50`, no digit lost. Blanks and apostrophes between groups are taken in
 * all languages, and a decimal point or comma that can be nothing else: `4.200,50` is one number everywhere. Nothing for what is no number, or may be two.
 */
export function decimalOf(text: string, language: string | undefined): string | undefined {
  const { decimal, group, digits } = marksOf(language);
  const plain = [...text.replace(DIRECTION, "").trim()]
    .map((sign) => (digits.includes(sign) ? String(digits.indexOf(sign)) : sign === "−" ? "-" : sign))
    .join("")
    .replace(/^([+-])\s+/, "$1");
  const last = Math.max(plain.lastIndexOf("."), plain.lastIndexOf(","));
  if (BOTH.test(plain)) return `${plain.slice(0, last).replace(/[.,]/g, "")}.${plain.slice(last + 1)}`;
  const [whole = "", ...rest] = plain.split(decimal);
  const [fraction] = rest;
  // Blanks and apostrophes separate groups everywhere.
  const grouped = whole.replaceAll(group.trim() || " ", ",").replace(/[\s'’]/g, ",");
  if (GROUPED.test(grouped)) {
    const number = `${grouped.replaceAll(",", "")}${fraction === undefined ? "" : `.${fraction}`}`;
    return isNumber(number) && rest.length < 2 ? number : undefined;
  }
  const own = rest.length < 2 ? plain.replace(decimal, ".") : "";
  if (isNumber(own) && (decimal === "." || !plain.includes(".") || /e/i.test(plain))) return own;
  const [, before, after] = FOREIGN.exec(plain) ?? [];
  return before !== undefined && (after!.length !== 3 || /^[+-]?0$|\d{4}/.test(before)) ? `${before}.${after}` : undefined;
}

function isNumber(text: string): boolean {
  return DECIMAL.test(text) && Number.isFinite(Number(text));
}

/** The number that {@link decimalOf} finds. */
export function readNumber(text: string, language: string | undefined): number | undefined {
  const decimal = decimalOf(text, language);
  return decimal === undefined ? undefined : Number(decimal);
}

/** A number as one types it in a language: without groups, all its digits. */
export function typedNumber(value: number | string, language: string | undefined): string {
  return String(value).replace(".", marksOf(language).decimal);
}
