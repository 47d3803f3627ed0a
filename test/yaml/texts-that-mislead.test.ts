import { describe, expect, test } from "vitest";
import { createExecutor, defineBlock, success } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { checkWorkflow, loadWorkflow } from "wavepoint/yaml";
import * as z from "zod";
import { builtinBlocks } from "../../src/core/blocks/builtin.ts";

const INPUTS = `
inputs:
  env: { type: string, default: production }
  ok: { type: boolean, default: false }
  n: { type: number, default: 42 }
  list: { type: array, default: [1] }
  object: { type: object, default: {} }
`;

async function findings(rest: string): Promise<readonly string[]> {
  const { problems } = await checkWorkflow(`name: flow${INPUTS}${rest}`, { blocks: builtinBlocks });
  return problems.map(({ severity, code, path }) => `${severity} ${code} ${path}`);
}

const echo = (message: string): string => `blocks: [{ id: a, type: EchoBlock, inputs: { message: ${JSON.stringify(message)} } }]`;

describe("a text that would be a condition elsewhere is a warning", () => {
  test.each([
    "${inputs.env} == 'production' and ${inputs.ok}",
    "${inputs.n} > 3",
    "not ${inputs.ok}",
    "'a' in ${inputs.list}",
    "(${inputs.n} < 3) or false",
  ])("%s", async (text) => {
    expect(await findings(echo(text))).toEqual(["warning TEXT_MISLEADING blocks[0].inputs.message"]);
  });

  test("in outputs, in lists and in for_each too", async () => {
    const text = JSON.stringify("${inputs.n} == 3");
    const rest = `
blocks:
  - { id: a, type: AskChoice, inputs: { question: Which?, choices: [x, ${text}] } }
  - { id: b, type: EchoBlock, for_each: [${text}], inputs: { message: x } }
outputs:
  short: ${text}
  long: { value: [${text}] }
`;
    expect(await findings(rest)).toEqual([
      "warning TEXT_MISLEADING blocks[0].inputs.choices[1]",
      "warning TEXT_MISLEADING blocks[1].for_each[0]",
      "warning TEXT_MISLEADING outputs.short",
      "warning TEXT_MISLEADING outputs.long.value[0]",
    ]);
  });

  test.each(["5 > 3", "Is ${inputs.n} > 3?", "${inputs.env}: not now", "a == b", "${inputs.env}", "$${inputs.n} == 3"])(
    "while %s is plain",
    async (text) => {
      expect(await findings(echo(text))).toEqual([]);
    },
  );
});

describe("{{ is a warning outside of a template", () => {
  test("in inputs and outputs", async () => {
    const rest = `${echo("Hello {{ inputs.env }}")}\noutputs: { x: "{{ blocks.a.outputs.echoed }}" }`;
    expect(await findings(rest)).toEqual(["warning TEXT_MISLEADING blocks[0].inputs.message", "warning TEXT_MISLEADING outputs.x"]);
  });

  test("and none in one, of a block type of your own as well", async () => {
    const template = `{ id: a, type: PopulateTemplate, inputs: { template: "{{ x }} and {{ y }}", variables: { x: "{{ z }}" } } }`;
    expect(await findings(`blocks: [${template}]`)).toEqual(["warning TEXT_MISLEADING blocks[0].inputs.variables.x"]);
    const mine = defineBlock({ type: "Mine", templateInputs: ["layout"], execute: () => success({}) });
    const { problems } = await checkWorkflow(`name: own\nblocks: [{ id: a, type: Mine, inputs: { layout: "{{ x }}" } }]`, {
      blocks: [mine],
    });
    expect(problems).toEqual([]);
  });
});

