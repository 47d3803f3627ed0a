import { describe, expect, test } from "vitest";
import { builtinBlocks } from "wavepoint/blocks";
import { checkWorkflow } from "wavepoint/yaml";

/** What is said of a text that refers to another block. */
async function problemsWith(text: string, first = "{ id: name, type: GetInput, inputs: { prompt: Who? } }") {
  const second = `{ id: badge, type: EchoBlock, depends_on: [name], inputs: { message: "${text}" } }`;
  const { problems } = await checkWorkflow(`name: visit\nblocks:\n  - ${first}\n  - ${second}\n`, { blocks: builtinBlocks });
  return problems.map(({ severity, code, line, column, message }) => ({ severity, code, line, column, message }));
}

describe("an output that a block type does not declare", () => {
  test("is a warning at its place, with what was meant", async () => {
    expect(await problemsWith("Hello ${blocks.name.inputvalue}")).toEqual([
      {
        severity: "warning",
        code: "REFERENCE_UNKNOWN",
        line: 4,
        column: expect.any(Number),
        message: 'GetInput "name" declares no output "inputvalue". Did you mean "input_value"?',
      },
    ]);
  });

  test.each([
    ["is declared", "${blocks.name.input_value}", undefined],
    [
      "is left in a file",
      "${blocks.name.notes}",
      "{ id: name, type: GetInput, inputs: { prompt: Who? }, outputs: { notes: { path: notes.txt } } }",
    ],
    ["is a field of a form", "${blocks.name.anything}", "{ id: name, type: Form, inputs: { fields: [{ name: anything }] } }"],
    ["belongs to a called workflow", "${blocks.name.anything}", "{ id: name, type: ExecuteWorkflow, inputs: { workflow: other } }"],
    ["is the results of items", "${blocks.name.results}", "{ id: name, type: EchoBlock, for_each: [1, 2], inputs: { message: Hi } }"],
    ["tells how the block ended", "${blocks.name.succeeded}", undefined],
  ])("is none where it %s", async (_how, text, first) => {
    expect((await problemsWith(text, first)).filter(({ message }) => message.includes("declares no output"))).toEqual([]);
  });
});
