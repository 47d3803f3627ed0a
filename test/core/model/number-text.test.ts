import { describe, expect, test } from "vitest";
import fc from "fast-check";
import { decimalOf, readNumber, typedNumber } from "../../../src/core/model/number-text.ts";
import { decimalAmount, moneyText } from "../../../src/core/model/money.ts";
import { readMoney, typedMoney } from "../../../src/core/model/typed-number.ts";

describe("a number", () => {
  test.each<[language: string, text: string, number: string | undefined]>([
    ["en", "1234.50", "1234.50"],
    ["en", "1,234.50", "1234.50"],
    ["en", "1,234", "1234"],
    ["en", "12,34,567", "1234567"],
    ["en", "1,5", "1.5"],
    ["en", "1 234 567", "1234567"],
    ["en", "-0.5", "-0.5"],
    ["en", ".5", ".5"],
    ["en", "1e5", "1e5"],
    ["en", "1.2.3", undefined],
    ["en", "1,23,4", undefined],
    ["en", "twelve", undefined],
    ["en", "", undefined],
    ["en", "-", undefined],
    ["en", "0x10", undefined],
    ["en", "Infinity", undefined],
    ["de", "1.234,50", "1234.50"],
    ["de", "1.234", "1234"],
    ["de", "1,5", "1.5"],
    ["de", "1.5", "1.5"],
    ["de", "0.125", "0.125"],
    ["de", "1.234.567", "1234567"],
    ["de", "1,234,567", undefined],
    ["de", "−3", "-3"],
    ["de-CH", "1'234.50", "1234.50"],
    ["de-CH", "1’234.50", "1234.50"],
    ["fr", "1\u202f234,50", "1234.50"],
    ["fr", "1 234,50", "1234.50"],
    ["fr", "12.50", "12.50"],
    // A thousand and more, or one and a bit: not to be guessed.
    ["fr", "1.234", undefined],
    ["hi", "12,34,567.5", "1234567.5"],
    ["ar-EG", "١٬٢٣٤٫٥٠", "1234.50"],
    ["ar-EG", "1234.5", "1234.5"],
    // With both marks there is one way to read it.
    ["en", "4.200,50", "4200.50"],
    ["fr", "1,234,567.5", "1234567.5"],
    ["de", "-1,234.5", "-1234.5"],
    ["fr", "1.23,4", undefined],
    ["en", "1.234,567,8", undefined],
    ["fa", "\u200e−۱۲٫۵", "-12.5"],
  ])("is read in %s from %j", (language, text, number) => {
    expect(decimalOf(text, language)).toBe(number);
  });

  test("is read again as it is typed, in any language", () => {
    const language = fc.constantFrom("en", "de", "fr", "de-CH", "ar-EG", "hi", "pt", "sv");
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), language, (value, tag) => {
        // People do not type a zero with a sign.
        expect(readNumber(typedNumber(value, tag), tag)).toBe(value + 0);
      }),
    );
  });
});

describe("an amount of money", () => {
  test.each<[language: string, currency: string, text: string, amount: number | undefined]>([
    ["de", "EUR", "1.234,50", 123450],
    ["de", "EUR", "1.234,50 €", 123450],
    ["en", "EUR", "€1,234.5", 123450],
    ["en", "USD", "usd 12", 1200],
    ["en", "GBP", "0.29", 29],
    ["en", "EUR", "1.005", undefined],
    ["en", "EUR", "1.500", 150],
    ["en", "JPY", "1,200", 1200],
    ["en", "JPY", "12.5", undefined],
    ["en", "KWD", "1.234", 1234],
    ["sv", "SEK", "12,50 kr", 1250],
    ["en", "EUR", "-3", -300],
    ["en", "EUR", "1e3", undefined],
    ["en", "EUR", "$", undefined],
    ["en", "EUR", "90071992547409.91", 9007199254740991],
    ["en", "EUR", "90071992547409.92", undefined],
  ])("is read in %s and %s from %j", (language, currency, text, amount) => {
    expect(readMoney(text, currency, language)).toBe(amount);
  });

  test("is written with all its digits", () => {
    expect(moneyText(123450, "EUR", "de")).toBe("1.234,50\u00a0€");
    expect(moneyText(1234, "KWD", "en")).toBe("KWD\u00a01.234");
    expect(moneyText(1200, "JPY", "en")).toBe("¥1,200");
    expect(moneyText(-5, "EUR", "en")).toBe("-€0.05");
    expect(moneyText(9007199254740991, "EUR", "en")).toBe("€90,071,992,547,409.91");
    // Browsers give these no decimals, ISO 4217 does.
    expect(moneyText(1250, "RSD", "en")).toBe("RSD\u00a012.50");
    expect(decimalAmount(7, "KWD")).toBe("0.007");
  });

  test("is the same when it is typed as it was shown", () => {
    const amounts = fc.maxSafeInteger();
    const currencies = fc.constantFrom("EUR", "JPY", "KWD", "CLF", "USD", "SEK");
    const languages = fc.constantFrom("en", "de", "fr", "de-CH", "ar-EG", "hi", "pt", "sv");
    fc.assert(
      fc.property(amounts, currencies, languages, (amount, currency, language) => {
        expect(readMoney(typedMoney(amount, currency, language), currency, language)).toBe(amount || 0);
        expect(readMoney(moneyText(amount, currency, language), currency, language)).toBe(amount || 0);
      }),
    );
  });
});
