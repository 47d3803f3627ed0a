import { WorkflowError } from "../model/errors.ts";
import type { Value, Values } from "../model/value.ts";

/** Scheme and host of an address as it is written; what grants it reads it with the platform's own parser. */
const ABSOLUTE = /^(https?:\/\/[^\s/?#@\\]+)(?:[/?#][^\s]*)?$/i;

/** Scheme and host of an absolute address of http or https without a user; nothing for anything else. */
export function originOf(url: string): string | undefined {
  return ABSOLUTE.exec(url)?.[1];
}

/** The address with more in its query. Lists repeat their name, `null` leaves it out. Throws `BLOCK_INPUT_INVALID`. */
export function withQuery(url: string, query: Values): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => valuesOf(value).map((one) => `${encode(name)}=${encode(String(one))}`));
  const [address = ""] = url.split("#");
  if (pairs.length === 0) return address;
  const joint = !address.includes("?") ? "?" : /[?&]$/.test(address) ? "" : "&";
  return `${address}${joint}${pairs.join("&")}`;
}

function valuesOf(value: Value): readonly Value[] {
  if (value === null) return [];
  return Array.isArray(value) ? (value as readonly Value[]) : [value];
}

function encode(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch (cause) {
    throw new WorkflowError("BLOCK_INPUT_INVALID", 'A text in "query" holds half a character (a lone surrogate). Correct it.', { cause });
  }
}
