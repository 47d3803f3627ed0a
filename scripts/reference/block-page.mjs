// @ts-check
// Writes the page about a block type.
import { neededBy } from "../../src/core/ports/block.ts";
import { tableOfInputs, tableOfOutputs } from "./schema-tables.mjs";

/** @typedef {import("../../src/core/ports/block.ts").BlockType} BlockType */
/** @typedef {import("../../src/core/ports/block.ts").BlockSchema} BlockSchema */
/** @typedef {import("../../src/core/ports/grants.ts").Capability} Capability */
/** @typedef {import("./read-examples.mjs").BlockExample} BlockExample */
/** @typedef {import("./read-examples.mjs").ExampleRun} ExampleRun */

/** @type {{ readonly [need in Capability]: string }} */
const NEEDS = {
  files:
    "In browser tabs, workers and Node, where the host grants [files](../../files.md): `nodeFiles` of `wavepoint/node`, `opfsFiles` of `wavepoint/browser`, `--allow-files` on the command line.",
  models: "Where the host grants [models](../../ai.md).",
  network:
    "In browser tabs, workers and Node, where the host grants [hosts](../../http.md#which-hosts): `allowHosts` of `wavepoint/network`, `--allow-host` on the command line.",
  shell: "In Node, where the host grants [commands](../../shell.md): `nodeShell` of `wavepoint/node`, `--allow-shell` on the command line.",
};

/**
 * @param {BlockType} blockType
 * @param {object} around
 * @param {BlockExample} around.example
 * @param {readonly string[]} around.aliases
 * @param {import("./block-groups.mjs").BlockGroup["guide"]} around.guide
 */
export function writeBlockPage(blockType, { example, aliases, guide }) {
  const { type, description, inputs, outputs } = blockType;
  return [
    `# ${type}`,
    description,
    ...(aliases.length > 0 ? [`Published workflows also write it ${aliases.map((alias) => `\`${alias}\``).join(", ")}.`] : []),
    ...exampleOf(example),
    "## Inputs",
    tableOfInputs(schemaOf(inputs, type)),
    "## Outputs",
    ...outputsOf(schemaOf(outputs, type)),
    "## Where it runs",
    whereOf(blockType),
    `More: [${guide.title}](../../${guide.place}).`,
  ].join("\n\n");
}

/**
 * @param {BlockExample} example
 * @returns {readonly string[]}
 */
function exampleOf({ text, called, run }) {
  return [
    fence("yaml", text),
    ...called.flatMap((other) => ["The workflow that it calls:", fence("yaml", other)]),
    `${circumstancesOf(run)} it gives:`,
    fence("json", JSON.stringify(run.outputs, null, 2)),
  ];
}

/**
 * What must be so for the outputs to be what they are.
 * @param {ExampleRun} run
 */
function circumstancesOf({ answers = {}, files = {}, repository = false, response }) {
  const [answer] = Object.values(answers);
  const [file] = Object.entries(files);
  if (answer !== undefined) return `Answered \`${typeof answer === "string" ? answer : JSON.stringify(answer)}\`,`;
  if (file !== undefined) return `With \`${JSON.stringify(file[1])}\` in \`${file[0]}\``;
  if (response !== undefined) return `Where the service answers \`${JSON.stringify(response)}\`,`;
  return repository ? "In a repository without such a branch" : "A run of";
}

/** @param {import("../../src/core/model/json-schema.ts").JsonSchema} schema */
function outputsOf(schema) {
  const about = schema.description === undefined ? [] : [schema.description];
  return schema.properties === undefined ? about : [...about, tableOfOutputs(schema)];
}

/** @param {BlockType} blockType */
function whereOf(blockType) {
  const { secretInputs = [], resume } = blockType;
  const needs = neededBy(blockType);
  return [
    ...(needs.length === 0 ? ["In browser tabs, workers and Node. It needs nothing from the host."] : needs.map((need) => NEEDS[need])),
    ...(typeof blockType.needs === "function" ? ["With `in: run` it needs nothing."] : []),
    ...(secretInputs.length === 0
      ? []
      : [`[Secrets](../../secrets.md) may stand in ${secretInputs.map((name) => `\`${name}\``).join(", ")}.`]),
    ...(resume ? ["While it waits for an answer the run is [paused](../../questions.md)."] : []),
  ].join(" ");
}

/**
 * @param {BlockSchema | undefined} schema
 * @param {string} type
 */
function schemaOf(schema, type) {
  if (schema === undefined || !("jsonSchema" in schema)) throw new Error(`${type} needs JSON Schemas for its inputs and outputs.`);
  return schema.jsonSchema;
}

/**
 * @param {string} language
 * @param {string} text
 */
function fence(language, text) {
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;
}
