import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { createExecutor, type Block, type Value, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";

const ajv = new Ajv2020();
const QUESTION = "Which kind of project?\n\nYou can change it later.";
const CHOICES = ["Command line", "Web page", "Library"];
const flow = (...blocks: readonly Block[]): Workflow => ({
  name: "flow",
  blocks,
  outputs: Object.fromEntries(blocks.map(({ id }) => [id, `\${blocks.${id}.outputs}`])),
});
const choose: Block = { id: "kind", type: "AskChoice", inputs: { question: QUESTION, choices: CHOICES } };
const confirm: Block = { id: "sure", type: "ConfirmOperation", inputs: { message: "Create it?" } };
const call: Block = { id: "call", type: "ExecuteWorkflow", inputs: { workflow: "inner" } };
const inner: Workflow = { ...flow(choose), name: "inner", outputs: { choice: "${blocks.kind.choice}" } };

async function begin(block: Block) {
  const executor = createExecutor({ store: memoryStore(), workflows: [inner] });
  const run = await executor.start(flow(block));
  await run.settled();
  return { executor, run, pause: run.getSnapshot().pauses[0]! };
}

describe.each([
  ["AskChoice", choose, QUESTION],
  ["ConfirmOperation", confirm, "Create it?"],
  ["a called workflow", call, QUESTION],
])("the question of %s", (_name, block, words) => {
  test("is in its author's words wherever it is shown or listed", async () => {
    const { executor, run, pause } = await begin(block);
    expect(pause.prompt).toBe(words);
    expect((await executor.runs.list({ topLevel: true })).items[0]!.pauses[0]!.prompt).toBe(words);
    const info = await executor.checkpoints.get(pause.id);
    expect(info.pausePrompt).toBe(words);
    expect(info.pauses.map(({ prompt }) => prompt)).toEqual([words]);
    expect((await run.answers())[0]).toMatchObject({ prompt: words });
  });
});

describe.each([
  ["AskChoice", choose, "kind"],
  ["a called workflow", call, "call"],
])("the choices of %s", (_name, block, id) => {
  test("stand in its schema, each with its title, as any client of JSON Schema reads them", async () => {
    const { pause } = await begin(block);
    expect(pause.schema.oneOf).toEqual(CHOICES.map((choice) => ({ const: choice, title: choice })));
    const fits = ajv.compile(pause.schema);
    expect([...CHOICES, "Other"].map((choice) => fits(choice))).toEqual([true, true, true, false]);
  });

  test.each<Value>(["Web page", "web page", "2", 2, "The web page, please"])("are answered by %j", async (response) => {
    const { run, pause } = await begin(block);
    expect(await run.answer(pause.id, response)).toMatchObject({ status: "success", outputs: { [id]: { choice: "Web page" } } });
  });

  test.each<Value>(["4", 0, "Other", "", null, ["Library"]])("are not answered by %j, which leaves the question open", async (response) => {
    const { run, pause } = await begin(block);
    const error = { code: "RESPONSE_INVALID", message: expect.stringMatching(/^Invalid choice: .*Answer with .* from 1 to 3\.$/) };
    expect(await run.answer(pause.id, response)).toMatchObject({ status: "failure", error });
    expect(run.getSnapshot().pauses).toEqual([pause]);
  });
});

test("ConfirmOperation offers yes and no, and takes any text: what is no word for yes means no", async () => {
  for (const [response, confirmed] of [
    ["yes", true],
    ["Approved", true],
    ["no", false],
    ["rather not", false],
  ] as const) {
    const { run, pause } = await begin(confirm);
    expect(pause.schema).toEqual({ type: "string", enum: ["yes", "no"] });
    expect(await run.answer(pause.id, response)).toMatchObject({ outputs: { sure: { confirmed, response } } });
  }
});
