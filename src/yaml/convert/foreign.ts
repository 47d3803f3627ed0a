import { isRecord } from "../../core/model/value.ts";

/** An object that another tool wrote: anything may be in it, or missing. */
export type Foreign = { readonly [key: string]: unknown };

export function textIn(from: Foreign, key: string): string | undefined {
  const text = from[key];
  return typeof text === "string" && text.trim() !== "" ? text : undefined;
}

export function numberIn(from: Foreign, key: string): number | undefined {
  const number = from[key];
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

/** The members of a list that are objects, each with its JSON pointer. */
export function recordsIn(from: Foreign, key: string, pointer: string): readonly (readonly [Foreign, string])[] {
  const list = from[key];
  if (!Array.isArray(list)) return [];
  return list.flatMap((item, i) => (isRecord(item) ? [[item as Foreign, `${pointer}/${key}/${i}`] as const] : []));
}

/** Those of the given members that are there. */
export function present(members: Foreign): Foreign {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

/** What HTML says, without its marks: a text, or nothing. */
export function htmlText(html: string): readonly string[] {
  const text = html
    .replace(/<\/?(?:b|i|em|strong|a|span|u|small|code)\b[^<>]*>/gi, "")
    .replace(/<[^<>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  return text === "" ? [] : [text];
}
