import type { FormContent, JsonSchema } from "../model/json-schema.ts";
import { isLocalizedText, type LocalizedText } from "../model/localized-text.ts";
import { isRecord } from "../model/value.ts";

/** What stands between the fields of a form, as the short way of writing has it. */
export type Content = FormContent & { readonly name?: undefined };

/** How a line of `fields` is written that is no field. */
export const CONTENT_KEYS: NonNullable<JsonSchema["properties"]> = {
  heading: {
    type: ["string", "object"],
    minLength: 1,
    description: "In a line without `name`: a heading above the fields that follow, or one a language.",
  },
  text: {
    type: ["string", "object"],
    minLength: 1,
    description: "In a line without `name`: a paragraph between the fields, or one a language.",
  },
  image: {
    type: "object",
    properties: {
      src: { type: "string", minLength: 1, description: "Its address, from the page on: `images/boat.png`. Other hosts are refused." },
      alt: {
        type: ["string", "object"],
        description: "What it shows, for people who do not see it, or one a language; empty where it is decoration.",
      },
    },
    required: ["src", "alt"],
    additionalProperties: false,
    description: "In a line without `name`: a picture between the fields.",
  },
};

/** An address that leads to the host of the page: no scheme, and no other host. */
const LOCAL_ADDRESS = /^(?![/\\]{2})[^\s:\\]+$/;

/** What keeps something from being shown between fields, told as what it does. */
export function contentProblem(content: FormContent): string | undefined {
  if (content.heading === undefined && content.text === undefined && content.image === undefined) {
    return 'has no "name". Give it one; only a "heading", a "text" or an "image" has none.';
  }
  const other = Object.keys(content).find((key) => !Object.hasOwn(CONTENT_KEYS, key));
  if (other !== undefined)
    return `stands between the fields, where "${other}" says nothing. Give the field a "name", or take "${other}" out.`;
  const texts: readonly (readonly [string, unknown])[] = [
    ["heading", content.heading],
    ["text", content.text],
    ["alt", content.image?.alt],
  ];
  const [strange] = texts.find(([, text]) => text !== undefined && !isLocalizedText(text)) ?? [];
  if (strange !== undefined) return `has a "${strange}" that is no text. Write a text, or one a language: { en: …, de: … }.`;
  if (content.image === undefined || LOCAL_ADDRESS.test(content.image.src)) return undefined;
  return `shows a picture from "${content.image.src}". A form shows pictures of its own page alone: write the way from there, such as images/boat.png.`;
}

/** Whether a line of a layout is content that a form may show; see {@link contentProblem}. */
export function findLayoutProblem(layout: JsonSchema["layout"] = [], names: readonly string[]): string | undefined {
  const lost = layout.find((part) => typeof part === "string" && !names.includes(part));
  if (lost !== undefined) return `The layout names "${String(lost)}", which is no field. Use: ${names.join(", ")}.`;
  const problem = layout.flatMap((part) => (isRecord(part) ? (contentProblem(part as FormContent) ?? []) : []))[0];
  return problem === undefined ? undefined : `A line of the layout ${problem}`;
}

/** Rows that are all answered on one scale. */
export function matrixOf(
  rows: readonly { readonly name: string; readonly title?: LocalizedText | undefined }[],
  scale: JsonSchema,
  isRequired: boolean,
): JsonSchema {
  const names = rows.map(({ name }) => name);
  return {
    format: "matrix",
    properties: Object.fromEntries(rows.map(({ name, title }) => [name, { ...(title === undefined ? {} : { title }), ...scale }])),
    required: isRequired ? names : [],
    additionalProperties: false,
    layout: names,
  };
}

/** Choices that are all put into an order. */
export function rankingOf(choices: JsonSchema, count: number): JsonSchema {
  return { format: "ranking", items: choices, minItems: count, maxItems: count, uniqueItems: true };
}

/** The members of an address, where a form does not name its own; browsers fill them in. */
export const ADDRESS = [
  { name: "street", max_length: 200, autocomplete: "street-address" },
  { name: "postal_code", max_length: 20, autocomplete: "postal-code" },
  { name: "city", max_length: 100, autocomplete: "address-level2" },
  { name: "country", max_length: 100, autocomplete: "country-name" },
] as const;
