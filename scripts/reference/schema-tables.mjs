// @ts-check
// Writes the properties of a JSON Schema as Markdown tables.
import { pickText } from "../../src/core/model/localized-text.ts";
import { describeValues } from "./schema-words.mjs";

/** @typedef {import("../../src/core/model/json-schema.ts").JsonSchema} JsonSchema */

/**
 * A property and where it stands.
 * @typedef {{ readonly path: string; readonly property: JsonSchema; readonly isRequired: boolean }} Row
 */

/**
 * The inputs of a block type, with the keys of objects in lists.
 * @param {JsonSchema} schema
 */
export function tableOfInputs(schema) {
  return tableOfGiven("input", rowsOf(schema).flatMap(withMembers));
}

/**
 * The keys of one object of a workflow.
 * @param {JsonSchema} schema
 */
export function tableOfKeys(schema) {
  return tableOfGiven("key", rowsOf(schema));
}

/**
 * @param {string} heading
 * @param {readonly Row[]} rows
 */
function tableOfGiven(heading, rows) {
  const cells = rows.map(({ path, property, isRequired }) => {
    const preset = isRequired ? "required" : property.default === undefined ? "" : `\`${presetOf(property.default)}\``;
    return [`\`${path}\``, describeValues(property), preset, pickText(property.description ?? "")];
  });
  return table([heading, "values", "default", ""], cells);
}

/**
 * The properties of what a block gives.
 * @param {JsonSchema} schema
 */
export function tableOfOutputs(schema) {
  const rows = rowsOf(schema).map(({ path, property }) => [`\`${path}\``, describeValues(property), pickText(property.description ?? "")]);
  return table(["output", "values", ""], rows);
}

/**
 * @param {JsonSchema} schema
 * @param {string} [before]
 * @returns {readonly Row[]}
 */
function rowsOf({ properties = {}, required = [] }, before = "") {
  return Object.entries(properties).map(([name, property]) => ({
    path: `${before}${name}`,
    property,
    isRequired: required.includes(name),
  }));
}

/**
 * What is written like what stands around it is not told again.
 * @param {Row} row
 * @returns {readonly Row[]}
 */
function withMembers(row) {
  const [name, around] = row.path.split(/\[?\]?\./).toReversed();
  return name === around ? [row] : [row, ...rowsOf(row.property.items ?? {}, `${row.path}[].`).flatMap(withMembers)];
}

/** @param {import("../../src/core/model/value.ts").Value} preset */
function presetOf(preset) {
  return typeof preset === "string" ? preset : JSON.stringify(preset);
}

/**
 * @param {readonly string[]} heads
 * @param {readonly (readonly string[])[]} rows
 */
export function table(heads, rows) {
  const lines = [heads, heads.map(() => "---"), ...rows.map((cells) => cells.map((cell) => cell.replaceAll("|", "\\|")))];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
