import { readNumber, typedNumber, decimalOf } from "./number-text.ts";
import { currencyDigits, decimalAmount } from "./money.ts";

/** What a number is of: an amount has a currency. */
interface Measure {
  readonly currency?: string | undefined;
}

/** The number that a text means in a language, an amount in the smallest unit of its currency. Nothing where it is none, or may be two. */
export function readTyped(text: string, { currency }: Measure, language: string | undefined): number | undefined {
  return currency === undefined ? readNumber(text, language) : readMoney(text, currency, language);
}

/** A number as one types it in a language. */
export function typedText(value: number, { currency }: Measure, language: string | undefined): string {
  return currency === undefined ? typedNumber(value, language) : typedMoney(value, currency, language);
}

/** What a currency is called beside a number in a language: `€`. */
export function currencySymbol(currency: string, language: string | undefined): string {
  const parts = new Intl.NumberFormat(language, { style: "currency", currency }).formatToParts(0);
  return parts.find(({ type }) => type === "currency")!.value;
}

/** The amount that someone typed, in the smallest unit: exact, with the currency or without. Nothing for what is none, or has more decimals than the currency. */
export function readMoney(text: string, currency: string, language: string | undefined): number | undefined {
  const bare = text.replace(currencySymbol(currency, language), "").replace(new RegExp(`${currency}|\\p{Sc}`, "iu"), "");
  const [, sign, whole, fraction = ""] = /^([+-]?)(\d*)(?:\.(\d*))?$/.exec(decimalOf(bare, language) ?? "") ?? [];
  const digits = currencyDigits(currency);
  if (whole === undefined || !/^0*$/.test(fraction.slice(digits))) return undefined;
  const amount = Number(`${whole}${fraction.slice(0, digits).padEnd(digits, "0")}`) * (sign === "-" ? -1 : 1);
  return whole + fraction !== "" && Number.isSafeInteger(amount) ? amount || 0 : undefined;
}

/** An amount as one types it in a language: `1234,50`. */
export function typedMoney(amount: number, currency: string, language: string | undefined): string {
  return Number.isSafeInteger(amount) ? typedNumber(decimalAmount(amount, currency), language) : String(amount);
}
