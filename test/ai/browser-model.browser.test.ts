import { createExecutor, defineBlock, type Executor, success } from "wavepoint";
import { agentBlocks, browserModel, type BrowserModelOptions } from "wavepoint/ai";
import { memoryStore } from "wavepoint/store/memory";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { FakePromptApi, HANG } from "./fake-prompt-api.ts";
import { inTurn, say } from "./mock-models.ts";

const page = globalThis as { LanguageModel?: unknown };
const real = page.LanguageModel;

afterEach(() => {
  if (real === undefined) delete page.LanguageModel;
  else page.LanguageModel = real;
});

const PDF = { type: "file", data: "aGVsbG8=", mediaType: "application/pdf" };

const weather = defineBlock({
  type: "Weather",
  description: "The weather of a city.",
  inputs: { jsonSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] } },
  execute: ({ inputs }) => success({ said: `Sunny in ${inputs.city}.` }),
});

/** Runs one block with the browser's own model, and another one that is asked where that fails. */
async function ask(type: "LLM" | "Agent", inputs: object, options?: BrowserModelOptions) {
  const said: string[] = [];
  const executor: Executor = createExecutor({
    store: memoryStore(),
    blocks: agentBlocks({ tools: { weather: { block: weather } } }),
    grants: { models: { own: browserModel(options), other: inTurn([say("From elsewhere.")]) } },
    onEvent: (event) => {
      if (event.type === "output") said.push(event.text);
    },
  });
  const run = await executor.start({ name: "ask", blocks: [{ id: "it", type, inputs: { models: ["own", "other"], ...inputs } }] });
  await run.settled();
  const outputs = (await run.state()).values["it"] as Record<string, unknown>;
  await executor.close();
  return { outputs, said };
}

