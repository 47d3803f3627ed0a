// @ts-check
// The inputs and outputs of the built-in block types as TypeScript, from their schemas.

/** @typedef {import("../../src/core/model/json-schema.ts").JsonSchema} JsonSchema */
/** @typedef {import("../../src/core/ports/block.ts").BlockType} BlockType */

const HEAD = `// Written by \`npm run reference\` from the schemas of the block types. Do not edit.
import type { Value } from "../../model/value.ts";

/** What the built-in block types take and give, by their names. */
export interface BuiltInTypes {
`;

/**
 * The module that names them.
 * @param {readonly BlockType[]} blocks
 */
export function writeBlockTypes(blocks) {
  const sorted = blocks.toSorted((a, b) => (a.type < b.type ? -1 : 1));
  const lines = sorted.map(
    ({ type, inputs, outputs }) => `  readonly ${type}: {
    readonly inputs: ${typeOf(schemaOf(inputs))};
    readonly outputs: ${typeOf(schemaOf(outputs))};
  };
`,
  );
  return `${HEAD}${lines.join("")}}\n`;
}

/** @param {BlockType["inputs"]} schema */
function schemaOf(schema) {
  if (schema === undefined || !("jsonSchema" in schema)) throw new Error("A built-in block type has JSON Schemas.");
  return schema.jsonSchema;
}

/** @param {JsonSchema} schema @returns {string} */
function typeOf(schema) {
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.type === undefined) return "Value";
  return [schema.type]
    .flat()
    .map((type) => namedType(type, schema))
    .join(" | ");
}

/** @param {string} type @param {JsonSchema} schema */
function namedType(type, schema) {
  if (type === "array") return `readonly (${schema.items ? typeOf(schema.items) : "Value"})[]`;
  if (type === "object") return objectType(schema);
  return type === "integer" ? "number" : type;
}

/** @param {JsonSchema} schema */
function objectType({ properties, required = [], additionalProperties }) {
  if (!properties) {
    const member = typeof additionalProperties === "object" ? typeOf(additionalProperties) : "Value";
    return `{ readonly [name: string]: ${member} }`;
  }
  const members = Object.entries(properties).map(
    ([name, schema]) => `readonly ${name}${required.includes(name) ? "" : "?"}: ${typeOf(schema)};`,
  );
  return `{ ${members.join(" ")} }`;
}
