import { afterEach, describe, expect, test } from "vitest";
import { createExecutor, defineBlock, success, type Executor, type Store, type Workflow } from "wavepoint";
import { mcpServer, type McpServerOptions } from "wavepoint/mcp";
import { memoryStore } from "wavepoint/store/memory";
import { loadWorkflow } from "wavepoint/yaml";
import { callTool, connect, ERAS, newClient, type Era, type Person } from "./clients.ts";
import { deploy } from "./workflows.ts";

const KEY = "0123456789abcdef0123456789abcdef";
const open: { close(): Promise<unknown> }[] = [];

afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.close();
});

function makeExecutor(store: Store = memoryStore(), workflows: readonly Workflow[] = [deploy]): Executor {
  const executor = createExecutor({ store, workflows });
  open.push(executor);
  return executor;
}

async function connectTo(options: McpServerOptions, era: Era, person?: Person) {
  const client = await connect(mcpServer({ workflows: [deploy], key: KEY, ...options }), era, person);
  open.push(client);
  return client;
}

/** Answers each form by its message; keeps what was asked. */
function personWho(answers: Readonly<Record<string, unknown>>): { readonly person: Person; readonly asked: string[] } {
  const asked: string[] = [];
  const person: Person = ({ message }) => {
    asked.push(message);
    const found = Object.entries(answers).find(([part]) => message.includes(part));
    if (found === undefined) return { action: "cancel" };
    const given = Array.isArray(found[1]) ? (found[1] as unknown[]).shift() : found[1];
    if (given === "decline" || given === "cancel") return { action: given };
    return { action: "accept", content: (typeof given === "object" ? given : { answer: given }) as Record<string, string> };
  };
  return { person, asked };
}

const START = { workflow: "deploy", inputs: { service: "shop" } };

describe.each(ERAS)("a client with forms, in the protocol of %s", (era) => {
  test("is asked all open questions in one round, and gets the outputs", async () => {
    const { person, asked } = personWho({ "Deploy shop?": "yes", "How much": "half", note: "go" });
    const client = await connectTo({ executor: makeExecutor() }, era, person);
    const done = await callTool(client, "execute_workflow", START);
    expect(done).toMatchObject({ status: "success", outputs: { confirmed: true, traffic: "half", note: "go" } });
    expect(asked).toHaveLength(3);
  });

  test("hears what is wrong with an answer, and is asked that question alone again", async () => {
    const { person, asked } = personWho({ "Deploy shop?": "yes", "How much": ["nonsense", "all"], note: "go" });
    const client = await connectTo({ executor: makeExecutor() }, era, person);
    expect(await callTool(client, "execute_workflow", START)).toMatchObject({ status: "success", outputs: { traffic: "all" } });
    expect(asked.filter((message) => message.includes("How much"))).toEqual([
      "How much traffic?",
      expect.stringMatching(/Invalid choice: nonsense[\s\S]*How much traffic\?/) as string,
    ]);
    expect(asked.filter((message) => message.includes("Deploy shop?"))).toHaveLength(1);
  });

  test("leaves a question open that a person puts off, and keeps the answers to the others", async () => {
    const { person } = personWho({ "Deploy shop?": "cancel", "How much": "all" });
    const executor = makeExecutor();
    const client = await connectTo({ executor }, era, person);
    const left = await callTool(client, "execute_workflow", START);
    expect(left).toMatchObject({ status: "paused", pauses: [{ path: ["sure"] }] });
    expect((await executor.open(left.run_id)).getSnapshot().status).toBe("paused");
  });

  test("declines for the person: the block fails, as the workflow says", async () => {
    const { person } = personWho({ "Deploy shop?": "decline", "How much": "all" });
    const client = await connectTo({ executor: makeExecutor() }, era, person);
    expect(await callTool(client, "execute_workflow", START)).toMatchObject({ status: "failure", run_id: expect.any(String) as string });
  });

  test("is left alone where the host allows no answers", async () => {
    const { person, asked } = personWho({});
    const client = await connectTo({ executor: makeExecutor(), access: { answer: false } }, era, person);
    const paused = await callTool(client, "execute_workflow", START);
    expect(paused["status"]).toBe("paused");
    expect(asked).toEqual([]);
    expect(await callTool(client, "resume_workflow", { checkpoint_id: paused.checkpoint_id, llm_response: "yes" })).toMatchObject({
      code: "CAPABILITY_MISSING",
    });
  });

  test("hears of waves as they end, where it asks to", async () => {
    const slow = defineBlock({
      type: "Slow",
      execute: async () => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        return success({});
      },
    });
    const chain: Workflow = {
      name: "chain",
      blocks: ["a", "b", "c"].map((id, i, ids) => ({ id, type: "Slow", ...(i > 0 ? { dependsOn: [ids[i - 1]!] } : {}) })),
    };
    const executor = createExecutor({ store: memoryStore(), workflows: [chain], blocks: [slow] });
    open.push(executor);
    const client = await connectTo({ executor, workflows: [chain] }, era);
    const received: unknown[] = [];
    await client.callTool(
      { name: "execute_workflow", arguments: { workflow: "chain" } },
      { onprogress: ({ progress, total }) => received.push([progress, total]) },
    );
    expect(received.slice(0, 3)).toEqual([
      [0, 3],
      [1, 3],
      [2, 3],
    ]);
  });

  test("stops the run for now when it cancels the call", async () => {
    let began!: () => void;
    const beganOnce = new Promise<void>((resolve) => (began = resolve));
    const endless = defineBlock({
      type: "Endless",
      execute: ({ signal }) =>
        new Promise<never>((_, reject) => {
          began();
          signal.addEventListener("abort", () => reject(signal.reason as Error));
        }),
    });
    const work: Workflow = { name: "work", blocks: [{ id: "a", type: "Endless" }] };
    const executor = createExecutor({ store: memoryStore(), workflows: [work], blocks: [endless] });
    open.push(executor);
    const client = await connectTo({ executor, workflows: [work] }, era);
    const controller = new AbortController();
    const call = client.callTool(
      { name: "execute_workflow", arguments: { workflow: "work", run_id: "one" } },
      { signal: controller.signal },
    );
    await beganOnce;
    controller.abort("enough");
    await expect(call).rejects.toThrow("enough");
    await expect.poll(async () => (await executor.open("run_one")).getSnapshot()).toMatchObject({ status: "paused", reason: "stopped" });
  });
});

