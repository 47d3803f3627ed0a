import { describe, expect, test } from "vitest";
import { loadWorkflow } from "wavepoint/yaml";
import { placeOf } from "../../src/core/model/source-places.ts";

const wizard = `
name: wizard
description: all keys at once
version: "1.0"
author: someone
tags: [a, b]
inputs:
  who: {type: str, description: a name, required: true}
  count: {type: int, default: 5}
  ratio: {type: float, default: 0.5}
  also: {type: num, default: 1}
  loud: {type: bool, default: true}
  rows: {type: list, default: []}
  more: {type: dict, default: {}}
  size: {type: string, enum: [s, m], default: s}
blocks:
  - id: first
    type: EchoBlock
    description: says it
    inputs: {message: "hi \${inputs.who}", delay_ms: 0}
  - id: second
    type: ExecuteWorkflow
    depends_on: [{block: first, required: false}]
    condition: "\${blocks.first.succeeded}"
    continue_on_error: true
    max_depth: 3
  - {id: third, type: EchoBlock, depends_on: [second], continue-on-error: true, condition: false}
outputs:
  plain: \${blocks.first.outputs.echoed}
  typed: {value: "\${inputs.count}", type: int, description: a number}
`;

test("every key of the format arrives in the engine's spelling", () => {
  expect(loadWorkflow(wizard)).toEqual({
    name: "wizard",
    description: "all keys at once",
    version: "1.0",
    author: "someone",
    tags: ["a", "b"],
    inputs: {
      who: { type: "string", description: "a name", required: true },
      count: { type: "integer", default: 5 },
      ratio: { type: "number", default: 0.5 },
      also: { type: "number", default: 1 },
      loud: { type: "boolean", default: true },
      rows: { type: "array", default: [] },
      more: { type: "object", default: {} },
      size: { type: "string", enum: ["s", "m"], default: "s" },
    },
    blocks: [
      { id: "first", type: "EchoBlock", description: "says it", inputs: { message: "hi ${inputs.who}", delay_ms: 0 } },
      {
        id: "second",
        type: "ExecuteWorkflow",
        dependsOn: [{ block: "first", required: false }],
        condition: "${blocks.first.succeeded}",
        continueOnError: true,
        maxDepth: 3,
      },
      { id: "third", type: "EchoBlock", dependsOn: ["second"], continueOnError: true, condition: false },
    ],
    outputs: { plain: "${blocks.first.outputs.echoed}", typed: { value: "${inputs.count}", type: "integer", description: "a number" } },
  });
});

test("the keys of a block that retries, waits and reads files arrive as well, and names that people chose stay as they are", () => {
  const text = `
name: w
inputs: {max_depth: {type: list}}
blocks:
  - id: a_b
    type: Shell
    inputs: {command: echo, env: {LOG_LEVEL: "1"}, continue-on-error: true}
    retry: {max_attempts: 3, delay_ms: 5, backoff: 1, max_delay_ms: 7, jitter: 0.5}
    timeout_ms: 9
    for_each: \${inputs.max_depth}
    max_parallel: 2
    max_iterations: 4
    priority: -3
    effect: once
    answer_timeout_ms: 8
    on_timeout: {answer: {max_depth: 1}}
    skippable: true
    on_revise: ask_again
    outputs: {out_put: {path: o, type: int, required: false, unsafe: false, validation: x, description: d}}
  - {id: c, type: Shell, inputs: {command: echo, continue-on-error: true}, continue-on-error: true, continue_on_error: false}
`;
  expect(loadWorkflow(text)).toEqual({
    name: "w",
    inputs: { max_depth: { type: "array" } },
    blocks: [
      {
        id: "a_b",
        type: "Shell",
        inputs: { command: "echo", env: { LOG_LEVEL: "1" } },
        continueOnError: true,
        retry: { maxAttempts: 3, delayMs: 5, backoff: 1, maxDelayMs: 7, jitter: 0.5 },
        timeoutMs: 9,
        forEach: "${inputs.max_depth}",
        maxParallel: 2,
        maxIterations: 4,
        priority: -3,
        effect: "once",
        answerTimeoutMs: 8,
        onTimeout: { answer: { max_depth: 1 } },
        skippable: true,
        onRevise: "ask_again",
        outputs: { out_put: { path: "o", type: "integer", required: false, unsafe: false, validation: "x", description: "d" } },
      },
      { id: "c", type: "Shell", inputs: { command: "echo" }, continueOnError: false },
    ],
  });
});

