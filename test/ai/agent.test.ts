import { createExecutor, defineBlock, type Grants, success, type Values, type Workflow } from "wavepoint";
import { agentBlocks, type AgentOptions } from "wavepoint/ai";
import { memoryStore } from "wavepoint/store/memory";
import { describe, expect, test } from "vitest";
import { broken, type Prompt, say, scripted, use } from "./mock-models.ts";

const object = (properties: { readonly [name: string]: { readonly type: "string" | "number" } }) =>
  ({ jsonSchema: { type: "object", properties, required: Object.keys(properties), additionalProperties: false } }) as const;

/** Tools that write down how they were called. */
function desk(more: AgentOptions = {}) {
  const done: string[] = [];
  const weather = defineBlock({
    type: "Weather",
    description: "The weather of a city.",
    inputs: object({ city: { type: "string" } }),
    execute({ inputs }) {
      done.push(`weather ${inputs.city}`);
      return success({ city: inputs.city, sunny: true });
    },
  });
  const refund = defineBlock({
    type: "Refund",
    effect: "once",
    inputs: object({ amount: { type: "number" } }),
    execute({ inputs }) {
      done.push(`refund ${inputs.amount}`);
      return success({ paid: inputs.amount });
    },
  });
  const options: AgentOptions = { ...more, tools: { weather: { block: weather, cache: true }, refund: { block: refund }, ...more.tools } };
  return { done, blocks: agentBlocks(options) };
}

const flow = (inputs: Values): Workflow => ({
  name: "help",
  blocks: [{ id: "agent", type: "Agent", inputs: { models: ["good"], prompt: "Help.", tools: ["weather", "refund"], ...inputs } }],
  outputs: { answer: "${blocks.agent.outputs}" },
});

async function begin(inputs: Values, models: Grants["models"], { blocks, done } = desk()) {
  const store = memoryStore();
  const open = () => createExecutor({ store, blocks, grants: { models: models! } });
  const run = await open().start(flow(inputs), {}, { id: "1" });
  return { run, result: await run.settled(), done, open };
}

const told = (prompt: Prompt) => JSON.stringify(prompt.filter(({ role }) => role === "tool"));

