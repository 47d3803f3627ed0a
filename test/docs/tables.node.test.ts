import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { JsonSchema } from "wavepoint";
import { BLOCK_GROUPS } from "../../scripts/reference/block-groups.mjs";
import { FUNCTIONS } from "../../src/core/blocks/compute/functions.ts";
import { checkJsonSchema } from "../../src/core/model/check-json-schema.ts";
import { COMMANDS } from "../../src/node/cli/command-line.ts";
import { EXIT_MEANINGS } from "../../src/node/cli/exit-code.ts";
import { FORMAT } from "../../src/yaml/format.ts";
import { ROOT } from "../package/source-files.ts";
import { readDocuments } from "./documents.ts";
import { namesBelow, namesIn, rowsBelow } from "./table-names.ts";

const keysOf = (schema: JsonSchema | undefined): readonly string[] => Object.keys(schema?.properties ?? {});
const membersOf = (schema: JsonSchema | undefined): JsonSchema => schema!.additionalProperties as JsonSchema;

const workflow = FORMAT.properties!;
const block = workflow["blocks"]!.items!;

/** The members of an interface, as its source names them. */
function membersIn(path: string, name: string): readonly string[] {
  const source = readFileSync(`${ROOT}${path}`, "utf8");
  const body = new RegExp(`^export interface ${name}\\b[^{]*\\{\\n([\\s\\S]*?)^\\}`, "m").exec(source)![1]!;
  return [...body.matchAll(/^ {2}(?:readonly )?(\w+)[?(<:]/gm)].map(([, member]) => member!);
}

describe("there is a row for each key", () => {
  test.each([
    ["Keys of a workflow", keysOf(FORMAT)],
    ["Inputs", keysOf(membersOf(workflow["inputs"]))],
    // The other spelling stands in the text of its row.
    ["Blocks", keysOf(block).filter((key) => key !== "continue-on-error")],
    ["Outputs from files", keysOf(membersOf(block.properties!["outputs"]))],
  ])("below %s", (heading, keys) => {
    expect(keys.length).toBeGreaterThan(4);
    expect(namesBelow("docs/language.md", heading).toSorted()).toEqual(keys.toSorted());
  });
});

describe("the pages on blocks have a row for", () => {
  test("each member of a block type", () => {
    const members = membersIn("src/core/ports/block.ts", "BlockType");
    expect(members.length).toBeGreaterThan(8);
    expect(namesBelow("docs/block-types.md", "Members")).toEqual(expect.arrayContaining([...members]));
  });

  test("each member of the context", () => {
    const members = membersIn("src/core/ports/block.ts", "BlockContext");
    expect(members.length).toBeGreaterThan(12);
    expect(namesBelow("docs/block-types.md", "What execute is given")).toEqual(expect.arrayContaining([...members]));
  });

  test("each block type that asks", () => {
    const [asking] = BLOCK_GROUPS;
    const types = rowsBelow("docs/blocks.md", "Blocks that ask").map(([first]) => /\w+/.exec(first!)![0]);
    expect(types.toSorted()).toEqual([...asking!.types].toSorted());
  });
});

test("docs/compute.md has each function of formulas", () => {
  const listed = rowsBelow("docs/compute.md", "What a formula may hold").flatMap(([first]) =>
    [...first!.matchAll(/`([^`]+)`/g)].map(([, form]) => form!),
  );
  expect(listed.toSorted()).toEqual([...FUNCTIONS.values()].map(({ form }) => form).toSorted());
});

test("docs/questions.md names every keyword that schemas may have", () => {
  const [problem] = checkJsonSchema({ never: true });
  const keywords = /Use: (.+)\.$/.exec(problem!)![1]!.split(", ");
  expect(keywords.length).toBeGreaterThan(12);
  const { text } = readDocuments().find(({ path }) => path === "docs/questions.md")!;
  const sentence = /## JSON Schema keywords\n[\s\S]*$/.exec(text)![0];
  expect(namesIn(sentence)).toEqual(expect.arrayContaining(keywords.filter((name) => !name.startsWith("$"))));
});

test("docs/cli.md has a row for each command", () => {
  const listed = rowsBelow("docs/cli.md", "The command line")
    .flatMap(([first]) => namesIn(first!))
    .filter((name) => Number.isNaN(Number(name)));
  expect(listed.toSorted()).toEqual(COMMANDS.map(({ name }) => name).toSorted());
});

test("docs/cli.md has a row for each exit code", () => {
  const codes = rowsBelow("docs/cli.md", "The command line").filter(([first]) => /^\d+$/.test(first!));
  expect(codes).toEqual(EXIT_MEANINGS.map(([code, meaning]) => [String(code), meaning]));
});

test("docs/journal.md has a row for each entry", () => {
  const source = readFileSync(`${ROOT}src/core/model/journal.ts`, "utf8");
  const types = [...source.matchAll(/^ {2}readonly type: "(\w+)";/gm)].map(([, type]) => type!);
  expect(types.length).toBeGreaterThan(12);
  expect(namesBelow("docs/journal.md", "Entries").toSorted()).toEqual(types.toSorted());
});

test("what docs/api.md says of an entry is what the entry has", () => {
  const names = JSON.parse(readFileSync(`${ROOT}test/package/exports.json`, "utf8")) as { readonly [entry: string]: readonly string[] };
  const rows = rowsBelow("docs/api.md", "What to import").map(([entry, has]) => [namesIn(entry!)[0]!, namesIn(has!)] as const);
  for (const [entry, named] of rows) {
    const functions = named.filter((name) => /^[a-z]+[A-Z]\w+$/.test(name));
    expect(names[entry] ?? [], entry).toEqual(expect.arrayContaining([...functions]));
  }
  expect(rows.length).toBeGreaterThan(10);
});
