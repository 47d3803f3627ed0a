import { afterEach, describe, expect, test } from "vitest";
import { InMemoryTransport } from "@modelcontextprotocol/client";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { createExecutor, type Executor, type Store, type Workflow } from "wavepoint";
import { mcpServer } from "wavepoint/mcp";
import { mcpTool, readTools, type GrantedServer, type KnownTool } from "wavepoint/mcp/client";
import { memoryStore } from "wavepoint/store/memory";
import { checkWorkflow } from "wavepoint/yaml";
import { add, deploy } from "./workflows.ts";

const KEY = "0123456789abcdef0123456789abcdef";
const open: Executor[] = [];

afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.close();
});

/** Our own server, over one store, made anew for each connection: as if its process had died meanwhile. */
function serverOver(store: Store, connected: { count: number } = { count: 0 }): GrantedServer {
  return {
    transport() {
      const executor = createExecutor({ store, workflows: [add, deploy] });
      open.push(executor);
      const [ours, theirs] = InMemoryTransport.createLinkedPair();
      serveStdio(mcpServer({ executor, workflows: [add, deploy], key: KEY }), { transport: theirs });
      connected.count += 1;
      return ours;
    },
  };
}

const calling = (tool: string, given: object): Workflow => ({
  name: "outer",
  blocks: [{ id: "call", type: "McpTool", inputs: { server: "wp", tool, arguments: given as never } }],
  outputs: { result: "${blocks.call.outputs.result}" },
});

function executorFor(workflow: Workflow, server: GrantedServer, store: Store = memoryStore()): Executor {
  const executor = createExecutor({ store, workflows: [workflow], blocks: [mcpTool({ servers: { wp: server } })] });
  open.push(executor);
  return executor;
}

test("a tool's data are the outputs of its block", async () => {
  const executor = executorFor(calling("execute_workflow", { workflow: "add", inputs: { a: 40 } }), serverOver(memoryStore()));
  const result = await (await executor.start("outer")).settled();
  expect(result).toMatchObject({ status: "success", outputs: { result: { status: "success", outputs: { sum: 42 } } } });
});

test("what a server asks becomes questions of the run, which outlive both processes", async () => {
  const [inner, outer] = [memoryStore(), memoryStore()];
  const connected = { count: 0 };
  const workflow = calling("execute_workflow", { workflow: "deploy", inputs: { service: "shop" } });
  const started = await (await executorFor(workflow, serverOver(inner, connected), outer).start("outer", {}, { id: "one" })).settled();
  expect(started.error).toBeUndefined();
  expect(started).toMatchObject({
    status: "paused",
    // The words are the server's, and the heading says so.
    pauses: [{ title: 'Server "wp" asks', prompt: "Deploy shop?", schema: { type: "object", required: ["answer"] } }],
  });
  let pauses = started.pauses!;
  for (const [prompt, answer] of [
    ["Deploy shop?", "yes"],
    ["How much traffic?", "half"],
    ["A note for the log?", "go"],
  ] as const) {
    // Another process each time, on both sides.
    const executor = executorFor(workflow, serverOver(inner, connected), outer);
    expect(pauses.map((pause) => pause.prompt)).toEqual([prompt]);
    const result = await executor.answer(pauses[0]!.id, { answer });
    if (result.status === "success")
      expect(result.outputs).toMatchObject({ result: { outputs: { confirmed: true, traffic: "half", note: "go" } } });
    else expect(result.status).toBe("paused");
    pauses = result.pauses ?? [];
  }
  expect(pauses).toEqual([]);
  expect(connected.count).toBeGreaterThan(1);
});

test("a server, or a tool of it, that the host does not grant is refused at load", async () => {
  const server = { ...serverOver(memoryStore()), tools: ["list_workflows"] };
  const executor = executorFor(calling("execute_workflow", {}), server);
  await expect(executor.start("outer")).rejects.toMatchObject({ code: "CAPABILITY_MISSING" });
  const other = createExecutor({ store: memoryStore(), workflows: [calling("x", {})], blocks: [mcpTool({ servers: {} })] });
  open.push(other);
  await expect(other.start("outer")).rejects.toMatchObject({ code: "CAPABILITY_MISSING" });
});

test("a tool that fails fails its block, with what it said; one that is gone is named", async () => {
  const failing = executorFor(calling("execute_workflow", { workflow: "none" }), serverOver(memoryStore()));
  expect(await (await failing.start("outer")).settled()).toMatchObject({
    status: "failure",
    error: { message: expect.stringContaining("Workflow 'none' not found") as string },
  });
  const gone = executorFor(calling("execute_workflows", {}), serverOver(memoryStore()));
  expect(await (await gone.start("outer")).settled()).toMatchObject({
    status: "failure",
    error: { message: expect.stringContaining('"execute_workflow"') as string },
  });
});