describe("a round in the protocol of 2026", () => {
  /** The first round of a call, as a client gets it that fulfils nothing by itself. */
  async function firstRound(store: Store) {
    const client = newClient("2026", () => ({ action: "cancel" }));
    const { InMemoryTransport } = await import("@modelcontextprotocol/client");
    const { serveStdio } = await import("@modelcontextprotocol/server/stdio");
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    serveStdio(mcpServer({ executor: makeExecutor(store), workflows: [deploy], key: KEY }), { transport: theirs });
    await client.connect(ours);
    open.push(client);
    const asked = await client.callTool({ name: "execute_workflow", arguments: START }, { allowInputRequired: true });
    return {
      client,
      asked: asked as unknown as {
        readonly resultType: string;
        readonly inputRequests: Record<string, { params: { requestedSchema: unknown } }>;
        readonly requestState: string;
      },
    };
  }

  test("asks every open question under the id of its pause, with the choices that a client draws", async () => {
    const { asked } = await firstRound(memoryStore());
    expect(asked.resultType).toBe("input_required");
    const [sure, traffic] = Object.values(asked.inputRequests);
    expect(Object.keys(asked.inputRequests)).toHaveLength(2);
    expect(sure!.params.requestedSchema).toMatchObject({ properties: { answer: { type: "string" } }, required: ["answer"] });
    expect(traffic!.params.requestedSchema).toMatchObject({
      properties: { answer: { oneOf: [{ const: "all", title: "all" }, { const: "half" }, { const: "10 percent" }] } },
    });
  });

  test("is taken by the next process, where the one that asked was killed", async () => {
    const store = memoryStore();
    const { asked } = await firstRound(store);
    const next = await connectTo({ executor: makeExecutor(store) }, "2026", () => ({ action: "cancel" }));
    const inputResponses = Object.fromEntries(
      Object.keys(asked.inputRequests).map((id, i) => [id, { action: "accept" as const, content: { answer: ["no", "all"][i]! } }]),
    );
    const done = await next.callTool(
      { name: "execute_workflow", arguments: START, inputResponses, requestState: asked.requestState } as never,
      { allowInputRequired: true },
    );
    expect(done.structuredContent).toMatchObject({ status: "success", outputs: { confirmed: false, traffic: "all" } });
  });

  test("is refused where its state was changed, or signed with another key", async () => {
    const { client, asked } = await firstRound(memoryStore());
    const [, body = ""] = asked.requestState.split(".");
    const forged = JSON.parse(Buffer.from(body, "base64url").toString()) as { p: { run: string } };
    forged.p.run = "run_other";
    const states = [
      asked.requestState.replace(body, Buffer.from(JSON.stringify(forged)).toString("base64url")),
      `${asked.requestState.slice(0, -2)}AA`,
      "v1.e30.x",
      "",
      "x".repeat(100_000),
    ];
    for (const requestState of states) {
      const call = client.callTool({ name: "execute_workflow", arguments: START, requestState, inputResponses: {} } as never, {
        allowInputRequired: true,
      });
      await expect(call).rejects.toThrow(/requestState/);
    }
  });
});

