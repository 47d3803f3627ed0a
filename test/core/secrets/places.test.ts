import { describe, expect, test } from "vitest";
import { createExecutor, defineBlock, success } from "wavepoint";
import type { Block, BlockType, Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";
import { checkWorkflow } from "wavepoint/yaml";
import { checkDefinition } from "../../../src/core/definition/check/check-definition.ts";
import { builtinBlocks } from "wavepoint/blocks";

const login: BlockType = { ...defineBlock({ type: "Login", execute: () => success({}) }), secretInputs: ["env", "header"] };
const blockTypes = new Map([...builtinBlocks, login].map((type) => [type.type, type]));

const child: Workflow = {
  name: "child",
  inputs: { token: { type: "string", secret: true }, note: { type: "string" } },
  blocks: [{ id: "a", type: "EchoBlock", inputs: { message: "hi" } }],
};

function workflow(block: Partial<Block>, more: Partial<Workflow> = {}): Workflow {
  return {
    name: "w",
    inputs: { token: { type: "string", secret: true }, open: { type: "string" } },
    blocks: [
      { id: "first", type: "EchoBlock", inputs: { message: "hi" } },
      { id: "a", type: "Login", dependsOn: ["first"], ...block },
    ],
    ...more,
  };
}

/** Code, path and column of each problem. */
function problemsOf(written: Workflow): string[] {
  const findWorkflow = (name: string): Workflow | undefined => (name === "child" ? child : undefined);
  return checkDefinition(written, { blockTypes, findWorkflow }).map(
    ({ code, path, column }) => `${code} ${path}${column ? ` ${column}` : ""}`,
  );
}

describe("a secret may stand", () => {
  test.each<[string, Partial<Block>]>([
    ["in an input that takes secrets", { inputs: { env: "${secrets.TOKEN}" } }],
    ["in a member of it, amid text", { inputs: { env: { A: ["Bearer ${secrets.TOKEN}!"] }, header: "${inputs.token}" } }],
    ["in the older spelling", { inputs: { env: "${token}" } }],
    ["with a composed name of an input there", { inputs: { env: "${inputs.${inputs.open}}" } }],
    [
      "passed on to an input that is secret too",
      { type: "ExecuteWorkflow", inputs: { workflow: "child", inputs: { token: "x ${inputs.token}", note: "n" } } },
    ],
    [
      "passed on to a workflow that is not known yet",
      { type: "ExecuteWorkflow", inputs: { workflow: "later", inputs: { any: "${inputs.token}" } } },
    ],
    [
      "passed on to one that is named at run time",
      { type: "ExecuteWorkflow", inputs: { workflow: "${inputs.open}", inputs: { any: "${inputs.token}" } } },
    ],
  ])("%s", (_, block) => {
    expect(problemsOf(workflow(block)).filter((problem) => !problem.startsWith("REFERENCE_DEPRECATED"))).toEqual([]);
  });
});

describe("a secret is refused", () => {
  test.each<[string, Partial<Block>, string]>([
    [
      "in an input that takes none",
      { type: "EchoBlock", inputs: { message: "say ${secrets.TOKEN}" } },
      "SECRET_MISPLACED blocks[1].inputs.message 5",
    ],
    ["as an open text", { type: "EchoBlock", inputs: { message: "${inputs.token}" } }, "SECRET_MISPLACED blocks[1].inputs.message 1"],
    ["in the older spelling", { type: "EchoBlock", inputs: { message: "${token}" } }, "SECRET_MISPLACED blocks[1].inputs.message 1"],
    [
      "by a composed name",
      { type: "EchoBlock", inputs: { message: "${inputs.${inputs.open}}" } },
      "SECRET_MISPLACED blocks[1].inputs.message 1",
    ],
    ["beside the input that takes it", { inputs: { env: "x", other: "${secrets.TOKEN}" } }, "SECRET_MISPLACED blocks[1].inputs.other 1"],
    ["in a condition", { condition: "${secrets.TOKEN} == 'guess'" }, "SECRET_MISPLACED blocks[1].condition 1"],
    ["in a text of a condition", { condition: "${inputs.open} == 'x${inputs.token}'" }, "SECRET_MISPLACED blocks[1].condition 21"],
    ["in for_each", { forEach: ["${secrets.TOKEN}"] }, "SECRET_MISPLACED blocks[1].forEach[0] 1"],
    ["in the path of an output", { outputs: { x: { path: "a/${inputs.token}" } } }, "SECRET_MISPLACED blocks[1].outputs.x.path 3"],
    [
      "as part of another reference",
      { inputs: { env: "${blocks.first.outputs.${secrets.TOKEN}}" } },
      "SECRET_MISPLACED blocks[1].inputs.env 24",
    ],
    ["without its name", { inputs: { env: "${secrets}" } }, "SECRET_MISPLACED blocks[1].inputs.env 1"],
    ["with a composed name", { inputs: { env: "${secrets.${inputs.open}}" } }, "SECRET_MISPLACED blocks[1].inputs.env 1"],
    ["with a name that is none", { inputs: { env: '${secrets["a-b"]}' } }, "SECRET_MISPLACED blocks[1].inputs.env 1"],
    ["with members", { inputs: { env: "${secrets.TOKEN.x}" } }, "SECRET_MISPLACED blocks[1].inputs.env 1"],
    [
      "in an open input of a called workflow",
      { type: "ExecuteWorkflow", inputs: { workflow: "child", inputs: { token: "t", note: "${inputs.token}" } } },
      "SECRET_MISPLACED blocks[1].inputs.inputs.note 1",
    ],
    [
      "as the name of a called workflow",
      { type: "ExecuteWorkflow", inputs: { workflow: "${inputs.token}" } },
      "SECRET_MISPLACED blocks[1].inputs.workflow 1",
    ],
    [
      "of the host in a called workflow's input",
      { type: "ExecuteWorkflow", inputs: { workflow: "child", inputs: { token: "${secrets.TOKEN}", note: "n" } } },
      "SECRET_MISPLACED blocks[1].inputs.inputs.token 1",
    ],
  ])("%s", (_, block, problem) => {
    expect(problemsOf(workflow(block)).filter((found) => !found.startsWith("REFERENCE_DEPRECATED"))).toEqual([problem]);
  });

  test("in an output of the workflow", () => {
    const outputs = { a: "${secrets.TOKEN}", b: { value: ["${inputs.token}"] as never } };
    expect(problemsOf(workflow({}, { outputs }))).toEqual(["SECRET_MISPLACED outputs.a 1", "SECRET_MISPLACED outputs.b.value[0] 1"]);
  });

  test("with a message that names the places for secrets", () => {
    const [problem] = checkDefinition(workflow({ type: "EchoBlock", inputs: { message: "${secrets.TOKEN}" } }), { blockTypes });
    expect(problem?.message).toMatch(/\$\{secrets\.TOKEN\}.*"env" of Login, "header" of Login/);
  });

  test("by an executor when the workflow is loaded", async () => {
    const executor = createExecutor({ store: memoryStore(), blocks: [login], host: fakeHost(), secrets: () => "a secret" });
    const wrong = workflow({ type: "EchoBlock", inputs: { message: "${secrets.TOKEN}" } });
    await expect(executor.load(wrong)).rejects.toMatchObject({ code: "SECRET_MISPLACED", place: { path: "blocks[1].inputs.message" } });
  });
});

test("a secret input is a text", () => {
  const inputs = { token: { type: "integer", secret: true }, open: { type: "string" } } as const;
  expect(problemsOf(workflow({}, { inputs }))).toEqual(["SCHEMA_INVALID inputs.token.type"]);
});

test("of a type that is not known, inputs are left to those who know it", async () => {
  const text =
    "name: w\nblocks:\n  - {id: a, type: Login, inputs: {env: '${secrets.TOKEN}'}}\n  - {id: b, type: Login, condition: \"${secrets.TOKEN} == 'x'\"}\n";
  expect((await checkWorkflow(text)).problems.map(({ code, path, line }) => `${code} ${path} ${line}`)).toEqual([
    "BLOCK_TYPE_UNKNOWN blocks[0].type 3",
    "BLOCK_TYPE_UNKNOWN blocks[1].type 4",
    "SECRET_MISPLACED blocks[1].condition 4",
  ]);
});

test("what another block was given is seen without its secrets", async () => {
  const executor = createExecutor({ store: memoryStore(), blocks: [login], host: fakeHost(), secrets: () => "guess-me" });
  const run = await executor.start({
    name: "peek",
    blocks: [
      { id: "login", type: "Login", inputs: { env: { TOKEN: "${secrets.TOKEN}" } } },
      {
        id: "guess",
        type: "EchoBlock",
        inputs: { message: "guessed" },
        dependsOn: ["login"],
        condition: "${blocks.login.inputs.env.TOKEN} == 'guess-me'",
      },
      {
        id: "masked",
        type: "EchoBlock",
        inputs: { message: "masked" },
        dependsOn: ["login"],
        condition: "${blocks.login.inputs.env.TOKEN} == '***'",
      },
    ],
  });
  await run.settled();
  expect((await run.steps()).map(({ block, status }) => `${block} ${status}`)).toEqual([
    "login completed",
    "guess skipped",
    "masked completed",
  ]);
  expect(JSON.stringify(await run.steps())).not.toContain("guess-me");
});
