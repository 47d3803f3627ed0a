import { moneyText } from "../../core/model/money.ts";

const MONTH = /^\d{4}-\d\d$/;
const ZONE = /(?:Z|[+-]\d\d:\d\d)$/;

/** A month, a day, or a day and a time: as it was written, which is in no time zone unless it says so. */
export function dayText(text: string, tag: string | undefined): string {
  const hasTime = text.includes("T");
  const hasZone = ZONE.test(text);
  const at = Date.parse(hasTime && !hasZone ? `${text}Z` : text);
  if (Number.isNaN(at)) return text;
  return new Intl.DateTimeFormat(tag, {
    ...(MONTH.test(text) ? { month: "long", year: "numeric" } : { dateStyle: "long" }),
    ...(hasTime ? { timeStyle: "short" } : {}),
    ...(hasZone ? {} : { timeZone: "UTC" }),
  }).format(at);
}

/** A number with what it counts as people of a language read it, in one line; money with its currency. */
export function measureText(
  value: number,
  { unit, currency }: { readonly unit?: string | undefined; readonly currency?: string | undefined },
  language: string | undefined,
): string {
  if (currency !== undefined) return moneyText(value, currency, language);
  const number = new Intl.NumberFormat(language).format(value);
  return unit === undefined ? number : `${number}\u00a0${unit}`;
}

/** A size as people of a language write it: `20 MB`. */
export function bytesText(size: number, language: string | undefined): string {
  // English says "3 byte" for short.
  const [amount, unit, unitDisplay] =
    size < 1_000 ? ([size, "byte", "long"] as const) : size < 1_000_000 ? [size / 1_000, "kilobyte"] : [size / 1_000_000, "megabyte"];
  return new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay, maximumFractionDigits: amount < 10 ? 1 : 0 }).format(amount);
}
