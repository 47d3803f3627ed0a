import type { LocalizedText } from "./localized-text.ts";
import type { Value } from "./value.ts";

/** Where a part stands in a value, linked upwards: it is only written out where it is reported. Nothing for the value itself. */
export type ValuePlace = { readonly up: ValuePlace; readonly key: string | number } | undefined;

/** Like `address.lines[0]`. */
export function pathOf(place: ValuePlace): string {
  if (!place) return "";
  const { up, key } = place;
  return `${pathOf(up)}${typeof key === "number" ? `[${key}]` : up ? `.${key}` : key}`;
}

/** As a JSON Pointer (RFC 6901): `/address/lines/0`. */
export function pointerOf(place: ValuePlace): string {
  return place ? `${pointerOf(place.up)}/${String(place.key).replaceAll("~", "~0").replaceAll("/", "~1")}` : "";
}

/** What is wrong with one field of an answer. */
export interface FieldError {
  /** Where it stands in the answer, as a JSON Pointer (RFC 6901): `/address/lines/0`; empty for the answer itself. */
  readonly instancePath: string;
  /** The keyword of the schema that it does not meet: `required`, `minLength`, `format`, …; `invalid` where a block says so itself. */
  readonly code: string;
  /** In English, beginning where the name of the field ends: "must not be empty". Where there is a `text`: that, in English if it has that. */
  readonly message: string;
  /** What the author of the form wrote for people to read in its place, as whole sentences. */
  readonly text?: LocalizedText;
  /**
   * What the message names, for messages in other languages: `limit` (a number, or a day such as `2026-11-21`), or under the name of the keyword what it asks for: `type`,
   * `enum`, `const`, `pattern`, `format`, `contentMediaType`; of choices with labels `titles`, what people read, beside the values in `enum`.
   */
  readonly params?: { readonly [name: string]: Value };
}

/** What to do, by messages, and by keywords whose message names what only a program knows. */
const REQUESTS: ReadonlyMap<string, string> = new Map([
  ["must not be empty", "Enter an answer."],
  ["required", "Enter an answer."],
  ["must be true", "Agree to this."],
  ["pattern", "Check how this is written."],
  ["additionalProperties", "Leave this out: it is not asked for."],
]);

/** What the types of values are to people. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ["string", "text"],
  ["integer", "whole number"],
  ["boolean", "yes or a no"],
  ["array", "list"],
  ["object", "group of answers"],
]);

/** What to do about a problem, in English, as a sentence for people: "Enter 4 or less." Where the author of the form wrote a text: that. */
export function sentenceOf({ code, message, text }: FieldError): string {
  const request = text === undefined ? (REQUESTS.get(message) ?? REQUESTS.get(code)) : message;
  if (request !== undefined) return request;
  const plain =
    code === "type"
      ? message.replace(" or null", "").replace(/an? (\w+)/g, (name, type: string) => (TYPES.has(type) ? `a ${TYPES.get(type)}` : name))
      : message;
  const sentence = plain.replace("must be one of:", "Choose one of:").replace(/^must \w+ /, "Enter ");
  return `${sentence.replace(/^./, (first) => first.toUpperCase()).replace(/\.$/, "")}.`;
}

/** One thing that is wrong with a value. `path` is empty for the value itself, else like `address.lines[0]`. */
export interface ValueProblem extends FieldError {
  readonly path: string;
}
