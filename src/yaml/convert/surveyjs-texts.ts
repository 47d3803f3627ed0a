import { isRecord, type Value } from "../../core/model/value.ts";
import type { Text } from "./draft.ts";

/** Choices, rows and columns: values, or values with what people read. */
export function itemsOf(list: unknown): unknown[] {
  if (!Array.isArray(list)) return [];
  return list.map((item: unknown) => (isRecord(item) ? choiceOf(item["value"] as Value, textOf(item["text"])) : item));
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
