import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { createExecutor, defineBlock, success, type BlockType, type Grants } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { checkWorkflow, loadWorkflow } from "wavepoint/yaml";
import * as z from "zod";
import { CASES } from "./case-files.ts";
import { expectWorkflowError } from "./hostile-runner/attempt.ts";
import { GENERATED_WORKFLOWS, restoreLongTexts } from "./hostile/generate.ts";
import manifest from "./hostile/manifest.json" with { type: "json" };

// Whatever an executor refuses to start because of its definition, `checkWorkflow` has reported, given the same block types and grants.

const blocks: readonly BlockType[] = [
  defineBlock({ type: "Echo", execute: () => success({}) }),
  defineBlock({
    type: "Typed",
    inputs: z.object({
      count: z.number().max(9),
      name: z.string().optional(),
      nested: z.object({ list: z.array(z.boolean()) }).optional(),
    }),
    execute: () => success({}),
  }),
];

/** Granted as far as anyone looks before a block runs. */
const granted = { files: {}, shell: {}, network: {} } as never as Grants;

/** Why an executor refuses a text; nothing where it takes it. */
async function refusal(text: string, grants: Grants): Promise<string | undefined> {
  const executor = createExecutor({ store: memoryStore(), blocks, grants });
  try {
    const workflow = loadWorkflow(text);
    await executor.load(workflow);
    // What is granted here cannot be executed.
    if (Object.keys(grants).length === 0) await (await executor.start(workflow)).cancel();
    return undefined;
  } catch (thrown) {
    const { code } = expectWorkflowError(thrown);
    // Inputs and secrets are none of the definition's.
    return code === "INPUT_INVALID" || code === "SECRET_MISSING" ? undefined : code;
  } finally {
    await executor.close();
  }
}

async function reported(text: string, grants: Grants): Promise<readonly string[]> {
  const { problems } = await checkWorkflow(text, { blocks, grants });
  return problems.filter(({ severity }) => severity === "error").map(({ code }) => code);
}

async function expectTogether(text: string): Promise<string | undefined> {
  let refused: string | undefined;
  for (const grants of [{}, granted]) {
    refused = await refusal(text, grants);
    const codes = await reported(text, grants);
    if (refused !== undefined) expect(codes, `refused with ${refused}`).not.toEqual([]);
    else expect(codes).toEqual([]);
  }
  return refused;
}

/** The definition that puts a row of a table where it does harm. */
const DEFINITIONS: { readonly [kind: string]: (given: unknown) => unknown } = {
  expression: (condition) => ({ type: "EchoBlock", inputs: { message: "x" }, condition }),
  regex: (pattern) => ({ type: "GetInput", inputs: { prompt: "?", validation_pattern: pattern } }),
  path: (path) => ({ type: "CreateFile", inputs: { path, content: "x" } }),
  identifier: (id) => ({ type: "EchoBlock", inputs: { message: "x" }, id }),
};

async function hostileText({ kind, file, row }: (typeof manifest.inputs)[number]): Promise<string> {
  const text = GENERATED_WORKFLOWS.get(file)?.() ?? (await readFile(fileURLToPath(new URL(`hostile/${file}`, import.meta.url)), "utf8"));
  if (kind === "workflow") return text;
  const { rows } = restoreLongTexts(JSON.parse(text)) as { readonly rows: readonly { readonly in_: unknown }[] };
  const { in_: given } = rows[row!]!;
  return JSON.stringify({ name: "flow", blocks: [{ id: "a", ...(DEFINITIONS[kind]!(given) as object) }] });
}

describe("what start refuses, checkWorkflow has reported", () => {
  const hostile = manifest.inputs.filter(({ kind }) => kind === "workflow" || kind in DEFINITIONS);

  test("there is something to try", () => {
    expect(hostile.length).toBeGreaterThan(120);
    expect(CASES.length).toBeGreaterThan(150);
  });

  test.each(hostile)("$id: $attack", async (input) => {
    await expectTogether(await hostileText(input));
  });

  test.each(CASES)("$name", async ({ workflows }) => {
    for (const text of workflows) await expectTogether(text);
  });
});

describe("and so it has for inputs that only the block types themselves understand", () => {
  const form = (schema: unknown) => ({ type: "Form", inputs: { prompt: "?", schema } });
  const properties = { a: { type: "string" } };

  test.each<[string, object]>([
    ["a form by a schema with a keyword that is not supported", form({ type: "object", properties, allOf: [] })],
    ["a date with a least number", { type: "Form", inputs: { prompt: "?", fields: [{ name: "d", format: "date", minimum: 3 }] } }],
    ["a pattern that looks ahead", { type: "GetInput", inputs: { prompt: "?", validation_pattern: "(?=x)y" } }],
    ["a type that does not exist", { type: "EchoBlok", inputs: { message: "x" } }],
    ["a pattern of an output", { type: "EchoBlock", inputs: { message: "x" }, outputs: { o: { path: "a", validation: "(?=x)y" } } }],
    ["a literal that the schema of a library refuses", { type: "Typed", inputs: { count: "three" } }],
    ["a literal beside a reference", { type: "Typed", inputs: { count: 10, name: "${metadata.workflow_name}" } }],
    ["a literal deep in an input", { type: "Typed", inputs: { count: 1, nested: { list: [true, "no"] } } }],
    ["a missing input", { type: "Typed", inputs: { name: "x" } }],
    ["an input that a library would pass over", { type: "Typed", inputs: { count: 1, nmae: "x" } }],
  ])("%s", async (_, block) => {
    const text = JSON.stringify({ name: "flow", blocks: [{ id: "a", ...block }] });
    expect(await expectTogether(text)).toBeDefined();
  });

  test.each<[string, object]>([
    ["references where literals would be refused", { count: "${inputs.n}", nested: { list: "${inputs.list}" } }],
    ["a reference inside a list", { count: 1, nested: { list: [true, "${inputs.n}"] } }],
  ])("while %s are left for the run", async (_, inputs) => {
    const declared = { n: { type: "integer", default: 1 }, list: { type: "array", default: [] } };
    const text = JSON.stringify({ name: "flow", inputs: declared, blocks: [{ id: "a", type: "Typed", inputs }] });
    expect(await expectTogether(text)).toBeUndefined();
  });

  test("with the name that was likely meant, and the place in the text", async () => {
    const text = "name: flow\nblocks:\n  - id: a\n    type: Typed\n    inputs: { count: 1, nmae: x }\n";
    expect((await checkWorkflow(text, { blocks })).problems).toMatchObject([
      { code: "BLOCK_INPUT_INVALID", path: "blocks[0].inputs.nmae", line: 5, suggestion: "name" },
    ]);
    const wrong = "name: flow\nblocks:\n  - id: a\n    type: Typed\n    inputs:\n      count: 1\n      nested: { list: [true, 3] }\n";
    expect((await checkWorkflow(wrong, { blocks })).problems).toMatchObject([
      { path: "blocks[0].inputs.nested.list[1]", line: 7, column: 30 },
    ]);
  });
});
