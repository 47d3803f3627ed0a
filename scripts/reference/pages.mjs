// @ts-check
// Makes all pages of the reference.
import { format, resolveConfig } from "prettier";
import { writeBlockPage } from "./block-page.mjs";
import { BLOCK_GROUPS } from "./block-groups.mjs";
import { fileNameOf, readExample } from "./read-examples.mjs";
import { table } from "./schema-tables.mjs";
import { writeWorkflowPage } from "./workflow-page.mjs";

/** @typedef {import("../../src/core/ports/block.ts").BlockType} BlockType */

const MARK = "<!-- Written by `npm run reference` from the schemas in the source. -->";

/**
 * The pages, by their paths below `docs/reference/`.
 * @param {readonly BlockType[]} blockTypes
 * @param {import("../../src/core/model/json-schema.ts").JsonSchema} workflow The form of a workflow.
 * @returns {Promise<ReadonlyMap<string, string>>}
 */
export async function makePages(blockTypes, workflow) {
  const own = blockTypes.filter((blockType) => originalOf(blockType, blockTypes) === blockType);
  assertGrouped(own);
  const pages = new Map([
    ["README.md", writeIndex(own, blockTypes)],
    ["workflow.md", writeWorkflowPage(workflow)],
    ...own.map((blockType) => /** @type {const} */ ([placeOf(blockType.type), pageOf(blockType, blockTypes)])),
  ]);
  const options = { ...(await resolveConfig(new URL("../../package.json", import.meta.url))), parser: "markdown" };
  const formatted = [...pages].map(async ([path, text]) => /** @type {const} */ ([path, await format(`${MARK}\n\n${text}\n`, options)]));
  return new Map(await Promise.all(formatted));
}

/**
 * @param {BlockType} blockType
 * @param {readonly BlockType[]} blockTypes
 */
function pageOf(blockType, blockTypes) {
  const { guide } = /** @type {import("./block-groups.mjs").BlockGroup} */ (
    BLOCK_GROUPS.find(({ types }) => types.includes(blockType.type))
  );
  return writeBlockPage(blockType, { example: readExample(blockType.type), aliases: aliasesOf(blockType, blockTypes), guide });
}

/**
 * @param {readonly BlockType[]} own
 * @param {readonly BlockType[]} blockTypes
 */
function writeIndex(own, blockTypes) {
  const byType = new Map(own.map((blockType) => [blockType.type, blockType]));
  const groups = BLOCK_GROUPS.flatMap(({ title, types, guide }) => [
    `## ${title}`,
    `Guide: [${guide.title}](../${guide.place}).`,
    table(
      ["block type", ""],
      types.map((type) => [`[${type}](${placeOf(type)})`, byType.get(type)?.description ?? ""]),
    ),
  ]);
  const aliases = own.flatMap((blockType) =>
    aliasesOf(blockType, blockTypes).map((alias) => [`\`${alias}\``, `[${blockType.type}](${placeOf(blockType.type)})`]),
  );
  return [
    "# Reference",
    "[Keys of workflow files](workflow.md), [errors](../errors.md), and the built-in block types:",
    ...groups,
    ...(aliases.length === 0
      ? []
      : [
          "## Other names",
          "Published workflows write some of these types otherwise. Both names do the same.",
          table(["name", "is"], aliases),
        ]),
  ].join("\n\n");
}

/**
 * Types that do the same under another name share their code.
 * @param {BlockType} blockType
 * @param {readonly BlockType[]} blockTypes
 */
function originalOf(blockType, blockTypes) {
  return blockTypes.find(({ execute, inputs }) => execute === blockType.execute && inputs === blockType.inputs);
}

/**
 * @param {BlockType} blockType
 * @param {readonly BlockType[]} blockTypes
 */
function aliasesOf(blockType, blockTypes) {
  return blockTypes.filter((other) => other !== blockType && originalOf(other, blockTypes) === blockType).map(({ type }) => type);
}

/** @param {string} type */
function placeOf(type) {
  return `blocks/${fileNameOf(type)}.md`;
}

/** @param {readonly BlockType[]} own */
function assertGrouped(own) {
  const types = own.map(({ type }) => type).toSorted();
  const grouped = BLOCK_GROUPS.flatMap((group) => group.types).toSorted();
  if (types.join() !== grouped.join()) throw new Error(`block-groups.mjs lists ${grouped.join(", ")}. There are: ${types.join(", ")}.`);
}
