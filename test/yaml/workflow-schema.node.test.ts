import { readdirSync, readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { defineBlock, success } from "wavepoint";
import { builtinBlocks } from "wavepoint/blocks";
import { checkWorkflow, workflowSchema } from "wavepoint/yaml";
import { examplesIn } from "../docs/documents.ts";
import { ROOT } from "../package/source-files.ts";

const validate = new Ajv2020({ allErrors: true, allowUnionTypes: true }).compile(workflowSchema(builtinBlocks));
const validated = (text: string): readonly string[] => {
  validate(parse(text));
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
};

const filesIn = (folder: string) =>
  readdirSync(`${ROOT}${folder}`, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".yaml"))
    .map((name) => ({ place: `${folder}/${name}`, text: readFileSync(`${ROOT}${folder}/${name}`, "utf8") }));

interface Case {
  readonly workflows: readonly string[];
}

const inCases = readdirSync(`${ROOT}test/corpus/cases`)
  .filter((name) => name.endsWith(".json"))
  .flatMap((name) => {
    const { workflows } = JSON.parse(readFileSync(`${ROOT}test/corpus/cases/${name}`, "utf8")) as Case;
    return workflows.map((text, i) => ({ place: `cases/${name}[${i}]`, text }));
  });

const candidates = [
  ...filesIn("examples"),
  ...filesIn("demo/workflows"),
  ...inCases,
  ...examplesIn("yaml").filter(({ marks }) => marks.length === 0),
];
const checked = await Promise.all(candidates.map(({ text }) => checkWorkflow(text)));
const valid = candidates.filter((_, i) => checked[i]!.workflow !== undefined);

test("there are workflows to try", () => {
  expect(valid.length).toBeGreaterThan(40);
});

describe("the schema takes what can be run", () => {
  test.each(valid)("$place", ({ text }) => {
    expect(validated(text)).toEqual([]);
  });
});

const block = (lines: string) => `name: w\nblocks:\n  - ${lines.replaceAll("\n", "\n    ")}\n`;

describe("the schema finds", () => {
  test.each([
    ["a workflow without a name", "blocks: []", "must have required property 'name'"],
    ["a name with a blank", "name: a b\nblocks: []", "/name must match pattern"],
    ["a key that is misspelt", "name: a\nblock: []\nblocks: []", "must NOT have additional properties"],
    ["a version that is a number", "name: a\nversion: 1.0\nblocks: []", "/version must be string"],
    ["an input without a type", "name: a\ninputs: { x: { default: 1 } }\nblocks: []", "/inputs/x must have required property 'type'"],
    [
      "a type of values that is none",
      "name: a\ninputs: { x: { type: text } }\nblocks: []",
      "/inputs/x/type must be equal to one of the allowed values",
    ],
    ["a block type that is none", block("{ id: a, type: EchoBlok }"), "/blocks/0/type must be equal to one of the allowed values"],
    [
      "a key of a block that is misspelt",
      block("{ id: a, type: EchoBlock, depend_on: [b], inputs: { message: m } }"),
      "/blocks/0 must NOT have additional properties",
    ],
    ["a missing input", block("{ id: a, type: GetInput }"), "/blocks/0 must have required property 'inputs'"],
    [
      "an input of the wrong type",
      block("{ id: a, type: EchoBlock, inputs: { message: m, delay_ms: soon } }"),
      "/blocks/0/inputs/delay_ms must be",
    ],
    [
      "an input that is misspelt",
      block("{ id: a, type: AskChoice, inputs: { question: q, choises: [a] } }"),
      "/blocks/0/inputs must NOT have additional properties",
    ],
    [
      "a retry without a number of attempts",
      block("{ id: a, type: EchoBlock, inputs: { message: m }, retry: { delay_ms: 5 } }"),
      "/blocks/0/retry must have required property 'max_attempts'",
    ],
    [
      "too many attempts",
      block("{ id: a, type: EchoBlock, inputs: { message: m }, retry: { max_attempts: 1000 } }"),
      "/blocks/0/retry/max_attempts must be <= 100",
    ],
  ])("%s", async (_, text, problem) => {
    expect((await checkWorkflow(text, { blocks: builtinBlocks })).workflow).toBeUndefined();
    expect(validated(text)).toEqual(expect.arrayContaining([expect.stringContaining(problem)]));
  });
});

test("a reference stands for any value of an input, and for no key of the block", () => {
  expect(validated(block('{ id: a, type: EchoBlock, inputs: { message: m, delay_ms: "${inputs.ms}" } }'))).toEqual([]);
  expect(validated(block('{ id: a, type: AskChoice, inputs: { question: q, choices: "${inputs.choices}" } }'))).toEqual([]);
  expect(validated(block('{ id: a, type: EchoBlock, timeout_ms: "${inputs.ms}", inputs: { message: m } }'))).toEqual([
    "/blocks/0/timeout_ms must be integer",
  ]);
});

test("block types of your own have their place in a schema of your own", () => {
  const inputs = {
    jsonSchema: {
      type: "object",
      properties: {
        show: { type: "string", enum: ["early", "late"] },
        row: { type: "string", oneOf: [{ const: "a", title: "In front" }, { const: "b" }] },
      },
      required: ["show"],
    },
  } as const;
  const pickSeat = defineBlock({ type: "PickSeat", inputs, execute: () => success({}) });
  const own = new Ajv2020({ allowUnionTypes: true }).compile(workflowSchema([...builtinBlocks, pickSeat]));
  expect(own(parse(block("{ id: a, type: PickSeat, inputs: { show: late } }")))).toBe(true);
  expect(own(parse(block("{ id: a, type: PickSeat, inputs: { show: never } }")))).toBe(false);
  expect(own(parse(block("{ id: a, type: PickSeat, inputs: { show: late, row: a } }")))).toBe(true);
  expect(own(parse(block("{ id: a, type: PickSeat, inputs: { show: late, row: In front } }")))).toBe(false);
  expect(own(parse(block('{ id: a, type: PickSeat, inputs: { show: late, row: "${inputs.row}" } }')))).toBe(true);
});

test("every key has a description, and the schema no absolute name of its own", () => {
  const schema = workflowSchema(builtinBlocks) as { $id: string; properties: { blocks: { items: { properties: object } } } };
  expect(schema.$id).toBe("workflow.schema.json");
  const described = [...Object.entries(schema.properties), ...Object.entries(schema.properties.blocks.items.properties)];
  expect(described.length).toBeGreaterThan(15);
  for (const [key, member] of described) expect(member, key).toMatchObject({ description: expect.stringMatching(/\.$/) as string });
});
