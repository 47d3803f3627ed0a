import { readNumber, typedNumber } from "./number-text.ts";
import { readMoney, typedMoney } from "./typed-money.ts";

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
