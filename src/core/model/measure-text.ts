import { moneyText } from "./money.ts";

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
