import { describe, expect, test } from "vitest";
import { promptBlock } from "../../../src/core/blocks/prompt.ts";
import { validateWith } from "../../../src/core/ports/block-schema.ts";
import { askBlock, runBlock, schemaOf } from "./block-stage.ts";

async function answer(inputs: object, response: unknown): Promise<unknown> {
  const question = await askBlock(promptBlock, inputs);
  const { prompt, metadata = {} } = question;
  const schema = schemaOf(question);
  const { issues } = await validateWith({ jsonSchema: schema }, response);
  if (issues) return "refused";
  return promptBlock.resume!({ response, pause: { prompt, schema, metadata } } as never);
}

describe("Prompt", () => {
  test("asks with exactly its prompt, and hands on what pages may show beside it", async () => {
    expect(await askBlock(promptBlock, { prompt: "What now?", operation: "next", details: { step: 2 } })).toEqual({
      prompt: "What now?",
      schema: { type: "string", minLength: 1 },
      metadata: { kind: "text", operation: "next", details: { step: 2 } },
    });
  });

  test.each(["yes", "  as typed \n", "line\nline"])("keeps the answer %j", async (response) => {
    expect(await answer({ prompt: "?" }, response)).toEqual({ status: "success", outputs: { response } });
  });

  test("takes an empty answer only where it may be empty", async () => {
    expect(await answer({ prompt: "?" }, "")).toBe("refused");
    expect(await answer({ prompt: "?", allow_empty: true }, "")).toEqual({ status: "success", outputs: { response: "" } });
  });

  test.each([12, null, { a: 1 }])("takes no %j", async (response) => {
    expect(await answer({ prompt: "?" }, response)).toBe("refused");
  });

  test("needs something to ask", async () => {
    expect(await runBlock(promptBlock, { prompt: "" })).toMatch(/^prompt /);
    expect(await runBlock(promptBlock, {})).toMatch(/^prompt /);
  });
});
