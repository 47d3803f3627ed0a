/** The forms of a word that goes with a number, by the rules of `Intl.PluralRules`; `other` stands for those that a language does not tell apart. */
export type PluralForms = { readonly [rule in Intl.LDMLPluralRule]?: string } & { readonly other: string };

/** How a language writes numbers, and the words behind them. */
export function numbersIn(lang: string): { number(value: number): string; count(value: number, forms: PluralForms): string } {
  const rules = new Intl.PluralRules(lang);
  const numbers = new Intl.NumberFormat(lang);
  const number = (value: number): string => numbers.format(value);
  return {
    number,
    /** The form that fits, with the number in place of `#`. */
    count: (value, forms) => (forms[rules.select(value)] ?? forms.other).replace("#", number(value)),
  };
}