describe("what never crosses", () => {
  const CANARY = "canary-4711-secret";
  const secretive = loadWorkflow(`
name: secretive
inputs:
  door: { type: string, secret: true }
  name: { type: string }
blocks:
  - id: who
    type: GetInput
    inputs: { prompt: "Hello \${inputs.name}. Your code?", sensitive: true }
  - id: log
    type: Login
    depends_on: [who]
    inputs: { password: "\${inputs.door}" }
outputs:
  said: \${blocks.log.outputs.said}
`);
  const login = defineBlock({
    type: "Login",
    secretInputs: ["password"],
    inputs: { jsonSchema: { type: "object", properties: { password: { type: "string" } }, required: ["password"] } },
    execute: ({ inputs }) => success({ said: `in with ${inputs.password}` }),
  });

  test.each(ERAS)("S10 a secret of the host, and a private question, in the protocol of %s", async (era) => {
    const executor = createExecutor({ store: memoryStore(), workflows: [secretive], blocks: [login], secrets: () => CANARY });
    open.push(executor);
    const { person, asked } = personWho({});
    const client = await connectTo({ executor, workflows: [secretive], secrets: () => CANARY, workflowTools: true }, era, person);
    const received: unknown[] = [await client.listTools()];
    const call = async (name: string, args: Record<string, unknown>) => {
      const answer = await callTool(client, name, args);
      received.push(answer);
      return answer;
    };
    expect(await call("execute_workflow", { workflow: "secretive", inputs: { name: "Ada", door: "guess" } })).toMatchObject({
      code: "SECRET_MISPLACED",
    });
    const paused = await call("secretive", { name: "Ada" });
    expect(paused).toMatchObject({ status: "paused", pauses: [{ for_person: true }] });
    expect(paused.pauses[0]!.schema).toBeUndefined();
    expect(asked).toEqual([]);
    const { checkpoint_id, run_id } = paused;
    for (const name of ["resume_workflow", "answer_pause"]) {
      const answer = name === "resume_workflow" ? { llm_response: "1234" } : { response: "1234" };
      expect(await call(name, { checkpoint_id, ...answer })).toMatchObject({ code: "CAPABILITY_MISSING" });
    }
    await (await executor.open(run_id)).answer<string>(checkpoint_id, "1234");
    expect(await call("get_run_status", { run_id })).toMatchObject({ status: "success", outputs: { said: "in with ***" } });
    expect(await call("revise_answer", { checkpoint_id, response: "12345" })).toMatchObject({ code: "CAPABILITY_MISSING" });
    await call("get_workflow_info", { workflow: "secretive" });
    await call("list_checkpoints", {});
    const { resources } = await client.listResources();
    for (const { uri } of resources) received.push(await client.readResource({ uri }));
    expect(resources.length).toBeGreaterThan(1);
    expect(JSON.stringify(received)).not.toContain(CANARY);
  });
});

