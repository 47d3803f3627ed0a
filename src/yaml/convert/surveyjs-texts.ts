import { isRecord, type Value } from "../../core/model/value.ts";
import type { Text } from "./draft.ts";

/** A choice may be written in one text: its value, and what people read. */
const SEPARATOR = "|";

/** Choices, rows and columns: values, or values with what people read. */
export function itemsOf(list: unknown): unknown[] {
  if (!Array.isArray(list)) return [];
  return list.map((item: unknown) => {
    const [value, text] = isRecord(item) ? [item["value"], textOf(item["text"])] : [item, undefined];
    const end = typeof value === "string" ? value.indexOf(SEPARATOR) : -1;
    if (typeof value !== "string" || end < 0) return choiceOf(value as Value, text);
    return choiceOf(value.slice(0, end), text ?? textOf(value.slice(end + 1)));
  });
}

export function choiceOf(value: Value, title: Text | undefined): unknown {
  return title === undefined || title === value ? value : { value, title };
}

/** A text, or one a language: that of the survey itself goes by the name "default" there. */
export function textOf(text: unknown): Text | undefined {
  if (typeof text === "string") return text.trim() === "" ? undefined : text;
  if (!isRecord(text)) return undefined;
  const languages = Object.entries(text).flatMap(([language, one]): [string, string][] =>
    typeof one === "string" ? [[language === "default" ? "en" : language, one]] : [],
  );
  return languages.length === 0 ? undefined : Object.fromEntries(languages);
}

export function plainText(text: unknown): string | undefined {
  const found = textOf(text);
  return typeof found === "object" ? Object.values(found)[0] : found;
}