describe("where a text is wanted", () => {
  const seen: unknown[] = [];
  const mine = defineBlock({
    type: "Mine",
    inputs: z.object({ text: z.string(), any: z.unknown(), either: z.union([z.string(), z.number()]), list: z.array(z.string()) }),
    execute: ({ inputs }) => {
      seen.push(inputs);
      return success({});
    },
  });

  test("a number or a boolean that a reference gives is written as text, also for schemas of a library", async () => {
    const workflow = loadWorkflow(`name: flow${INPUTS}
blocks:
  - id: a
    type: Mine
    inputs: { text: "\${inputs.n}", any: "\${inputs.n}", either: "\${inputs.n}", list: ["\${inputs.ok}", "\${inputs.n}", plain] }
`);
    const run = await createExecutor({ store: memoryStore(), workflows: [workflow], blocks: [mine] }).start("flow");
    expect(await run.settled()).toMatchObject({ status: "success" });
    expect(seen).toEqual([{ text: "42", any: 42, either: 42, list: ["false", "42", "plain"] }]);
  });

  test("what a list holds is data and stays as it is", async () => {
    const workflow = loadWorkflow(
      `name: flow${INPUTS}blocks: [{ id: a, type: Mine, inputs: { text: x, any: 1, either: x, list: "\${inputs.list}" } }]`,
    );
    const run = await createExecutor({ store: memoryStore(), workflows: [workflow], blocks: [mine] }).start("flow");
    expect(await run.settled()).toMatchObject({ status: "failure", error: { code: "BLOCK_INPUT_INVALID" } });
  });

  test("a list or an object is refused at load where it is known", async () => {
    const rest = `
blocks:
  - { id: a, type: EchoBlock, inputs: { message: "\${inputs.list}" } }
  - { id: b, type: AskChoice, inputs: { question: "\${inputs.list}", choices: [x, "\${inputs.list}"] } }
  - { id: c, type: EchoBlock, for_each: [1], inputs: { message: "\${each.value}" } }
  - { id: d, type: EchoBlock, depends_on: [c], inputs: { message: "\${blocks.c.outputs.results}" } }
  - { id: e, type: EchoBlock, depends_on: [a], inputs: { message: "\${blocks.a.outputs}" } }
  - { id: f, type: EchoBlock, inputs: { message: "all: \${inputs.list}" } }
`;
    const errors = (await findings(rest)).filter((finding) => finding.startsWith("error"));
    expect(errors).toEqual([
      "error BLOCK_INPUT_INVALID blocks[0].inputs.message",
      "error BLOCK_INPUT_INVALID blocks[1].inputs.question",
      "error BLOCK_INPUT_INVALID blocks[1].inputs.choices[1]",
      "error BLOCK_INPUT_INVALID blocks[3].inputs.message",
      "error BLOCK_INPUT_INVALID blocks[4].inputs.message",
    ]);
  });

  test("and else when the block runs", async () => {
    const workflow = loadWorkflow(`name: flow
blocks:
  - { id: c, type: EchoBlock, for_each: [[1]], inputs: { message: "\${each.value}" } }
`);
    const run = await createExecutor({ store: memoryStore(), workflows: [workflow] }).start("flow");
    expect(await run.settled()).toMatchObject({ status: "failure", error: { details: { block: "c" } } });
  });
});

describe("a pattern with a class that knows ASCII only is a warning", () => {
  const ask = (pattern: string): string =>
    `blocks: [{ id: a, type: GetInput, inputs: { prompt: p, validation_pattern: ${JSON.stringify(pattern)} } }]`;

  test.each([
    [String.raw`\bname\b`, String.raw`\b knows`],
    [String.raw`a\B`, String.raw`\B knows`],
    [String.raw`^[\W]+$`, String.raw`[\W] knows`],
    [String.raw`^[^\D_]\b`, String.raw`[\D], \b knows`],
    [String.raw`[[:alpha:]\S]`, String.raw`[\S] knows`],
  ])("%s", async (pattern, names) => {
    const text = `name: flow\n${ask(pattern)}\n`;
    const { workflow, problems } = await checkWorkflow(text, { source: "flow.yaml" });
    expect(problems).toMatchObject([
      {
        severity: "warning",
        code: "TEXT_MISLEADING",
        path: "blocks[0].inputs.validation_pattern",
        line: 2,
        message: expect.stringContaining(names),
      },
    ]);
    const executor = createExecutor({ store: memoryStore() });
    await executor.load(workflow!);
    await executor.close();
  });

  test.each([String.raw`^\W\D\S$`, String.raw`^[\w\d\s-]$`, String.raw`\\b`, String.raw`^\Q\b[\W]\E$`, String.raw`[\\W]`, "[bWDS]"])(
    "%s is none",
    async (pattern) => {
      expect(await findings(ask(pattern))).toEqual([]);
    },
  );

  test("in what an output from a file must match", async () => {
    const block = String.raw`blocks: [{ id: a, type: EchoBlock, inputs: { message: x }, outputs: { o: { path: f, validation: '\bx' } } }]`;
    expect(await findings(block)).toEqual(["warning TEXT_MISLEADING blocks[0].outputs.o.validation"]);
  });
});