describe("the host's choice by tags", () => {
  const tagged = (name: string, ...tags: string[]): Workflow => ({
    name,
    tags,
    blocks: [{ id: "a", type: "GetInput", inputs: { prompt: `${name}?` } }],
  });
  const workflows = [
    tagged("seen", "see"),
    tagged("startable", "see", "start"),
    tagged("free", "see", "start", "answer"),
    tagged("hidden"),
  ];
  const access = { read: ["see"], start: ["start"], answer: ["answer"] };

  test("clients see, start and answer what it names, and hear of nothing else", async () => {
    const executor = makeExecutor(memoryStore(), workflows);
    const secret = await executor.start("hidden", {}, { id: "hidden-1" });
    const [asked] = (await secret.settled()).pauses!;
    await (await executor.start("seen", {}, { id: "seen-1" })).settled();
    const client = await connectTo({ executor, workflows, access }, "2026");
    expect((await callTool(client, "list_workflows")).workflows.map(({ name }) => name)).toEqual(["free", "seen", "startable"]);
    expect(await callTool(client, "get_workflow_info", { workflow: "hidden" })).toMatchObject({ code: "WORKFLOW_NOT_FOUND" });
    expect(await callTool(client, "execute_workflow", { workflow: "hidden" })).toMatchObject({ code: "WORKFLOW_NOT_FOUND" });
    expect(await callTool(client, "execute_workflow", { workflow: "seen" })).toMatchObject({ code: "CAPABILITY_MISSING" });
    const paused = await callTool(client, "execute_workflow", { workflow: "startable" });
    expect(await callTool(client, "answer_pause", { checkpoint_id: paused.checkpoint_id, response: "x" })).toMatchObject({
      code: "CAPABILITY_MISSING",
    });
    const free = await callTool(client, "execute_workflow", { workflow: "free" });
    expect(await callTool(client, "answer_pause", { checkpoint_id: free.checkpoint_id, response: "x" })).toMatchObject({
      status: "success",
    });
    // What is hidden is as if it were not there.
    const unknown = { run: "run_hidden-2", pause: "pause_hidden-2.0" };
    for (const [tool, known, other] of [
      ["get_run_status", { run_id: secret.id }, { run_id: unknown.run }],
      ["cancel_run", { run_id: secret.id }, { run_id: unknown.run }],
      ["answer_pause", { checkpoint_id: asked!.id, response: "x" }, { checkpoint_id: unknown.pause, response: "x" }],
      ["resume_workflow", { checkpoint_id: asked!.id, llm_response: "x" }, { checkpoint_id: unknown.pause, llm_response: "x" }],
      ["delete_checkpoint", { checkpoint_id: asked!.id }, { checkpoint_id: unknown.pause }],
      ["get_checkpoint_info", { checkpoint_id: asked!.id }, { checkpoint_id: unknown.pause }],
    ] as const) {
      const blank = (answer: object) => JSON.stringify(answer).replaceAll(/hidden-\d/g, "hidden");
      expect(blank(await callTool(client, tool, known)), tool).toBe(blank(await callTool(client, tool, other)));
    }
    expect(secret.getSnapshot().status).toBe("paused");
    const listed = JSON.stringify([
      await callTool(client, "list_runs"),
      await callTool(client, "list_checkpoints"),
      await client.listResources(),
    ]);
    expect(listed).not.toContain("hidden");
    expect(await callTool(client, "cancel_run", { run_id: "run_seen-1" })).toMatchObject({ code: "CAPABILITY_MISSING" });
  });

  describe("a client that may bring workflows of its own", () => {
    const own = (type: string, inputs: string) => `name: own\nblocks:\n  - {id: a, type: ${type}, inputs: ${inputs}}\n`;

    /** The executor has workflows that clients are not offered, and one that clients may see calls one that they may answer. */
    async function serve() {
      const caller: Workflow = { name: "caller", blocks: [{ id: "a", type: "ExecuteWorkflow", inputs: { workflow: "free" } }] };
      const executor = makeExecutor(memoryStore(), [...workflows, tagged("payroll", "see", "start", "answer"), caller]);
      for (const name of ["payroll", "caller"]) await (await executor.start(name, {}, { id: name })).settled();
      const client = await connectTo({ executor, workflows, access: { ...access, inline: true } }, "2026");
      return { executor, client, call: (tool: string, args = {}) => callTool(client, tool, args) };
    }

    test("sees, and answers, no runs but its own of what is not offered", async () => {
      const { executor, client, call } = await serve();
      const mine = await call("execute_inline_workflow", { workflow_yaml: own("GetInput", '{prompt: "Mine?"}'), run_id: "mine" });
      expect(mine).toMatchObject({ status: "paused", run_id: "run_mine" });
      expect((await call("list_runs"))["runs"]).toMatchObject([{ run_id: "run_mine" }]);
      expect((await call("list_checkpoints"))["checkpoints"]).toMatchObject([{ run_id: "run_mine" }]);
      expect((await client.listResources()).resources.filter(({ uri }) => uri.startsWith("run:"))).toMatchObject([
        { uri: "run://run_mine" },
      ]);
      const called = (await executor.open("run_caller/a")).getSnapshot();
      for (const { id, pauses } of [(await executor.open("payroll")).getSnapshot(), called]) {
        expect(await call("get_run_status", { run_id: id })).toMatchObject({ code: "RUN_NOT_FOUND" });
        expect(await call("answer_pause", { checkpoint_id: pauses[0]!.id, response: "x" })).toMatchObject({ code: "CHECKPOINT_NOT_FOUND" });
      }
      expect(await call("answer_pause", { checkpoint_id: mine.checkpoint_id, response: "x" })).toMatchObject({ status: "success" });
    });

    test.each([
      ["payroll", "WORKFLOW_NOT_FOUND"],
      ["hidden", "WORKFLOW_NOT_FOUND"],
      ["seen", "CAPABILITY_MISSING"],
      ["startable", "CAPABILITY_MISSING"],
      ["${metadata.workflow_name}", "CAPABILITY_MISSING"],
    ])("calls in it no %s, which it could not start and answer itself", async (name, code) => {
      const { executor, call } = await serve();
      expect(await call("execute_inline_workflow", { workflow_yaml: own("ExecuteWorkflow", `{workflow: "${name}"}`) })).toMatchObject({
        code,
      });
      expect((await executor.runs.list({ workflow: "own" })).items).toEqual([]);
    });

    test("calls in it what it may start and answer", async () => {
      const { call } = await serve();
      const workflow_yaml = own("ExecuteWorkflow", "{workflow: free}");
      const asked = await call("execute_inline_workflow", { workflow_yaml });
      expect(asked).toMatchObject({ status: "paused", prompt: "[Child workflow] free?" });
      expect(await call("answer_pause", { checkpoint_id: asked.checkpoint_id, response: "x" })).toMatchObject({ status: "success" });
    });
  });

  test("a client that may only look has no tools that change anything", async () => {
    const client = await connectTo({ executor: makeExecutor(), access: { start: false, answer: false } }, "2026");
    const { tools } = await client.listTools();
    expect(tools.filter(({ annotations }) => annotations?.readOnlyHint !== true).map(({ name }) => name)).toEqual([]);
    expect(client.getServerCapabilities()?.prompts).toBeUndefined();
  });
});

