import { MIN_SECRET_LENGTH } from "../../model/limits.ts";
import type { SecretForm } from "./secret-forms.ts";
import { createTextFinder, type TextFinder } from "./text-finder.ts";

/** What those write who cut texts. */
const ELLIPSIS = "…";

/**
 * Finds the stretches of a text that hold what is left of a secret where the text was cut: before its end, and on both sides of each "…".
 * `beginnings` finds the forms themselves.
 */
export function createRemainsFinder(
  forms: readonly SecretForm[],
  beginnings: TextFinder,
): (text: string) => [begin: number, end: number][] {
  const longest = forms.reduce((length, form) => Math.max(length, form.text.length), 0);
  let endings: TextFinder | undefined;
  return (text) => {
    const found: [begin: number, end: number][] = [];
    const lookBefore = (cut: number): void => {
      const length = beginnings.scan(text.slice(Math.max(0, cut - longest), cut), () => undefined);
      if (length >= MIN_SECRET_LENGTH) found.push([cut - length, cut]);
    };
    lookBefore(text.length);
    for (let at = text.indexOf(ELLIPSIS); at >= 0; at = text.indexOf(ELLIPSIS, at + 1)) {
      lookBefore(at);
      // The ending of a form is the beginning of one that is read from behind.
      endings ??= createTextFinder(forms.map((form) => ({ ...form, text: reverse(form.text) })));
      const begin = at + ELLIPSIS.length;
      const length = endings.scan(reverse(text.slice(begin, begin + longest)), () => undefined);
      if (length >= MIN_SECRET_LENGTH) found.push([begin, begin + length]);
    }
    return found;
  };
}

function reverse(text: string): string {
  return text.split("").toReversed().join("");
}
