/** Currencies without smaller units, and with those of a thousandth and of a ten-thousandth; all others have hundredths. Source: ISO 4217, list one. */
const DIGITS: readonly (readonly [digits: number, currencies: string])[] = [
  [0, "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"],
  [3, "BHD IQD JOD KWD LYD OMR TND"],
  [4, "CLF UYW"],
];

/** How many decimals a currency has. Browsers know it too, and not all of them as ISO 4217 has it. */
export function currencyDigits(currency: string): number {
  return DIGITS.find(([, currencies]) => currencies.includes(currency))?.[0] ?? 2;
}

/** An amount in the smallest unit of its currency as a decimal number: `123450` is `1234.50`. */
export function decimalAmount(amount: number, currency: string): string {
  const digits = currencyDigits(currency);
  const text = String(Math.abs(amount)).padStart(digits + 1, "0");
  const at = text.length - digits;
  return `${amount < 0 ? "-" : ""}${text.slice(0, at)}${digits > 0 ? `.${text.slice(at)}` : ""}`;
}

/** An amount as people of a language read it: `1.234,50 €`. */
export function moneyText(amount: number, currency: string, language: string | undefined): string {
  if (!Number.isSafeInteger(amount)) return String(amount);
  const digits = currencyDigits(currency);
  const format = new Intl.NumberFormat(language, {
    style: "currency",
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  // A text keeps all digits of a large amount.
  return format.format(decimalAmount(amount, currency) as `${number}`);
}
