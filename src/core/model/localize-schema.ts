import type { FormContent, JsonSchema } from "./json-schema.ts";
import { type LocalizedText, pickText } from "./localized-text.ts";

/** A schema whose texts are in one language, as a page draws it. */
export type ShownSchema = JsonSchema<string>;

type Members<T> = { readonly [name: string]: T };

/** The schema with its texts in a language, see {@link pickText}. */
export function localizeSchema(schema: JsonSchema, language?: string): ShownSchema {
  const pick = (text: LocalizedText): string => pickText(text, language);
  const localize = (part: JsonSchema): ShownSchema =>
    changed<JsonSchema, ShownSchema>(part, {
      title: pick,
      description: pick,
      unit: pick,
      oneOf: localizeAll,
      allOf: localizeAll,
      anyOf: localizeAll,
      prefixItems: localizeAll,
      properties: localizeMembers,
      dependentSchemas: localizeMembers,
      patternProperties: localizeMembers,
      $defs: localizeMembers,
      items: localize,
      not: localize,
      if: localize,
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      then: localize,
      else: localize,
      contains: localize,
      additionalProperties: (others) => (typeof others === "object" ? localize(others) : others),
      layout: (parts) => parts.map((one) => (typeof one === "string" ? one : changed(one, CONTENT))),
      rules: (rules) => rules.map((rule) => ({ ...rule, message: pick(rule.message) })),
      messages: (messages) => mapMembers(messages, pick),
    });
  const localizeAll = (parts: readonly JsonSchema[]): readonly ShownSchema[] => parts.map(localize);
  const localizeMembers = (members: Members<JsonSchema>): Members<ShownSchema> => mapMembers(members, localize);
  const CONTENT: Changes<FormContent, FormContent<string>> = {
    heading: pick,
    text: pick,
    image: (image) => ({ ...image, alt: pick(image.alt) }),
  };
  return localize(schema);
}

/** What becomes of some members, where they are there. */
type Changes<From, To> = { readonly [K in keyof From & keyof To]?: (value: NonNullable<From[K]>) => To[K] };

function changed<From extends object, To extends object>(part: From, changes: Changes<From, To>): To {
  const of = changes as Members<((value: unknown) => unknown) | undefined>;
  return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, of[name]?.(value) ?? value])) as To;
}

function mapMembers<From, To>(members: Members<From>, to: (member: From) => To): Members<To> {
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, to(member)]));
}