test("a name and blocks are enough", () => {
  expect(loadWorkflow("name: small\nblocks: [{id: a, type: EchoBlock}]")).toEqual({
    name: "small",
    blocks: [{ id: "a", type: "EchoBlock" }],
  });
});

test("a default of null is kept", () => {
  expect(loadWorkflow("name: w\ninputs: {a: {type: string, default: null}}\nblocks: []").inputs).toEqual({
    a: { type: "string", default: null },
  });
});

test("values are plain YAML 1.2", () => {
  const text = "name: w\nblocks:\n- {id: a, type: T, inputs: {a: yes, b: 0x1F, c: 1e3, d: ~, e: 012, f: 2001-01-01, 7: x, g: -0.0}}";
  expect(loadWorkflow(text).blocks[0]!.inputs).toEqual({ a: "yes", b: 31, c: 1000, d: null, e: 12, f: "2001-01-01", 7: "x", g: 0 });
});

test("odd characters in values are kept as they are, and a byte order mark is no part of the text", () => {
  const workflow = loadWorkflow('\ufeffname: w\nblocks:\n  - id: a\n    type: Echo\n    inputs: {message: "\\uD800 end \\u0000 nul"}\n');
  expect(workflow.blocks[0]!.inputs).toEqual({ message: "\ud800 end \u0000 nul" });
});

describe("the first error is thrown", () => {
  test("with code, path, line, column, source and what was likely meant", () => {
    const text = 'name: w\nblocks:\n  - id: a\n    type: EchoBlock\n    inputs:\n      message: "so: ${inptus.x}"\n';
    expect(() => loadWorkflow(text, { source: "w.yaml" })).toThrow(
      expect.objectContaining({
        code: "REFERENCE_UNKNOWN",
        place: { path: "blocks[0].inputs.message", line: 6, column: 21, source: "w.yaml" },
        details: { suggestion: "inputs" },
      }),
    );
  });

  test.each([
    ["retry: {max_attempts: 1, delay_ms: 9, max_delay_ms: 5}", "blocks[0].retry.delay_ms", 55],
    ["inputs: {dependsOn: {retry: {maxDelayMs: '${x.y}'}}}", "blocks[0].inputs.dependsOn.retry.maxDelayMs", 62],
  ])("with the path as it is written: %s", (rest, path, column) => {
    const text = `name: w\nblocks:\n- {id: a, type: T, ${rest}}`;
    expect(() => loadWorkflow(text)).toThrow(expect.objectContaining({ place: { path, line: 3, column } }));
  });

  test("and warnings are not", () => {
    expect(loadWorkflow("name: w\ninputs: {x: {type: string}}\nblocks: []\noutputs: {o: '${x}'}").name).toBe("w");
  });
});

test("a loaded workflow knows where its parts stand", () => {
  const workflow = loadWorkflow(
    "name: w\nblocks:\n  - id: a\n    type: EchoBlock\n  - id: b\n    type: Nope\n    depends_on:\n      - a\n",
    { source: "w.yaml" },
  );
  expect(placeOf(workflow, "blocks[1].type")).toEqual({ path: "blocks[1].type", line: 6, column: 11, source: "w.yaml" });
  expect(placeOf(workflow, "blocks[1].dependsOn[0]")).toEqual({ path: "blocks[1].depends_on[0]", line: 8, column: 9, source: "w.yaml" });
  expect(placeOf(workflow, "blocks[1].inputs.message")).toMatchObject({ line: 5, column: 5 });
  expect(placeOf({ name: "made", blocks: [] }, "blocks")).toEqual({ path: "blocks" });
});

test("a text with Windows line ends is the same workflow, and its mistakes stand on the same lines", () => {
  const text = "name: w\nblocks:\n  - id: a\n    type: EchoBlock\n    inputs:\n      message: |\n        one\n        two\n";
  expect(loadWorkflow(text.replaceAll("\n", "\r\n"))).toEqual(loadWorkflow(text));
  const broken = text.replace("    inputs:", "    colour: red\n    inputs:").replaceAll("\n", "\r\n");
  expect(() => loadWorkflow(broken)).toThrow(expect.objectContaining({ place: expect.objectContaining({ line: 5, column: 5 }) }));
});
