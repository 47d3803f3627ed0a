import { describe, expect, test } from "vitest";
import { confirmOperationBlock as confirm } from "../../../src/core/blocks/confirm-operation.ts";
import { answerBlock, askBlock, runBlock } from "./block-stage.ts";

describe("ConfirmOperation", () => {
  test("asks in the author's words, with a schema that carries the two answers", async () => {
    const { prompt, schema } = await askBlock(confirm, { message: "Delete 3 files?" });
    expect(prompt).toBe("Delete 3 files?");
    expect(schema).toEqual({ type: "string", enum: ["yes", "no"] });
  });

  test("tells a page what is confirmed", async () => {
    const { metadata } = await askBlock(confirm, { message: "Go?", operation: "go", details: { count: 3 } });
    expect(metadata).toEqual({ kind: "confirm", operation: "go", details: { count: 3 } });
  });

  test("needs no operation", async () => {
    expect((await askBlock(confirm, { message: "Go?" })).metadata).toEqual({ kind: "confirm" });
  });

  test.each(["yes", "y", "true", "confirm", "approved", "YES", " Yes \n", "Approved"])(
    "takes %j as a yes and keeps it as given",
    async (response) => {
      expect(await answerBlock(confirm, { message: "Go?" }, response)).toEqual({ confirmed: true, response });
    },
  );

  test.each(["no", "n", "maybe", "yes please", "1", "ok", "approve", "yes."])("takes %j as a no", async (response) => {
    expect(await answerBlock(confirm, { message: "Go?" }, response)).toEqual({ confirmed: false, response });
  });

  test.each(["", "  ", null, true, 1, {}])("refuses %j as no answer", async (response) => {
    expect(await answerBlock(confirm, { message: "Go?" }, response)).toContain("The answer is empty");
  });

  test.each([
    [{}, "message is required"],
    [{ message: "" }, "message must not be empty"],
    [{ message: "m", details: [] }, "details must be an object"],
    [{ message: "m", prompt: "p" }, "prompt is not known here; known are: message, operation, details, title, sensitive"],
  ])("refuses the inputs %j", async (inputs, problem) => {
    expect(await runBlock(confirm, inputs)).toBe(problem);
  });
});
