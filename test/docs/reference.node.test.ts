import { readdirSync, readFileSync } from "node:fs";
import { format, resolveConfig } from "prettier";
import { describe, expect, test } from "vitest";
import { builtinBlocks } from "wavepoint/blocks";
import { type BlockSchema, type JsonSchema, pickText } from "wavepoint";
import { writeBlockTypes } from "../../scripts/reference/block-types.mjs";
import { makePages } from "../../scripts/reference/pages.mjs";
import { readExample } from "../../scripts/reference/read-examples.mjs";
import { describedFormat } from "../../src/yaml/workflow-texts.ts";
import { ROOT } from "../package/source-files.ts";

const FOLDER = `${ROOT}docs/reference/`;
const FORMAT = describedFormat();
const pages = await makePages(builtinBlocks, FORMAT);

/** The properties of a schema at any depth, each with the path that leads to it. */
function propertiesOf(schema: JsonSchema, path: string): readonly (readonly [path: string, property: JsonSchema])[] {
  const own = Object.entries(schema.properties ?? {}).map(([name, property]) => [`${path}.${name}`, property] as const);
  const others = typeof schema.additionalProperties === "object" ? propertiesOf(schema.additionalProperties, `${path}.*`) : [];
  const items = schema.items ? propertiesOf(schema.items, `${path}[]`) : [];
  return [...own, ...own.flatMap(([place, property]) => propertiesOf(property, place)), ...others, ...items];
}

function jsonSchemaOf(schema: BlockSchema | undefined): JsonSchema {
  if (schema === undefined || !("jsonSchema" in schema)) throw new Error("There is no JSON Schema.");
  return schema.jsonSchema;
}

/** Whether the description is a sentence or several, long enough to say something. */
const isSentence = ({ description = "" }: JsonSchema): boolean => /^\S.*\.$/.test(pickText(description));

test("the pages in docs/reference are those that `npm run reference` writes", () => {
  const written = readdirSync(FOLDER, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".md"));
  expect(written.map((path) => path.replaceAll("\\", "/")).toSorted()).toEqual([...pages.keys()].toSorted());
  expect(pages.size).toBeGreaterThan(15);
  const old = [...pages].filter(([path, text]) => readFileSync(`${FOLDER}${path}`, "utf8") !== text).map(([path]) => path);
  expect(old, "Run `npm run reference`.").toEqual([]);
});

test("the types of the built-in blocks are those that `npm run reference` writes", async () => {
  const path = `${ROOT}src/core/definition/typed/built-in-types.ts`;
  const types = await format(writeBlockTypes(builtinBlocks), { ...(await resolveConfig(path)), parser: "typescript" });
  expect(readFileSync(path, "utf8"), "Run `npm run reference`.").toBe(types);
});

test("a block type without an example is refused", () => {
  expect(() => readExample("NoSuchBlock")).toThrow("no-such-block.json");
  const lonely = { type: "NoSuchBlock", execute: () => ({ status: "success", outputs: {} }) as const };
  return expect(makePages([...builtinBlocks, lonely], FORMAT)).rejects.toThrow("NoSuchBlock");
});

test("every key of a workflow has a description", () => {
  const keys = propertiesOf(FORMAT, "workflow");
  expect(keys.length).toBeGreaterThan(40);
  expect(keys.filter(([, property]) => !isSentence(property)).map(([path]) => path)).toEqual([]);
});

describe("every input and output has a description", () => {
  test.each(builtinBlocks)("of $type", ({ type, description = "", inputs, outputs }) => {
    expect(description).toMatch(/^[A-Z].*\.$/);
    const found = [...propertiesOf(jsonSchemaOf(inputs), `${type}.inputs`), ...propertiesOf(jsonSchemaOf(outputs), `${type}.outputs`)];
    expect(found.length).toBeGreaterThan(1);
    expect(found.filter(([, property]) => !isSentence(property)).map(([path]) => path)).toEqual([]);
  });
});
