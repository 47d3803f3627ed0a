import { describe, expect, test } from "vitest";
import type { Block, ChannelDeclaration, Workflow } from "wavepoint";
import { checkDefinition } from "../../../src/core/definition/check/check-definition.ts";
import { checkText } from "../../../src/yaml/check-text.ts";

/** What is found in a workflow with these channels, as lines of code and path. */
function found(
  channels: { readonly [name: string]: ChannelDeclaration },
  blocks: readonly Partial<Block>[] = [],
  more: Partial<Workflow> = {},
) {
  const workflow = { name: "w", channels, blocks: blocks.map((block, i) => ({ id: `b${i}`, type: "Echo", ...block })), ...more };
  return checkDefinition(workflow, { reducers: new Map() }).map(({ code, path }) => `${code} ${path}`);
}

describe("channels that are declared", () => {
  test.each<[string, ChannelDeclaration]>([
    ["a value of any type", {}],
    ["a typed value", { type: "string", default: "x" }],
    ["a list with a schema of its items", { type: "array", schema: { items: { type: "string" } }, default: ["x"], reduce: "append" }],
    ["a sum of whole numbers", { type: "integer", default: 3, reduce: "sum" }],
    ["an object", { reduce: "merge", default: { a: 1 } }],
    ["a set", { reduce: "union" }],
  ])("%s will do", (_, channel) => {
    expect(found({ c: channel })).toEqual([]);
  });

  test.each<[string, ChannelDeclaration, string]>([
    ["a default of another type", { type: "number", default: "x" }, "CHANNEL_INVALID channels.c.default"],
    [
      "a default that its schema refuses",
      { schema: { items: { type: "string" } }, default: [1], reduce: "append" },
      "CHANNEL_INVALID channels.c.default",
    ],
    ["a default that its reducer cannot join to", { default: 0, reduce: "append" }, "CHANNEL_INVALID channels.c.default"],
    ["a type that its reducer cannot make", { type: "string", reduce: "sum" }, "CHANNEL_INVALID channels.c.type"],
    ["a reducer that there is not", { reduce: "apend" }, "CHANNEL_INVALID channels.c.reduce"],
    ["a schema that is none", { schema: { type: "text" } as never }, "CHANNEL_INVALID channels.c.schema"],
    ["a type that there is not", { type: "text" as never }, "SCHEMA_INVALID channels.c.type"],
  ])("%s will not", (_, channel, problem) => {
    expect(found({ c: channel })).toEqual([problem]);
  });

  test("a name outside the grammar will not", () => {
    expect(found({ "a b": {} })).toEqual(['ID_INVALID channels["a b"]']);
  });
});

describe("what a workflow says of channels", () => {
  const channels = { log: { reduce: "append" }, n: { type: "number", reduce: "sum" } } as const;

  test.each<[string, Partial<Block>, string]>([
    ["a write to one that is not declared", { writes: { lok: 1 } }, "CHANNEL_UNKNOWN blocks[0].writes.lok"],
    ["a write that does not fit", { writes: { n: "x" } }, "CHANNEL_INVALID blocks[0].writes.n"],
    ["a reference to one that is not declared", { inputs: { m: "${channels.lok}" } }, "CHANNEL_UNKNOWN blocks[0].inputs.m"],
    ["a reference to all of them", { inputs: { m: "${channels}" } }, "REFERENCE_FORBIDDEN blocks[0].inputs.m"],
    ["a condition that cannot be read", { repeatWhile: "n <" }, "EXPRESSION_SYNTAX blocks[0].repeatWhile"],
    [
      "a condition that sees its own outputs too early",
      { condition: "${blocks.b0.outputs.x} == 1" },
      "REFERENCE_TOO_EARLY blocks[0].condition",
    ],
    ["a secret in a write", { writes: { log: "${secrets.TOKEN}" } }, "SECRET_MISPLACED blocks[0].writes.log"],
  ])("%s is found", (_, block, problem) => {
    expect(found(channels, [block])).toEqual([problem]);
  });

  test("names the channel that was likely meant", () => {
    const [problem] = checkDefinition({ name: "w", channels, blocks: [{ id: "a", type: "Echo", writes: { lok: 1 } }] });
    expect(problem).toMatchObject({ code: "CHANNEL_UNKNOWN", suggestion: "log" });
  });

  test("writes and repeat_while see the block's own outputs", () => {
    const block = { writes: { log: "${blocks.b0.outputs.x}" }, repeatWhile: "${blocks.b0.outputs.x} != 1 and ${channels.n} < 5" };
    expect(found(channels, [block])).toEqual([]);
  });

  test("an input that is made from a channel is not referred to by others", () => {
    const blocks = [
      { inputs: { m: "${channels.n}", k: "x" } },
      { dependsOn: ["b0"], inputs: { m: "${blocks.b0.inputs.m}", k: "${blocks.b0.inputs.k}" } },
    ];
    expect(found(channels, blocks)).toEqual(["REFERENCE_UNKNOWN blocks[1].inputs.m"]);
  });

  test("in a workflow without channels the word is free", () => {
    const workflow = {
      name: "w",
      inputs: { channels: { type: "object" } },
      blocks: [{ id: "a", type: "Echo", inputs: { m: "${channels.x}" } }],
    } as const;
    expect(checkDefinition(workflow)).toEqual([]);
    expect(found({}, [{ inputs: { m: "${channels.x}" } }])).toEqual(["CHANNEL_UNKNOWN blocks[0].inputs.m"]);
  });
});

test("in YAML the keys are in snake_case, and types have their short names", () => {
  const text = [
    "name: w",
    "channels:",
    "  n: { type: int, reduce: sum }",
    "blocks:",
    '  - { id: a, type: EchoBlock, inputs: { message: x }, writes: { n: 1 }, repeat_while: "${channels.n} < 3", max_iterations: 5 }',
  ].join("\n");
  const { workflow, problems } = checkText(text);
  expect(problems).toEqual([]);
  expect(workflow).toMatchObject({
    channels: { n: { type: "integer", reduce: "sum" } },
    blocks: [{ writes: { n: 1 }, repeatWhile: "${channels.n} < 3", maxIterations: 5 }],
  });
});
