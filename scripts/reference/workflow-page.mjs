// @ts-check
// Writes the page about the keys of workflow files.
import { tableOfKeys } from "./schema-tables.mjs";

/** @typedef {import("../../src/core/model/json-schema.ts").JsonSchema} JsonSchema */

/** What the objects of a workflow are called, by where they stand. */
const TITLES = new Map([
  ["", "A workflow"],
  ["inputs.*", "A member of `inputs`"],
  ["policy", "`policy`"],
  ["channels.*", "A member of `channels`"],
  ["blocks[]", "A block"],
  ["blocks[].depends_on[]", "A member of `depends_on`, where it is an object"],
  ["blocks[].next[]", "A member of `next`, where it is an object"],
  ["blocks[].retry", "`retry`"],
  ["blocks[].cache", "`cache`"],
  ["blocks[].on_timeout", "`on_timeout`, where it is an object"],
  ["blocks[].on_event.*", "A member of `on_event`, where it is an object"],
  ["blocks[].outputs.*", "A member of a block's `outputs`"],
  ["schedule", "The `schedule` of a workflow"],
  ["outputs.*", "A member of `outputs`, where it is an object"],
]);

/** @param {JsonSchema} format */
export function writeWorkflowPage(format) {
  return [
    "# Keys of workflow files",
    "Every key that a workflow may have. [Workflow files](../language.md) says what they mean and shows them in use.",
    ...objectsOf(format, "").flatMap(({ place, schema }) => [`## ${titleOf(place)}`, tableOfKeys(schema)]),
  ].join("\n\n");
}

/** @param {string} place */
function titleOf(place) {
  const title = TITLES.get(place);
  if (title === undefined) throw new Error(`The objects at ${place} have no title. Give them one in workflow-page.mjs.`);
  return title;
}

/**
 * The schemas of objects with keys of their own, outermost first.
 * @param {JsonSchema} schema
 * @param {string} place
 * @returns {readonly { readonly place: string; readonly schema: JsonSchema }[]}
 */
function objectsOf(schema, place) {
  const own = schema.properties ? [{ place, schema }] : [];
  const before = place === "" ? "" : `${place}.`;
  const members = Object.entries(schema.properties ?? {}).flatMap(([name, property]) => objectsOf(property, `${before}${name}`));
  const others = typeof schema.additionalProperties === "object" ? objectsOf(schema.additionalProperties, `${place}.*`) : [];
  return [...own, ...members, ...others, ...(schema.items ? objectsOf(schema.items, `${place}[]`) : [])];
}
