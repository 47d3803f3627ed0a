// @ts-check
// Reads the examples of the reference: for each block type a workflow, and what a run of it is given and gives.
import { readFileSync } from "node:fs";

/** @typedef {import("../../src/core/model/value.ts").Values} Values */

/**
 * What a run of an example is given, and gives.
 * @typedef {object} ExampleRun
 * @property {Values} [answers] By the ids of the blocks that ask.
 * @property {readonly string[]} [called] Files with the workflows that this one calls.
 * @property {{ readonly [path: string]: string }} [files] What lies below the root.
 * @property {boolean} [repository] Whether the root is a git repository.
 * @property {import("../../src/core/model/value.ts").Value} [response] What the service answers.
 * @property {Values} outputs
 */

/**
 * @typedef {object} BlockExample
 * @property {string} text
 * @property {readonly string[]} called Texts of the workflows that it calls.
 * @property {ExampleRun} run
 */

const FOLDER = new URL("../../docs/reference/examples/", import.meta.url);

/**
 * The name of a file about a block type: `HttpCall` becomes `http-call`.
 * @param {string} type
 */
export function fileNameOf(type) {
  return type.replaceAll(/([a-z0-9])([A-Z])|([A-Z])([A-Z][a-z])/g, "$1$3-$2$4").toLowerCase();
}

/**
 * The example of a block type. Throws where there is none.
 * @param {string} type
 * @returns {BlockExample}
 */
export function readExample(type) {
  const name = fileNameOf(type);
  /** @type {ExampleRun} */
  const run = JSON.parse(readText(`${name}.json`));
  return { text: readText(`${name}.yaml`), called: (run.called ?? []).map(readText), run };
}

/** @param {string} name */
function readText(name) {
  return readFileSync(new URL(name, FOLDER), "utf8");
}