describe("an agent", () => {
  test("calls tools until it has an answer, each in a step of its own", async () => {
    const good = scripted([use(["1", "weather", { city: "Rome" }]), use(["2", "weather", { city: "Oslo" }]), say("Both ", "sunny.")]);
    const { result, done } = await begin({}, { good });
    expect(result.outputs?.["answer"]).toMatchObject({ text: "Both sunny.", model: "good", turns: 3, used: { input_tokens: 30 } });
    expect(done).toEqual(["weather Rome", "weather Oslo"]);
  });

  test("gives a model what it said and what tools gave, and no more of a turn than is new", async () => {
    const prompts: Prompt[] = [];
    const good = scripted([use(["1", "weather", { city: "Rome" }]), say("Sunny.")], (_, prompt) => prompts.push(prompt));
    await begin({ instructions: "Be short." }, { good });
    expect(prompts[1]!.map(({ role }) => role)).toEqual(["system", "user", "assistant", "tool"]);
    expect(told(prompts[1]!)).toContain('"value":{"city":"Rome","sunny":true}');
  });

  test("makes calls of one turn at the same time, and one for the same arguments where the tool has a cache", async () => {
    const good = scripted([
      use(["1", "weather", { city: "Rome" }], ["2", "weather", { city: "Oslo" }], ["3", "weather", { city: "Rome" }]),
      use(["4", "weather", { city: "Oslo" }]),
      say("Sunny."),
    ]);
    const { result, done } = await begin({}, { good });
    expect(result.status).toBe("success");
    expect(done.toSorted()).toEqual(["weather Oslo", "weather Rome"]);
  });

  test("falls back to the next model, and stays with it", async () => {
    const calls: string[] = [];
    const good = scripted([use(["1", "weather", { city: "Rome" }]), say("Sunny.")], (turn) => calls.push(`good ${turn}`));
    const { result } = await begin({ models: ["bad", "good"] }, { bad: broken("503", () => calls.push("bad")), good });
    expect(result.outputs?.["answer"]).toMatchObject({ model: "good" });
    expect(calls).toEqual(["bad", "good 0", "good 1"]);
  });

  test("fails after max_iterations, and once a limit is reached", async () => {
    const endless = scripted(Array.from({ length: 9 }, (_, i) => use([String(i), "weather", { city: `${i}` }])));
    const { result } = await begin({ max_iterations: 3 }, { good: endless });
    expect(result.error?.message).toContain("The agent asked a model 3 times and has no answer.");
    const limited = await begin({ limits: { tokens: 40 } }, { good: endless });
    expect(limited.result.error?.message).toContain("Models used 45 tokens; 40 are allowed.");
  });

  test("reads which calls cannot be made, and goes on", async () => {
    let seen: Prompt = [];
    const good = scripted(
      [use(["1", "launch", {}], ["2", "weather", { town: "Rome" }], ["3", "weather", "no JSON"]), say("Sorry.")],
      (_, p) => (seen = p),
    );
    const { result, done } = await begin({}, { good });
    expect(result.outputs?.["answer"]).toMatchObject({ text: "Sorry." });
    expect(told(seen)).toContain('There is no tool \\"launch\\".');
    expect(told(seen)).toContain("The arguments do not fit");
    expect(done).toEqual([]);
    // Services refuse a conversation in which a call has two results.
    const results = seen.flatMap(({ role, content }) => (role === "tool" ? content : []));
    expect(results).toMatchObject(["1", "2", "3"].map((toolCallId) => ({ type: "tool-result", toolCallId })));
  });

  test("reads why a tool failed", async () => {
    let seen: Prompt = [];
    const fails = defineBlock({
      type: "Fails",
      execute() {
        throw new Error("the line is cut");
      },
    });
    const good = scripted([use(["1", "fails", {}]), say("Sorry.")], (_, prompt) => (seen = prompt));
    await begin({ tools: ["fails"] }, { good }, desk({ tools: { fails: { block: fails } } }));
    expect(told(seen)).toContain("the line is cut");
  });

  test("reads what JSON has no words for: lists, tables, instants, and of bytes how many there are", async () => {
    let seen: Prompt = [];
    const outputs = { table: new Map([["a", 1]]), list: new Set([2]), at: new Date(0), bytes: new Uint8Array(5_000), many: 12n };
    const rich = defineBlock({ type: "Rich", execute: () => success(outputs) });
    const good = scripted([use(["1", "rich", {}]), say("Done.")], (_, prompt) => (seen = prompt));
    const { result } = await begin({ tools: ["rich"] }, { good }, desk({ tools: { rich: { block: rich } } }));
    expect(result.status).toBe("success");
    expect(told(seen)).toContain('{"table":{"a":1},"list":[2],"at":"1970-01-01T00:00:00.000Z","bytes":"5000 bytes","many":"12"}');
  });

  test("reads long results cut, and the run keeps them whole", async () => {
    let seen: Prompt = [];
    const long = defineBlock({ type: "Long", execute: () => success({ text: "x".repeat(30_000) }) });
    const good = scripted([use(["1", "long", {}]), say("Done.")], (_, prompt) => (seen = prompt));
    const { result, open, run } = await begin({ tools: ["long"] }, { good }, desk({ tools: { long: { block: long } } }));
    expect(result.status).toBe("success");
    expect(told(seen).length).toBeLessThan(11_000);
    expect(told(seen)).toContain("[Cut: 10000 of 30011 characters. The whole is in the file turn_1_call_1.json.]");
    const loop = await open().open(`${run.id}/agent`);
    expect((await loop.files()).map(({ name, size }) => [name, size])).toEqual([["turn_1_call_1.json", 30_011]]);
  });
});

