import { describe, expect, test } from "vitest";
import { createExecutor, type Values } from "wavepoint";
import { askedOf } from "wavepoint/browser";
import { memoryStore } from "wavepoint/store/memory";
import { checkWorkflow } from "wavepoint/yaml";

const PROMPT = { en: "How do you come, ${inputs.name}?", de: "Wie kommen Sie, ${inputs.name}?" };
const TITLE = { en: "The way", de: "Der Weg" };

async function ask(type: string, inputs: Values) {
  const executor = createExecutor({ store: memoryStore() });
  const run = await executor.start(
    {
      name: "asker",
      inputs: { name: { type: "string" } },
      blocks: [{ id: "way", type, inputs: { title: TITLE, ...inputs } }],
      outputs: { way: "${blocks.way.outputs}" },
    },
    { name: "Ada" },
  );
  const { pauses, error } = await run.settled();
  if (!pauses) throw new Error(JSON.stringify(error));
  return { run, pause: pauses[0]! };
}

describe("a question in several languages", () => {
  test.each([
    ["GetInput", { prompt: PROMPT }],
    ["Prompt", { prompt: PROMPT }],
    ["ConfirmOperation", { message: PROMPT }],
    ["AskChoice", { question: PROMPT, choices: ["train", "boat"] }],
    ["Review", { prompt: PROMPT }],
    ["Form", { prompt: PROMPT, fields: [{ name: "how" }] }],
  ])("of the type %s is shown in that of its reader, and in English where none is asked for", async (type, inputs) => {
    const { pause } = await ask(type, inputs);
    expect(pause).toMatchObject({ title: "The way", prompt: "How do you come, Ada?" });
    expect(askedOf(pause, "de-AT")).toMatchObject({ heading: "Der Weg", lead: "Wie kommen Sie, Ada?" });
    expect(askedOf(pause, "sv")).toMatchObject({ heading: "The way", lead: "How do you come, Ada?" });
  });

  test("offers choices in the reader's language, which stand for the same", async () => {
    const choices = [{ value: "rail", title: { en: "By train", de: "Mit der Bahn" } }, { value: 2 }];
    const { run, pause } = await ask("AskChoice", { question: PROMPT, choices });
    expect(askedOf(pause, "de").schema.oneOf).toEqual([
      { const: "By train", title: "Mit der Bahn" },
      { const: "2", title: "2" },
    ]);
    expect((await run.answer(pause.id, "by train")).outputs).toEqual({ way: { choice: "By train", choice_index: 0, value: "rail" } });
  });

  test("has its declaration in it", async () => {
    const { pause } = await ask("Review", { prompt: "?", declaration: { en: "All is true.", de: "Alles ist wahr." } });
    expect(askedOf(pause, "de").schema.properties!["declared"]!.title).toBe("Alles ist wahr.");
  });

  test.each([
    ["{ id: a, type: GetInput, inputs: { prompt: { en: 7 } } }", "prompt"],
    ["{ id: a, type: GetInput, inputs: { prompt: { 7: x } } }", "prompt"],
    ["{ id: a, type: ConfirmOperation, inputs: { message: {} } }", "message"],
    ['{ id: a, type: AskChoice, inputs: { question: "?", choices: [{ value: x, title: { 7: y } }] } }', "choices"],
    ['{ id: a, type: Review, inputs: { prompt: "?", declaration: { "": y } } }', "declaration"],
  ])("%s is refused with its place", async (block, place) => {
    const { problems } = await checkWorkflow(`name: x\nblocks:\n  - ${block}\n`);
    expect(problems).toMatchObject([{ severity: "error", path: `blocks[0].inputs.${place}`, line: 3 }]);
  });
});