describe("hostile input", () => {
  test("S7 is answered with an error, quickly, and changes nothing", async () => {
    const executor = makeExecutor();
    const client = await connectTo({ executor }, "2026");
    const paused = await callTool(client, "execute_workflow", START);
    const ids = [
      "__proto__",
      "constructor",
      "run_../../etc/passwd",
      "pause_.0",
      "",
      "a".repeat(10_000),
      "\u0000",
      "run_x\n",
      `${paused.run_id}/../x`,
    ];
    const begin = performance.now();
    for (const id of ids) {
      for (const [tool, args] of [
        ["execute_workflow", { workflow: id }],
        ["get_run_status", { run_id: id }],
        ["cancel_run", { run_id: id }],
        ["resume_workflow", { checkpoint_id: id, llm_response: "yes" }],
        ["resume_workflow", { checkpoint_id: id }],
        ["answer_pause", { checkpoint_id: id, response: { __proto__: { a: 1 } } }],
        ["revise_answer", { checkpoint_id: id, response: null }],
        ["fork_checkpoint", { checkpoint_id: id, answers: { [id]: 1 } }],
      ] as const) {
        const answer = await callTool(client, tool, args);
        expect(answer["status"] ?? "refused", `${tool} ${id}`).not.toMatch(/success|paused/);
      }
    }
    expect(performance.now() - begin).toBeLessThan(250 * ids.length * 9);
    expect((await executor.runs.list()).items.map(({ id }) => id)).toEqual([paused.run_id]);
    expect((Object.prototype as Record<string, unknown>)["a"]).toBeUndefined();
  });

  test("unknown arguments and wrong types are named", async () => {
    const client = await connectTo({ executor: makeExecutor() }, "2026");
    expect((await callTool(client, "execute_workflow", { workflow: 5 }))["protocolError"]).toContain("workflow");
    expect((await callTool(client, "execute_workflow", { workflow: "deploy", imputs: {} }))["protocolError"]).toContain("imputs");
  });
});
