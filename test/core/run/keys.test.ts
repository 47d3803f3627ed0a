import { describe, expect, test } from "vitest";
import { builtinBlocks } from "wavepoint/blocks";
import { checkWorkflow, loadWorkflow } from "wavepoint/yaml";

const block = (keys: string, type = "GetInput"): string => `name: w
blocks:
  - id: ask
    type: ${type}
    inputs: { ${type === "GetInput" ? "prompt" : "message"}: Who? }
    ${keys}
`;

describe("the keys of questions and effects", () => {
  test("are loaded", () => {
    const loaded = loadWorkflow(
      block("{}").replace("{}", "effect: once\n    answer_timeout_ms: 5\n    on_timeout: skip\n    on_revise: review"),
    );
    expect(loaded.blocks[0]).toMatchObject({ effect: "once", answerTimeoutMs: 5, onTimeout: "skip", onRevise: "review" });
  });

  test.each([
    ["fail", "fail"],
    ["skip", "skip"],
    ["{ answer: [1, { a: null }] }", { answer: [1, { a: null }] }],
  ])("on_timeout takes %s", (written, expected) => {
    expect(loadWorkflow(block(`on_timeout: ${written}`)).blocks[0]!.onTimeout).toEqual(expected);
  });

  test.each<[string, { readonly code: string; readonly path: string; readonly line?: number; readonly suggestion?: string }]>([
    ["effect: twice", { code: "SCHEMA_INVALID", path: "blocks[0].effect", line: 6 }],
    ["effect: onec", { code: "SCHEMA_INVALID", path: "blocks[0].effect", suggestion: "once" }],
    ["answer_timeout_ms: 0", { code: "SCHEMA_INVALID", path: "blocks[0].answer_timeout_ms" }],
    ["answer_timeout_ms: 2147483648", { code: "LIMIT_EXCEEDED", path: "blocks[0].answer_timeout_ms" }],
    ["answer_timeout_ms: soon", { code: "SCHEMA_INVALID", path: "blocks[0].answer_timeout_ms" }],
    ["answer_timeot_ms: 5", { code: "KEY_UNKNOWN", path: "blocks[0].answer_timeot_ms", suggestion: "answer_timeout_ms" }],
    ["on_timeout: skipp", { code: "SCHEMA_INVALID", path: "blocks[0].on_timeout", line: 6, suggestion: "skip" }],
    ["on_timeout: 5", { code: "SCHEMA_INVALID", path: "blocks[0].on_timeout" }],
    ["on_timeout: {}", { code: "SCHEMA_INVALID", path: "blocks[0].on_timeout.answer" }],
    ["on_timeout: { answr: 5 }", { code: "KEY_UNKNOWN", path: "blocks[0].on_timeout.answr", suggestion: "answer" }],
    ['on_timeout: { answer: [x, "${inputs.x}"] }', { code: "SCHEMA_INVALID", path: "blocks[0].on_timeout.answer[1]", line: 6 }],
    ["on_revise: ask", { code: "SCHEMA_INVALID", path: "blocks[0].on_revise", suggestion: "ask_again" }],
  ])("%s is refused with its place", async (keys, expected) => {
    expect((await checkWorkflow(block(keys))).problems).toMatchObject([expected]);
  });

  test("a time limit for answers is refused where the block asks nothing", async () => {
    const { problems } = await checkWorkflow(block("answer_timeout_ms: 5", "EchoBlock"), { blocks: builtinBlocks });
    expect(problems).toMatchObject([{ code: "BLOCK_NOT_INTERACTIVE", path: "blocks[0].answer_timeout_ms", line: 6 }]);
    expect((await checkWorkflow(block("answer_timeout_ms: 5"), { blocks: builtinBlocks })).problems).toEqual([]);
  });

  test("what follows is refused where the block asks nothing", async () => {
    const { problems } = await checkWorkflow(block("on_timeout: skip", "EchoBlock"), { blocks: builtinBlocks });
    expect(problems).toMatchObject([{ code: "BLOCK_NOT_INTERACTIVE", path: "blocks[0].on_timeout" }]);
  });
});