describe("a tool that needs leave", () => {
  const turns = [use(["1", "refund", { amount: 40 }]), say("Done.")];

  test("asks first, with the call it is about", async () => {
    const { result, done } = await begin({}, { good: scripted(turns) });
    expect(result.status).toBe("paused");
    expect(done).toEqual([]);
    expect(result.pauses).toMatchObject([
      {
        path: ["agent", "turn_1_ask_1"],
        prompt: "May the agent call refund?\n\namount: 40",
        metadata: { kind: "tool_call", call: "1", tool: "refund", input: { amount: 40 } },
      },
    ]);
  });

  test("runs once it is allowed, in another process too", async () => {
    const { result, done, open } = await begin({}, { good: scripted(turns) });
    const after = await open().answer(result.pauses![0]!.id, { decision: "approve" });
    expect(after.outputs?.["answer"]).toMatchObject({ text: "Done." });
    expect(done).toEqual(["refund 40"]);
  });

  test("does not run where it is denied or declined, and the model reads why", async () => {
    let seen: Prompt = [];
    const good = scripted(turns, (_, prompt) => (seen = prompt));
    const { result, done, open, run } = await begin({}, { good });
    const after = await open().answer(result.pauses![0]!.id, { decision: "deny", reason: "Too much." });
    expect(after.status).toBe("success");
    expect(told(seen)).toContain('"execution-denied","reason":"Too much."');
    const other = await begin({}, { good: scripted(turns) });
    expect((await other.run.decline(other.result.pauses![0]!.id)).status).toBe("success");
    expect([...done, ...other.done]).toEqual([]);
    expect(run.id).toBe("run_1");
  });

  test("runs with other arguments where they are edited, if they fit", async () => {
    const { result, done, run } = await begin({}, { good: scripted(turns) });
    const { id } = result.pauses![0]!;
    const refused = await run.answer(id, { decision: "edit", input: { amount: "all" } });
    expect(refused.error?.code).toBe("RESPONSE_INVALID");
    expect((await run.answer(id, { decision: "edit" })).error?.code).toBe("RESPONSE_INVALID");
    expect((await run.answer(id, { decision: "edit", input: { amount: 10 } })).status).toBe("success");
    expect(done).toEqual(["refund 10"]);
  });

  test("is shown with its arguments, which a form holds at first where they are edited, and asks for no more than the decision needs", async () => {
    const { result } = await begin({}, { good: scripted(turns) });
    expect(result.pauses![0]!.schema.properties).toMatchObject({
      reason: { showIf: '${fields.decision} == "deny"' },
      input: { showIf: '${fields.decision} == "edit"', properties: { amount: { type: "number", default: 40 } } },
    });
  });

  test("asks for each call, and several are answered one by one", async () => {
    const good = scripted([use(["1", "refund", { amount: 1 }], ["2", "refund", { amount: 2 }]), say("Done.")]);
    const { result, done, run } = await begin({}, { good });
    const [one, two] = result.pauses!;
    const half = await run.answer(two!.id, { decision: "approve" });
    expect([half.status, half.pauses?.length, done.length]).toEqual(["paused", 1, 0]);
    expect((await run.answer(one!.id, { decision: "deny" })).status).toBe("success");
    expect(done).toEqual(["refund 2"]);
  });

  test("asks where the workflow wants it, and never less than the host does", async () => {
    const good = scripted([use(["1", "weather", { city: "Rome" }]), say("Done.")]);
    const { result, done } = await begin({ approval: ["weather"] }, { good });
    expect([result.status, done.length]).toEqual(["paused", 0]);
  });
});

