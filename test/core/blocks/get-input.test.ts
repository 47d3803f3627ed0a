import { describe, expect, test } from "vitest";
import { getInputBlock } from "../../../src/core/blocks/get-input.ts";
import { answerBlock, askBlock, runBlock } from "./block-stage.ts";

const name = { prompt: "Name?", validation_pattern: "^[a-z0-9-]+$" };

describe("GetInput", () => {
  test("asks with exactly its prompt", async () => {
    expect(await askBlock(getInputBlock, { prompt: "Name?" })).toEqual({
      prompt: "Name?",
      schema: { type: "string", minLength: 1 },
      metadata: { kind: "text" },
    });
  });

  test("tells a page the pattern", async () => {
    expect((await askBlock(getInputBlock, name)).metadata).toEqual({ kind: "text", pattern: "^[a-z0-9-]+$" });
  });

  test.each([
    [name, "my-app"],
    [{ prompt: "?" }, "  kept as typed \n"],
    [{ prompt: "?", validation_pattern: "[0-9]+" }, "12 monkeys"],
    [{ prompt: "?", validation_pattern: "[0-9]*" }, ""],
    [{ prompt: "?", validation_pattern: "" }, "anything"],
    [{ prompt: "?", validation_pattern: null }, "anything"],
  ])("with %j takes %j", async (inputs, response) => {
    expect(await answerBlock(getInputBlock, inputs, response)).toEqual({ input_value: response });
  });

  test.each([
    [name, "My App", "The answer does not match the pattern ^[a-z0-9-]+$: My App. Change the answer to fit it."],
    [name, "", "The answer does not match the pattern ^[a-z0-9-]+$: . Change the answer to fit it."],
    [
      { prompt: "?", validation_pattern: "[0-9]+" },
      "no 12",
      "The answer does not match the pattern [0-9]+: no 12. Change the answer to fit it.",
    ],
    [{ prompt: "?" }, "", "The answer is empty. Give a text."],
    [{ prompt: "?" }, 12, "The answer must be a text."],
    [{ prompt: "?" }, null, "The answer must be a text."],
  ])("with %j refuses %j", async (inputs, response, message) => {
    expect(await answerBlock(getInputBlock, inputs, response)).toBe(message);
  });

  test("lets an empty answer through the schema only where its pattern takes one", async () => {
    expect((await askBlock(getInputBlock, { prompt: "?", validation_pattern: "[0-9]*" })).schema).toEqual({ type: "string" });
    expect((await askBlock(getInputBlock, name)).schema).toEqual({ type: "string", minLength: 1 });
  });

  test("refuses a bad pattern at load", async () => {
    const given = { prompt: "?", validation_pattern: "(?=a)b" };
    expect(await getInputBlock.checkInputs!(given, given)).toEqual([
      { input: "validation_pattern", code: "PATTERN_INVALID", message: expect.stringContaining("RE2 syntax") },
    ]);
    expect(await getInputBlock.checkInputs!(name, name)).toEqual([]);
    expect(await getInputBlock.checkInputs!({ prompt: "?" }, { prompt: "?" })).toEqual([]);
  });

  test("fails with a bad pattern that only the run brought", async () => {
    expect(await runBlock(getInputBlock, { prompt: "?", validation_pattern: "(" })).toMatchObject({
      status: "failure",
      error: { code: "PATTERN_INVALID" },
    });
  });

  test.each([
    [{}, "prompt is required"],
    [{ prompt: "?", validation_pattern: 1 }, "validation_pattern must be a string or null"],
    [
      { prompt: "?", placeholder: "p" },
      "placeholder is not known here; known are: prompt, validation_pattern, messages, title, sensitive, prefill",
    ],
  ])("refuses the inputs %j", async (inputs, problem) => {
    expect(await runBlock(getInputBlock, inputs)).toBe(problem);
  });
});
