import { describe, expect, test } from "vitest";
import { createExecutor } from "wavepoint";
import { builtinBlocks } from "wavepoint/blocks";
import { memoryStore } from "wavepoint/store/memory";
import { checkWorkflow, loadWorkflow } from "wavepoint/yaml";

async function problemsOf(text: string): Promise<readonly string[]> {
  const { problems } = await checkWorkflow(text, { blocks: builtinBlocks });
  return problems.map(({ code, line, column, path }) => `${line}:${column} ${code} ${path}`);
}

describe("a mistake in a formula is found when the workflow is loaded", () => {
  test("with its line and column", async () => {
    const text = [
      "name: bill",
      "blocks:",
      "  - id: bill",
      "    type: Compute",
      "    inputs:",
      "      variables: { price: 3, count: 2 }",
      "      formulas:",
      "        net: price * cuont",
      "        gross: 'net * 1.19'",
      "        broken: (net",
      "        other: roun(net)",
      "        price: '1'",
      "        number: 5",
      "",
    ].join("\n");
    expect(await problemsOf(text)).toEqual(["8:9 BLOCK_INPUT_INVALID blocks[0].inputs.formulas"]);
    expect(await problemsOf(text.replace("        number: 5\n", ""))).toEqual([
      "8:22 REFERENCE_UNKNOWN blocks[0].inputs.formulas.net",
      "10:21 EXPRESSION_SYNTAX blocks[0].inputs.formulas.broken",
      "11:16 EXPRESSION_SYNTAX blocks[0].inputs.formulas.other",
      "12:16 ID_DUPLICATE blocks[0].inputs.formulas.price",
    ]);
  });

  test("and a reference in one is refused: what it gives would be read as a formula", async () => {
    const formulas = (written: string) =>
      `name: bill\ninputs: { x: { type: string } }\nblocks:\n  - { id: bill, type: Compute, inputs: { formulas: ${written} } }\n`;
    expect(await problemsOf(formulas('{ good: "1", net: "${inputs.x} + 1" }'))).toEqual([
      "4:70 BLOCK_INPUT_INVALID blocks[0].inputs.formulas.net",
    ]);
    expect(await problemsOf(formulas('"${inputs.x}"'))).toEqual(["4:52 BLOCK_INPUT_INVALID blocks[0].inputs.formulas"]);
  });

  test("names are not looked for where the variables are only known in a run", async () => {
    const text =
      "name: bill\ninputs: { x: { type: object } }\nblocks:\n  - { id: bill, type: Compute, inputs: { variables: '${inputs.x}', formulas: { net: anything } } }\n";
    expect(await problemsOf(text)).toEqual([]);
  });

  test("a secret cannot be a variable", async () => {
    const text =
      "name: bill\ninputs: { pin: { type: string, secret: true } }\nblocks:\n  - { id: bill, type: Compute, inputs: { variables: { pin: '${inputs.pin}' }, formulas: { net: pin } } }\n";
    expect((await problemsOf(text)).map((problem) => problem.split(" ")[1])).toEqual(["SECRET_MISPLACED"]);
  });
});

test("a block that cannot compute fails with the place in its formula", async () => {
  const workflow = loadWorkflow(
    "name: rate\ninputs: { count: { type: integer } }\nblocks:\n  - { id: rate, type: Compute, inputs: { variables: { n: '${inputs.count}' }, formulas: { rate: 100 / n } } }\n",
  );
  const executor = createExecutor({ store: memoryStore(), workflows: [workflow] });
  const run = await executor.start("rate", { count: 0 });
  await run.settled();
  const [step] = await run.steps();
  expect(step).toMatchObject({ status: "failed", error: { code: "ARITHMETIC_INVALID", path: "formulas.rate", column: 5 } });
  await executor.close();
});

test("a preview of a revision computes", async () => {
  const workflow = loadWorkflow(
    [
      "name: score",
      "blocks:",
      "  - { id: ask, type: Form, inputs: { prompt: How many?, fields: [{ name: n, type: integer }] } }",
      "  - { id: score, type: Compute, depends_on: [ask], inputs: { variables: { n: '${blocks.ask.outputs.n}' }, formulas: { high: n > 5 } } }",
      "  - { id: praise, type: ConfirmOperation, depends_on: [score], condition: '${blocks.score.outputs.high}', inputs: { message: Tell all? } }",
      "  - { id: end, type: ConfirmOperation, depends_on: [{ block: praise, required: false }], inputs: { message: End? } }",
      "outputs: { high: '${blocks.score.outputs.high}' }",
      "",
    ].join("\n"),
  );
  const executor = createExecutor({ store: memoryStore(), workflows: [workflow] });
  const run = await executor.start("score", {});
  await run.settled();
  const asked = run.getSnapshot().pauses[0]!.id;
  await run.answer(asked, { n: 9 });
  const preview = await run.previewRevise(asked, { n: 1 });
  expect(preview).toMatchObject({ uncertain: [] });
  expect(JSON.stringify(preview)).toContain("praise");
  await run.revise(asked, { n: 1 });
  expect(run.getSnapshot().pauses.map(({ path }) => path.at(-1))).toEqual(["end"]);
  await executor.close();
});
