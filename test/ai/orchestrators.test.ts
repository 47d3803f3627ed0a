import { createExecutor, defineBlock, success, type Values } from "wavepoint";
import { agentBlocks } from "wavepoint/ai";
import { memoryStore } from "wavepoint/store/memory";
import { describe, expect, test } from "vitest";
import { inTurn, type Prompt, say, scripted, use } from "./mock-models.ts";

/** Two agents: one that reads, and one that writes once a person allows it. */
function office() {
  const done: string[] = [];
  const write = defineBlock({
    type: "Write",
    effect: "repeatable",
    inputs: { jsonSchema: { type: "object", properties: { line: { type: "string" }, by: { type: "string" } }, required: ["line", "by"] } },
    execute({ inputs }) {
      done.push(`${inputs.line}, ${inputs.by}`);
      return success({});
    },
  });
  const blocks = agentBlocks({
    tools: { write: { block: write, inputs: { by: "${inputs.task.context.user}" } } },
    agents: {
      reader: { description: "Reads.", models: ["reader"] },
      writer: { description: "Writes.", models: ["writer"], tools: ["write"] },
    },
  });
  return { done, blocks };
}

async function begin(type: "Linear" | "Graph", inputs: Values, models: { readonly [name: string]: object }) {
  const { done, blocks } = office();
  const store = memoryStore();
  const open = () => createExecutor({ store, blocks, grants: { models } });
  const flow = {
    name: "work",
    blocks: [{ id: "work", type, inputs: { context: { user: "Ada" }, ...inputs } }],
    outputs: { work: "${blocks.work.outputs}" },
  };
  const run = await open().start(flow);
  return { result: await run.settled(), done, open, run };
}

describe("Linear", () => {
  const plan = say(
    JSON.stringify({
      tasks: [
        { agent: "reader", prompt: "Read it." },
        { agent: "writer", prompt: "Write it." },
      ],
    }),
  );

  test("plans, lets agents work in order, and puts the results together; a question in a task is asked with its path", async () => {
    const seen: Prompt[] = [];
    const manager = inTurn([plan, say("It is written.")]);
    const reader = inTurn([say("It says: hello.")]);
    const writer = inTurn([use(["1", "write", { line: "hello" }]), say("Written.")], (prompt) => seen.push(prompt));
    const inputs = { prompt: "Copy it.", models: ["manager"], agents: ["reader", "writer"] };
    const { result, open, done } = await begin("Linear", inputs, { manager, reader, writer });
    expect(result.pauses).toMatchObject([{ path: ["work", "task_2", "turn_1_ask_1"], metadata: { tool: "write" } }]);
    expect(JSON.stringify(seen[0])).toContain("It says: hello.");
    const after = await open().answer(result.pauses![0]!.id, { decision: "approve" });
    expect(done).toEqual(["hello, Ada"]);
    expect(after.outputs?.["work"]).toMatchObject({
      text: "It is written.",
      results: ["It says: hello.", "Written."],
      used: { input_tokens: 20 },
    });
  });

  test("keeps to limits, and so does each of its agents", async () => {
    const inputs = { prompt: "Copy it.", models: ["manager"], agents: ["reader", "writer"] };
    // Each reply has 15 tokens.
    const models = () => ({ manager: inTurn([plan, say("Done.")]), reader: inTurn([say("Hello.")]), writer: inTurn([say("Fine.")]) });
    const enough = await begin("Linear", { ...inputs, limits: { tokens: 16 } }, models());
    expect(enough.result).toMatchObject({ status: "success" });
    const little = await begin("Linear", { ...inputs, limits: { tokens: 15 } }, models());
    expect(little.result).toMatchObject({ status: "failure", error: { message: expect.stringContaining("15 are allowed") as string } });
  });

  test("takes no plan with agents that it was not given", async () => {
    const manager = inTurn([plan]);
    const { result } = await begin("Linear", { prompt: "Copy it.", models: ["manager"], agents: ["reader"] }, { manager });
    expect(result.error?.message).toContain("tasks[1].agent must be one of: reader");
  });
});