describe("the browser's own model", () => {
  beforeEach(() => {
    page.LanguageModel = FakePromptApi;
    FakePromptApi.state = "available";
    FakePromptApi.replies = [];
    FakePromptApi.asked.length = 0;
  });
  afterEach(() => {
    if (FakePromptApi.open > 0) throw new Error("A session of the model was left open.");
  });

  test("answers piece by piece, keeps to its instructions, and says what it used", async () => {
    FakePromptApi.replies = [["It leaves ", "at nine."]];
    const messages = [
      { role: "user", content: "Hello." },
      { role: "assistant", content: "Hello!" },
    ];
    const { outputs, said } = await ask("LLM", { system: "Be short.", messages, prompt: "When does it leave?" });
    expect(outputs).toMatchObject({ text: "It leaves at nine.", model: "own", failed: [] });
    expect(outputs["used"]).toMatchObject({ input_tokens: 3 + 2 + 2 + 5, output_tokens: 3 + 2, cost: 0 });
    expect(said).toEqual(["It leaves ", "at nine."]);
    const [{ created, prompts }] = FakePromptApi.asked as [(typeof FakePromptApi.asked)[0]];
    expect(created.initialPrompts).toEqual([{ role: "system", content: [{ type: "text", value: "Be short." }] }]);
    expect(prompts.map(({ role, content }) => [role, content[0]!.value])).toEqual([
      ["user", "Hello."],
      ["assistant", "Hello!"],
      ["user", "When does it leave?"],
    ]);
  });

  test("gives a value that fits a schema", async () => {
    const schema = { type: "object", properties: { hour: { type: "integer" } }, required: ["hour"] };
    FakePromptApi.replies = [['{"hour":', "9}"]];
    expect((await ask("LLM", { prompt: "When?", schema })).outputs).toMatchObject({ value: { hour: 9 }, model: "own" });
    expect(FakePromptApi.asked[0]!.constraint).toMatchObject(schema);
  });

  test("sees images", async () => {
    FakePromptApi.replies = [["A cat."]];
    const image = { type: "image", image: "aGVsbG8=", mediaType: "image/png" };
    const { outputs } = await ask("LLM", { messages: [{ role: "user", content: [{ type: "text", text: "What is it?" }, image] }] });
    expect(outputs).toMatchObject({ text: "A cat.", model: "own" });
    const { value } = FakePromptApi.asked[0]!.prompts[0]!.content[1]! as { value: Blob };
    expect([value.type, await value.text()]).toEqual(["image/png", "hello"]);
  });

  test("has tools called by what it replies, and reads what they gave", async () => {
    FakePromptApi.replies = [['{"tool":"weather","input":{"city":"Turin"}}'], ['{"answer":"It is sunny."}']];
    const { outputs, said } = await ask("Agent", { prompt: "How is it in Turin?", tools: ["weather"] });
    expect(outputs).toMatchObject({ text: "It is sunny.", model: "own", turns: 2 });
    expect(said).toEqual(["It is sunny."]);
    const [first, second] = FakePromptApi.asked as [(typeof FakePromptApi.asked)[0], (typeof FakePromptApi.asked)[0]];
    expect(JSON.stringify(first.created.initialPrompts)).toContain("- weather: The weather of a city.");
    expect(JSON.stringify(first.constraint)).toContain('"const":"weather"');
    expect(second.prompts.map(({ role, content }) => [role, content[0]!.value])).toEqual([
      ["user", "How is it in Turin?"],
      ["assistant", '{"tool":"weather","input":{"city":"Turin"}}'],
      ["user", 'What weather gave: {"said":"Sunny in Turin."}'],
    ]);
  });

  test.each(["unavailable", "downloadable"] as const)("is passed over where it is %s, and nothing is downloaded", async (state) => {
    FakePromptApi.state = state;
    const { outputs } = await ask("LLM", { prompt: "When?" });
    expect(outputs).toMatchObject({
      text: "From elsewhere.",
      failed: [{ model: "own", message: `The browser's own model is not ready: ${state}.` }],
    });
    expect(FakePromptApi.asked).toEqual([]);
  });

  test.each([
    ["what is too long for it", { prompt: "When? ".repeat(2_000) }, {}, /too large/],
    ["a language that it lacks", { prompt: "When?" }, { languages: ["fr"] }, /unavailable/],
    ["a file that it cannot read", { messages: [{ role: "user", content: [PDF] }] }, {}, /no application\/pdf/],
  ])("is passed over for %s", async (_, inputs, options, message) => {
    FakePromptApi.replies = [["No."]];
    const { outputs } = await ask("LLM", inputs, options);
    expect(outputs).toMatchObject({ model: "other", failed: [{ message: expect.stringMatching(message) as string }] });
  });

  test("is ended where it takes too long", async () => {
    FakePromptApi.replies = [["It ", HANG]];
    const executor = createExecutor({
      store: memoryStore(),
      blocks: agentBlocks(),
      grants: { models: { own: browserModel() } },
    });
    const inputs = { models: ["own"], prompt: "When?", limits: { seconds: 0.2 } };
    const run = await executor.start({ name: "ask", blocks: [{ id: "it", type: "LLM", inputs }] });
    expect(await run.settled()).toMatchObject({ status: "failure", error: { code: "LIMIT_EXCEEDED" } });
    await executor.close();
  });
});

describe("in this browser", () => {
  test.skipIf(real === undefined)("the real one has all that the fake has", () => {
    const has = (value: object): string[] => Object.getOwnPropertyNames(value);
    const { prototype } = real as { readonly prototype: object };
    expect(has(real as object)).toEqual(expect.arrayContaining(["availability", "create"]));
    expect(has(prototype)).toEqual(
      expect.arrayContaining(["contextUsage", "measureContextUsage", "promptStreaming", "destroy", "contextWindow"]),
    );
  });

  test("that has no model to load, the next one is asked", async () => {
    const { outputs } = await ask("LLM", { prompt: "When?" });
    expect(outputs).toMatchObject({ text: "From elsewhere.", model: "other", failed: [{ model: "own" }] });
  });
});