describe("a tool that is another one when the run goes on", () => {
  const note = (inputs: Workflow["inputs"] = {}): Workflow => ({
    name: "note",
    inputs: { to: { type: "string" }, ...inputs },
    blocks: [{ id: "ask", type: "GetInput", inputs: { prompt: "What?" } }],
    outputs: { said: "${blocks.ask.outputs.input_value}" },
  });
  const inner = memoryStore();

  function serverWith(...workflows: Workflow[]): GrantedServer {
    return {
      transport() {
        const executor = createExecutor({ store: inner, workflows });
        open.push(executor);
        const [ours, theirs] = InMemoryTransport.createLinkedPair();
        serveStdio(mcpServer({ executor, workflows, key: KEY, workflowTools: true }), { transport: theirs });
        return ours;
      },
    };
  }

  const outer = calling("note", { to: "Ada" });

  async function pausedRun() {
    const store = memoryStore();
    const { pauses } = await (await executorFor(outer, serverWith(note()), store).start("outer", {}, { id: "one" })).settled();
    expect(pauses).toMatchObject([{ prompt: "What?" }]);
    return { store, pause: pauses![0]!.id };
  }

  test("is named where it is gone; once it is back, a resumed run calls it anew", async () => {
    const { store, pause } = await pausedRun();
    const gone = await executorFor(outer, serverWith(add), store).answer(pause, { answer: "hello" });
    expect(gone).toMatchObject({ status: "failure", error: { code: "CAPABILITY_MISSING" } });
    expect(gone.error!.message).toMatch(/no tool "note" any more.*Gone since: note\. Bring it back/);
    const run = await executorFor(outer, serverWith(note()), store).open("run_one");
    expect(await run.resume()).toMatchObject({ status: "paused", pauses: [{ prompt: "What?" }] });
  });

  test("is named with what it does not take any more; the run goes on with a workflow that gives what it takes", async () => {
    const { store, pause } = await pausedRun();
    const changed = serverWith(note({ copies: { type: "integer" } }));
    const refused = await executorFor(outer, changed, store).answer(pause, { answer: "hello" });
    expect(refused).toMatchObject({ status: "failure", error: { code: "BLOCK_INPUT_INVALID" } });
    expect(refused.error!.message).toMatch(/"note" of server "wp" has changed.*"copies".*definition: "latest"/);
    const next = calling("note", { to: "Ada", copies: 2 });
    const run = await executorFor(next, changed, store).open("run_one");
    expect(await run.resume({ definition: "latest" })).toMatchObject({ status: "paused", pauses: [{ prompt: "What?" }] });
  });

  test("is called where it still takes what the workflow gives", async () => {
    const { store, pause } = await pausedRun();
    const wider = serverWith(note({ copies: { type: "integer", required: false } }));
    const done = await executorFor(outer, wider, store).answer(pause, { answer: "hello" });
    expect(done).toMatchObject({ status: "success", outputs: { result: { outputs: { said: "hello" } } } });
  });
});

describe("tools that the host knows", () => {
  test("are what a server tells of itself", async () => {
    const tools = await readTools(serverOver(memoryStore()));
    expect(tools.find(({ name }) => name === "answer_pause")).toMatchObject({
      description: expect.any(String) as string,
      inputSchema: { required: ["checkpoint_id"] },
      outputSchema: { type: "object" },
    });
    expect(JSON.parse(JSON.stringify(tools))).toEqual(tools);
  });

  const comment: KnownTool = {
    name: "comment",
    inputSchema: {
      type: "object",
      properties: {
        ticket: { type: "integer" },
        text: { type: "string", minLength: 3 },
        tags: { type: "array", items: { type: "string" } },
      },
      required: ["ticket", "text"],
      additionalProperties: false,
    },
  };

  async function problemsOf(given: string) {
    const text = `
name: outer
inputs:
  n: { type: integer }
blocks:
  - id: call
    type: McpTool
    inputs:
      server: tickets
      tool: comment
      arguments: ${given}
`;
    const server: GrantedServer = { transport: () => Promise.reject(new Error("Nothing is called at load.")), tools: ["search", comment] };
    const { problems } = await checkWorkflow(text, { blocks: [mcpTool({ servers: { tickets: server } })] });
    return problems.map(({ code, path, line, message }) => `${code} ${line} ${path}: ${message}`);
  }

  test.each([
    [
      "{ ticket: seven, text: yes please }",
      /^BLOCK_INPUT_INVALID 11 blocks\[0\]\.inputs\.arguments\.ticket: .*the argument "ticket" must be an integer/,
    ],
    ["{ ticket: 7, text: no }", /arguments\.text: Tool "comment" of server "tickets": the argument "text"/],
    ["{ ticket: 7, text: fine, tags: [a, 5] }", /arguments\.tags: .*"tags\[1\]"/],
    ["{ ticket: 7 }", /inputs\.arguments: .*"text"/],
    ["{ ticket: 7, text: fine, txt: fine }", /arguments\.txt: .*"txt"/],
    ["{ ticket: '${inputs.n}', text: no }", /arguments\.text: /],
  ])("have what is written for them checked at load: %s", async (given, problem) => {
    expect(await problemsOf(given)).toEqual([expect.stringMatching(problem)]);
  });

  test.each(["{ ticket: 7, text: fine }", "{ ticket: '${inputs.n}', text: 'For ${inputs.n}' }"])(
    "take what fits, and references: %s",
    async (given) => {
      expect(await problemsOf(given)).toEqual([]);
    },
  );
});