describe("Graph", () => {
  const states = {
    read: { agent: "reader", next: ["judge"] },
    judge: { agent: "reader", prompt: "Is it good?", next: ["read", "write", "end"] },
    write: { agent: "writer", prompt: "Write it." },
  };

  test("goes from state to state, back too where a model chooses so, and ends where nothing follows", async () => {
    const reader = inTurn([say("Draft 1"), say("Bad."), say("Draft 2"), say("Good.")]);
    const manager = inTurn([say('{"next":"read"}'), say('{"next":"write"}')]);
    const writer = inTurn([use(["1", "write", { line: "Draft 2" }]), say("Written.")]);
    const { result, open, done } = await begin(
      "Graph",
      { prompt: "Go.", models: ["manager"], states, start: "read" },
      { manager, reader, writer },
    );
    expect(result.pauses).toMatchObject([{ path: ["work", "step_5_write", "turn_1_ask_1"] }]);
    const after = await open().answer(result.pauses![0]!.id, { decision: "approve" });
    expect(after.outputs?.["work"]).toMatchObject({ text: "Written.", path: ["read", "judge", "read", "judge", "write"] });
    expect(done).toEqual(["Draft 2, Ada"]);
  });

  test("fails where it does not end", async () => {
    const reader = inTurn(Array.from({ length: 20 }, () => say("Again.")));
    const loop = { read: { agent: "reader", next: ["read"] } };
    const { result } = await begin(
      "Graph",
      { prompt: "Go.", models: ["m"], states: loop, start: "read", max_steps: 3 },
      { m: reader, reader },
    );
    expect(result.error?.message).toContain("The graph passed 3 states and has not ended.");
  });

  test.each([
    [{ start: "raed" }, 'Did you mean "read"?'],
    [{ states: { read: { agent: "stranger" } } }, 'There is no "stranger".'],
    [{ states: { read: { agent: "reader", next: ["wirte"] } } }, 'There is no "wirte".'],
    [{ states: { read: {}, end: { agent: "reader" } } }, "is none"],
  ])("is refused at load: %o", async (wrong, message) => {
    await expect(begin("Graph", { prompt: "Go.", models: ["m"], states, start: "read", ...wrong }, { m: scripted([]) })).rejects.toThrow(
      message,
    );
  });
});

test.each([
  ["Linear", { agents: ["looker"] }, say('{"tasks":[{"agent":"looker","prompt":"Look."}]}')],
  ["Graph", { start: "look", states: { look: { agent: "looker" } } }, say("unused")],
] as const)("in %s a tool asks first where the workflow says so", async (type, inputs, plan) => {
  const done: unknown[] = [];
  const look = defineBlock({
    type: "Look",
    execute() {
      done.push("looked");
      return success({});
    },
  });
  const blocks = agentBlocks({
    tools: { look: { block: look } },
    agents: { looker: { description: "Looks.", models: ["looker"], tools: ["look"] } },
  });
  const models = { manager: inTurn([plan, say("Done.")]), looker: scripted([use(["1", "look", {}]), say("Seen.")]) };
  const executor = createExecutor({ store: memoryStore(), blocks, grants: { models } });
  const asked = { prompt: "Look.", models: ["manager"], approval: ["look"], ...inputs };
  const run = await executor.start({ name: "work", blocks: [{ id: "work", type, inputs: asked }] });
  const { pauses } = await run.settled();
  expect(pauses).toMatchObject([{ metadata: { tool: "look" } }]);
  expect(done).toEqual([]);
  expect((await run.answer(pauses![0]!.id, { decision: "approve" })).status).toBe("success");
  expect(done).toEqual(["looked"]);
  await executor.close();
});

test("for_each over agents: each item is an agent of its own, and those that had ended are not asked again", async () => {
  const { blocks, done } = office();
  const calls: string[] = [];
  const good = scripted([use(["1", "write", { line: "x" }]), say("Done.")], (turn, prompt) => {
    calls.push(`${turn} ${JSON.stringify(prompt[0]!.content).slice(-8)}`);
  });
  const idle = scripted([say("Nothing to do.")], () => calls.push("idle"));
  const store = memoryStore();
  const open = () => createExecutor({ store, blocks, grants: { models: { good, idle } } });
  const run = await open().start({
    name: "all",
    blocks: [
      {
        id: "each",
        type: "Agent",
        forEach: [["idle"], ["good"], ["idle"]],
        inputs: { models: "${each.value}", prompt: "Go ${each.index}.", tools: ["write"], context: { user: "Ada" } },
      },
    ],
    outputs: { texts: "${blocks.each.outputs}" },
  });
  const result = await run.settled();
  expect(result.pauses).toMatchObject([{ path: ["each[1]", "turn_1_ask_1"] }]);
  const before = calls.length;
  const after = await open().answer(result.pauses![0]!.id, { decision: "approve" });
  expect(after.status).toBe("success");
  expect(calls.slice(before)).toHaveLength(1);
  expect(done).toEqual(["x, Ada"]);
});