describe("others", () => {
  const profile = { description: "Knows money.", tools: ["refund"], instructions: "Be kind." };

  test("are asked as tools; what they need leave for is asked with a path, and goes on in the call that it belongs to", async () => {
    const clerk = scripted([use(["1", "refund", { amount: 5 }]), say("Refunded.")]);
    const good = scripted([use(["1", "clerk", { prompt: "Refund 5." }], ["2", "weather", { city: "Rome" }]), say("All done.")]);
    const equipped = desk({ agents: { clerk: { ...profile, models: ["clerk"] } } });
    const { result, done, open } = await begin({ tools: ["clerk", "weather"] }, { good, clerk }, equipped);
    expect(result.pauses).toMatchObject([
      { path: ["agent", "turn_1_call_1", "turn_1_ask_1"], metadata: { tool: "refund", input: { amount: 5 } } },
    ]);
    expect(done).toEqual(["weather Rome"]);
    const after = await open().answer(result.pauses![0]!.id, { decision: "approve" });
    expect(after.outputs?.["answer"]).toMatchObject({ text: "All done." });
    expect(done).toEqual(["weather Rome", "refund 5"]);
  });

  test("ask for leave where the workflow of the one that asks them wants it", async () => {
    const clerk = scripted([use(["1", "weather", { city: "Rome" }]), say("Sunny.")]);
    const good = scripted([use(["1", "clerk", { prompt: "Look." }]), say("Sunny.")]);
    const equipped = desk({ agents: { clerk: { description: "Knows.", models: ["clerk"], tools: ["weather"] } } });
    const { result, done } = await begin({ tools: ["clerk"], approval: ["weather"] }, { good, clerk }, equipped);
    expect(result.pauses).toMatchObject([{ path: ["agent", "turn_1_call_1", "turn_1_ask_1"], metadata: { tool: "weather" } }]);
    expect(done).toEqual([]);
  });

  test("may use what is left of the limits, and what they used counts", async () => {
    const asks = use(["1", "clerk", { prompt: "Look it up." }]);
    const equipped = () => desk({ agents: { clerk: { description: "Knows.", models: ["clerk"], tools: ["weather"] } } });
    const clerk = () => scripted([use(["1", "weather", { city: "Rome" }]), use(["2", "weather", { city: "Oslo" }]), say("Sunny.")]);
    // Each reply has 15 tokens. The clerk may use 25 of the 40, and has used 30 after the second.
    const little = await begin(
      { tools: ["clerk"], limits: { tokens: 40 } },
      { good: scripted([asks, say("No.")]), clerk: clerk() },
      equipped(),
    );
    expect(little.result.outputs?.["answer"]).toMatchObject({ text: "No.", used: { input_tokens: 20 } });
    expect(little.done).toEqual(["weather Rome", "weather Oslo"]);
    const enough = await begin(
      { tools: ["clerk"], limits: { tokens: 100 } },
      { good: scripted([asks, say("Yes.")]), clerk: clerk() },
      equipped(),
    );
    expect(enough.result.outputs?.["answer"]).toMatchObject({ text: "Yes.", used: { input_tokens: 50, output_tokens: 25 } });
  });

  test("take the work over, with their own words, tools and models, and the whole conversation", async () => {
    let seen: Prompt = [];
    const good = scripted([use(["1", "hand_over_to_clerk", { reason: "Money." }])]);
    const clerk = scripted([[], say("I am the clerk.")], (_, prompt) => (seen = prompt));
    const equipped = desk({ agents: { clerk: { ...profile, models: ["clerk"] } } });
    const { result } = await begin({ hand_over: ["clerk"] }, { good, clerk }, equipped);
    expect(result.outputs?.["answer"]).toMatchObject({ text: "I am the clerk.", agent: "clerk", model: "clerk", turns: 2 });
    expect(JSON.stringify(seen)).toContain("Be kind.");
    expect(seen.map(({ role }) => role)).toEqual(["system", "user", "assistant", "tool"]);
  });

  test("workflows are tools, and what they ask goes up", async () => {
    const survey: Workflow = {
      name: "survey",
      description: "Asks the customer.",
      inputs: { about: { type: "string" } },
      blocks: [{ id: "ask", type: "Prompt", inputs: { prompt: "What of ${inputs.about}?" } }],
      outputs: { said: "${blocks.ask.outputs.response}" },
    };
    let seen: Prompt = [];
    const good = scripted([use(["1", "survey", { about: "${secrets.KEY} {{ 1 }}" }]), say("Thanks.")], (_, prompt) => (seen = prompt));
    const equipped = desk({ tools: { survey: { workflow: survey, approval: false } } });
    const { result, run } = await begin({ tools: ["survey"] }, { good }, equipped);
    expect(result.pauses).toMatchObject([{ path: ["agent", "turn_1_call_1", "ask"], prompt: "What of ${secrets.KEY} {{ 1 }}?" }]);
    expect((await run.answer(result.pauses![0]!.id, "Fine.")).status).toBe("success");
    expect(told(seen)).toContain('"said":"Fine."');
  });

  test("what the host gives a tool no model sees, nor can it give it", async () => {
    const good = scripted([use(["1", "refund", { amount: 1, city: "x" }], ["2", "mine", { amount: 2 }]), say("Done.")]);
    const given: unknown[] = [];
    const pay = defineBlock({
      type: "Pay",
      inputs: object({ amount: { type: "number" }, account: { type: "string" } }),
      execute({ inputs }) {
        given.push(inputs);
        return success({});
      },
    });
    const equipped = desk({ tools: { mine: { block: pay, approval: false, inputs: { account: "${inputs.task.context.account}" } } } });
    const { result } = await begin({ tools: ["mine"], context: { account: "A-1" } }, { good }, equipped);
    expect(result.status).toBe("success");
    expect(given).toEqual([{ amount: 2, account: "A-1" }]);
    expect(JSON.stringify(good.doStreamCalls[0]!.tools)).not.toContain("account");
  });
});

describe("what is wrong is said at load", () => {
  test.each([
    [{ tools: ["wether"] }, 'Did you mean "weather"?'],
    [{ hand_over: ["clerk"] }, 'There is no "clerk".'],
    [{ models: [], agent: "stranger" }, 'There is no "stranger".'],
  ])("%o", async (inputs, message) => {
    await expect(begin(inputs, { good: scripted([]) })).rejects.toThrow(message);
  });
});
