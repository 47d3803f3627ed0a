// @ts-check
// Says in words what values a JSON Schema takes.

/** @typedef {import("../../src/core/model/json-schema.ts").JsonSchema} JsonSchema */

const NAMES = new Map([
  ["string", { one: "text", many: "texts" }],
  ["integer", { one: "integer", many: "integers" }],
  ["number", { one: "number", many: "numbers" }],
  ["boolean", { one: "boolean", many: "booleans" }],
  ["array", { one: "list", many: "lists" }],
  ["object", { one: "object", many: "objects" }],
  ["null", { one: "`null`", many: "`null`" }],
]);

const UNKNOWN = { one: "any value", many: "values" };

/**
 * The values in a few words: "text, not empty", "list of texts, 1 to 1,000 items".
 * @param {JsonSchema} schema
 * @returns {string}
 */
export function describeValues(schema) {
  const bounds = boundsOf(schema).join(", ");
  return bounds === "" ? kindOf(schema, "one") : `${kindOf(schema, "one")}, ${bounds}`;
}

/**
 * @param {JsonSchema} schema
 * @param {"one" | "many"} number
 * @returns {string}
 */
function kindOf(schema, number) {
  if (schema.enum) return schema.enum.map((choice) => `\`${String(choice)}\``).join(", ");
  if (schema.const !== undefined) return `\`${String(schema.const)}\``;
  const types = schema.type === undefined ? [undefined] : [schema.type].flat();
  return joinChoices(types.map((type) => kindOfType(type, schema, number)));
}

/**
 * @param {import("../../src/core/model/json-schema.ts").JsonType | undefined} type
 * @param {JsonSchema} schema
 * @param {"one" | "many"} number
 */
function kindOfType(type, schema, number) {
  const name = (type === undefined ? UNKNOWN : (NAMES.get(type) ?? UNKNOWN))[number];
  const members = type === "array" ? schema.items : type === "object" ? schema.additionalProperties : undefined;
  if (typeof members !== "object") return name;
  const bounds = boundsOf(members).join(", ");
  return `${name} of ${kindOf(members, "many")}${bounds === "" ? "" : ` (${bounds})`}`;
}

/** @param {readonly string[]} choices */
function joinChoices(choices) {
  return choices.length < 2 ? choices.join("") : `${choices.slice(0, -1).join(", ")} or ${choices.at(-1)}`;
}

/**
 * @param {JsonSchema} schema
 * @returns {readonly string[]}
 */
function boundsOf({ minLength, maxLength, minimum, maximum, minItems, maxItems, pattern }) {
  const length = minLength === 1 && maxLength === undefined ? "not empty" : range(minLength, maxLength, " character");
  return [
    length,
    range(minimum, maximum, ""),
    range(minItems, maxItems, " item"),
    pattern === undefined ? "" : `matching \`${pattern}\``,
  ].filter((bound) => bound !== "");
}

/**
 * @param {number | undefined} least
 * @param {number | undefined} most
 * @param {string} unit
 */
function range(least, most, unit) {
  const units = unit === "" || (most ?? least) === 1 ? unit : `${unit}s`;
  const shown = (/** @type {number} */ bound) => bound.toLocaleString("en");
  if (least !== undefined && most !== undefined) return `${shown(least)} to ${shown(most)}${units}`;
  if (least !== undefined) return unit === "" ? `${shown(least)} or more` : `at least ${shown(least)}${units}`;
  return most === undefined ? "" : `at most ${shown(most)}${units}`;
}
