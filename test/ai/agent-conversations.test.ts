import { createExecutor, defineBlock, type Executor, type Grants, type Store, success, type Workflow } from "wavepoint";
import { builtinBlocks } from "wavepoint/blocks";
import { agentBlocks, type AgentOptions } from "wavepoint/ai";
import { memoryStore } from "wavepoint/store/memory";
import { describe, expect, test } from "vitest";
import { broken, type Prompt, say, scripted, use } from "./mock-models.ts";

/** Processes over one store, each with the same agents and models. */
function processes(workflow: Workflow, options: AgentOptions, models: NonNullable<Grants["models"]>, store: Store = memoryStore()) {
  return (): Executor => createExecutor({ store, workflows: [workflow], blocks: agentBlocks(options), grants: { models } });
}

const askPerson = builtinBlocks.find(({ type }) => type === "Prompt")!;

const text = (prompt: Prompt): string => JSON.stringify(prompt);

describe("a person whom an agent asks", () => {
  const flow: Workflow = {
    name: "plan",
    blocks: [
      {
        id: "agent",
        type: "Agent",
        inputs: {
          models: ["good"],
          messages: [
            { role: "user", content: "I like trains." },
            { role: "assistant", content: "Noted." },
          ],
          prompt: "Plan a trip.",
          tools: ["ask_person"],
        },
      },
    ],
    outputs: { text: "${blocks.agent.outputs.text}" },
  };

  test("answers in another process each time, and the model reads the whole conversation in order", async () => {
    const prompts: Prompt[] = [];
    const good = scripted(
      [[], use(["1", "ask_person", { prompt: "Where to?" }]), use(["2", "ask_person", { prompt: "When?" }]), say("To Oslo on Friday.")],
      (_, prompt) => prompts.push(prompt),
    );
    const open = processes(flow, { tools: { ask_person: { block: askPerson } } }, { good });
    let result = await (await open().start(flow)).settled();
    for (const [question, answer] of [
      ["Where to?", "Oslo"],
      ["When?", "On Friday"],
    ] as const) {
      expect(result.pauses!.map(({ prompt }) => prompt)).toEqual([question]);
      result = await open().answer(result.pauses![0]!.id, answer);
    }
    expect(result.outputs).toEqual({ text: "To Oslo on Friday." });
    expect(prompts.at(-1)!.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant", "tool", "assistant", "tool"]);
    expect(text(prompts.at(-1)!)).toMatch(/I like trains.*Plan a trip.*Where to\?.*Oslo.*When\?.*On Friday/);
  });
});

describe("an answer that an agent was given", () => {
  const flow: Workflow = {
    name: "trip",
    blocks: [
      { id: "where", type: "Prompt", inputs: { prompt: "Where to?" } },
      { id: "who", type: "Prompt", inputs: { prompt: "Who?" } },
      {
        id: "agent",
        type: "Agent",
        dependsOn: ["where"],
        inputs: { models: ["good"], prompt: "To ${blocks.where.outputs.response}.", tools: ["book"] },
      },
      { id: "sure", type: "ConfirmOperation", dependsOn: ["agent", "who"], inputs: { message: "${blocks.agent.outputs.text}" } },
    ],
  };

  test("is revised: the agent works anew and asks anew; another answer lets it be", async () => {
    const booked: string[] = [];
    const prompts: string[] = [];
    const book = defineBlock({
      type: "Book",
      effect: "repeatable",
      inputs: { jsonSchema: { type: "object", properties: { trip: { type: "string" } }, required: ["trip"] } },
      execute({ inputs }) {
        booked.push(inputs.trip);
        return success({});
      },
    });
    const good = scripted([use(["1", "book", {}]), say("Booked.")], (turn, prompt) =>
      prompts.push(`${turn} ${/To \w+/.exec(text(prompt))![0]}`),
    );
    const run = await processes(flow, { tools: { book: { block: book, inputs: { trip: "${inputs.task.prompt}" } } } }, { good })().start(
      flow,
    );
    const [where, who] = (await run.settled()).pauses!;
    await run.answer(who!.id, "Ada");
    const asked = await run.answer(where!.id, "Oslo");
    await run.answer(asked.pauses!.find(({ metadata }) => metadata["kind"] === "tool_call")!.id, { decision: "approve" });
    expect(prompts).toEqual(["0 To Oslo", "1 To Oslo"]);

    await run.revise(who!.id, "Bob");
    expect(prompts).toHaveLength(2);

    const again = await run.revise(where!.id, "Rome");
    const leave = again.pauses!.find(({ metadata }) => metadata["kind"] === "tool_call");
    expect(leave, "the question is the same, and the trip is another one").toBeDefined();
    expect(booked).toEqual(["To Oslo."]);
    await run.answer(leave!.id, { decision: "approve" });
    expect(prompts.slice(2)).toEqual(["0 To Rome", "1 To Rome"]);
    expect(booked).toEqual(["To Oslo.", "To Rome."]);
  });
});

describe("files", () => {
  const flow: Workflow = {
    name: "look",
    blocks: [
      { id: "photo", type: "Form", inputs: { prompt: "Show it.", fields: [{ name: "photo", type: "file", accept: "image/*" }] } },
      {
        id: "agent",
        type: "Agent",
        dependsOn: ["photo"],
        inputs: { models: ["good"], prompt: "What is it?", files: ["${blocks.photo.outputs.photo}"], tools: ["ask_person"] },
      },
      {
        id: "again",
        type: "LLM",
        dependsOn: ["agent"],
        inputs: { models: ["other"], files: ["${blocks.photo.outputs.photo}"], prompt: "And?" },
      },
    ],
    outputs: { text: "${blocks.agent.outputs.text}", again: "${blocks.again.outputs.text}" },
  };
  const bytes = Uint8Array.from({ length: 40_000 }, (_, i) => (i * 7919) % 251);
  const photo = { name: "boat.png", type: "image/png", size: bytes.length, bytes };

  test("reach a model with the prompt, in each turn and in each process, and are stored once", async () => {
    const seen: unknown[] = [];
    const note = (_: number, prompt: Prompt) => seen.push(prompt.find(({ role }) => role === "user")!.content);
    const good = scripted([use(["1", "ask_person", { prompt: "Whose?" }]), say("A boat.")], note);
    const other = scripted([say("A boat again.")], note);
    const store = memoryStore();
    const open = processes(flow, { tools: { ask_person: { block: askPerson } } }, { good, other }, store);
    const first = await (await open().start(flow)).settled();
    const second = await open().answer(first.pauses![0]!.id, { photo });
    const third = await open().answer(second.pauses![0]!.id, "Mine.");
    expect(third.outputs).toEqual({ text: "A boat.", again: "A boat again." });
    const shown = (question: string) => [
      { type: "text", text: question },
      { type: "file", data: bytes, mediaType: "image/png", filename: "boat.png" },
    ];
    expect(seen).toMatchObject([shown("What is it?"), shown("What is it?"), shown("And?")]);
    expect((await store.usage()).bytes).toBeLessThan(2 * bytes.length);
  });
});

describe("whose work it is", () => {
  const flow: Workflow = {
    name: "desk",
    inputs: { user: { type: "string" }, session: { type: "string" } },
    blocks: [
      {
        id: "agent",
        type: "Agent",
        inputs: {
          models: ["bad", "good"],
          prompt: "Note it.",
          tools: ["note", "scribe"],
          hand_over: ["clerk"],
          context: { user: "${inputs.user}", session: "${inputs.session}" },
        },
      },
    ],
    outputs: { text: "${blocks.agent.outputs.text}" },
  };

  test("tools know, through questions, other processes, a fallback, a hand-over and other agents; no model sees it or can change it", async () => {
    const noted: unknown[] = [];
    const prompts: Prompt[] = [];
    const note = defineBlock({
      type: "Note",
      inputs: {
        jsonSchema: {
          type: "object",
          properties: { text: { type: "string" }, user: { type: "string" }, session: { type: "string" } },
          required: ["text", "user", "session"],
        },
      },
      execute({ inputs }) {
        noted.push(inputs);
        return success({});
      },
    });
    const turns = [
      use(["1", "note", { text: "one" }], ["2", "note", { text: "mine", user: "root" }]),
      use(["3", "hand_over_to_clerk", {}]),
      use(["4", "note", { text: "two" }]),
      use(["5", "scribe", { prompt: "Note three." }]),
      say("Noted."),
    ];
    const scribe = scripted([use(["1", "note", { text: "three" }]), say("Done.")], (_, prompt) => prompts.push(prompt));
    const good = scripted(turns, (_, prompt) => prompts.push(prompt));
    const options: AgentOptions = {
      tools: {
        note: { block: note, approval: true, inputs: { user: "${inputs.task.context.user}", session: "${inputs.task.context.session}" } },
      },
      agents: {
        clerk: { description: "Keeps the book.", models: ["good"], tools: ["note", "scribe"] },
        scribe: { description: "Writes.", models: ["scribe"], tools: ["note"] },
      },
    };
    const failures: string[] = [];
    const open = processes(flow, options, { bad: broken("503", () => failures.push("bad")), good, scribe });
    const runs = await Promise.all(["Ada", "Bob"].map((user, i) => open().start(flow, { user, session: `s${i}` })));
    for (const run of runs) {
      let result = await run.settled();
      while (result.status === "paused") result = await open().answer(result.pauses![0]!.id, { decision: "approve" });
      expect(result.outputs).toEqual({ text: "Noted." });
    }
    expect(noted.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)))).toEqual([
      { text: "one", user: "Ada", session: "s0" },
      { text: "one", user: "Bob", session: "s1" },
      { text: "three", user: "Ada", session: "s0" },
      { text: "three", user: "Bob", session: "s1" },
      { text: "two", user: "Ada", session: "s0" },
      { text: "two", user: "Bob", session: "s1" },
    ]);
    expect(text(prompts.flat() as Prompt)).not.toMatch(/Ada|Bob|s0|s1/);
    expect(failures, "each run asked it once, and stayed with the one it fell back on").toEqual(["bad", "bad"]);
  });
});
