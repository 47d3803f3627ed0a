import { isRecord } from "./value.ts";

/** A text for people: one for all of them, or one a language, by BCP 47 tags: `{ en: "Name", "pt-BR": "Nome" }`. */
export type LocalizedText = string | { readonly [language: string]: string };

const TAG = /^[a-z]{2,8}(?:-[a-z0-9]{1,8})*$/i;

/**
 * The text for a language. `de-AT` takes `de-AT`, else `de`, else any other German; where there is none, or no language is given, English counts, else the
 * first by its tag: definitions keep no order of keys.
 */
export function pickText(text: LocalizedText, language = "en"): string {
  if (typeof text === "string") return text;
  const tags = Object.keys(text).toSorted();
  const wanted = language.toLowerCase().split("-");
  const isWithin = (tag: string, parts: readonly string[]): boolean => `${tag.toLowerCase()}-`.startsWith(`${parts.join("-")}-`);
  for (let length = wanted.length; length > 0; length--) {
    const exact = tags.find((tag) => tag.toLowerCase() === wanted.slice(0, length).join("-"));
    if (exact !== undefined) return text[exact]!;
  }
  const other = tags.find((tag) => isWithin(tag, wanted.slice(0, 1))) ?? tags.find((tag) => isWithin(tag, ["en"])) ?? tags[0];
  return other === undefined ? "" : text[other]!;
}

/** Whether a value is a text for people, with at least one language where it is one a language. */
export function isLocalizedText(value: unknown): value is LocalizedText {
  if (typeof value === "string") return true;
  if (!isRecord(value)) return false;
  const texts = Object.entries(value);
  return texts.length > 0 && texts.every(([tag, text]) => TAG.test(tag) && typeof text === "string");
}
