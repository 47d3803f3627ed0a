import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createExecutor, type Executor, type Workflow } from "wavepoint";
import { offerTools, type ToolHostOptions } from "wavepoint/mcp/page";
import { memoryStore } from "wavepoint/store/memory";
import { add, deploy } from "./workflows.ts";

interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: { readonly type: string; readonly properties?: object };
  readonly annotations: { readonly readOnlyHint: boolean };
  execute(input: unknown): Promise<unknown>;
}

/** As browsers have it now: a promise, and a signal that withdraws. */
function presentContext() {
  const tools = new Map<string, Tool>();
  return {
    tools,
    async registerTool(tool: Tool, { signal }: { readonly signal: AbortSignal }): Promise<void> {
      if (tools.has(tool.name) || !/^[\w.-]{1,128}$/.test(tool.name) || tool.description === "")
        throw new DOMException("", "InvalidStateError");
      JSON.stringify(tool.inputSchema);
      tools.set(tool.name, tool);
      signal.addEventListener("abort", () => tools.delete(tool.name));
    },
  };
}

const door: Workflow = {
  name: "door",
  tags: ["private"],
  inputs: { code: { type: "string", secret: true } },
  blocks: [{ id: "pin", type: "GetInput", inputs: { prompt: "Your PIN?", sensitive: true } }],
};

let modelContext: ReturnType<typeof presentContext>;
let executor: Executor;

beforeEach(() => {
  modelContext = presentContext();
  vi.stubGlobal("document", { modelContext });
  executor = createExecutor({ store: memoryStore(), workflows: [add, deploy, door] });
});
afterEach(async () => {
  vi.unstubAllGlobals();
  await executor.close();
});

const offer = (options: ToolHostOptions = {}) => offerTools({ executor, workflows: [add, deploy, door], ...options });

interface Told {
  readonly pauses: readonly { readonly checkpoint_id: string; readonly schema?: object }[];
  readonly [name: string]: unknown;
}

async function use(name: string, input: unknown = {}): Promise<Told> {
  return JSON.parse((await modelContext.tools.get(name)!.execute(input)) as string) as Told;
}

describe("where the browser takes tools", () => {
  test("the page offers the table: each tool with its texts, its schema, and whether it only reads", async () => {
    const { names } = await offer();
    expect([...modelContext.tools.keys()]).toEqual(names);
    expect(names).toEqual(expect.arrayContaining(["list_workflows", "execute_workflow", "list_runs", "answer_pause", "fork_checkpoint"]));
    for (const { description, inputSchema } of modelContext.tools.values()) {
      expect(description.length).toBeGreaterThan(40);
      expect(inputSchema).toMatchObject({ type: "object", additionalProperties: false });
    }
    expect(modelContext.tools.get("list_runs")!.annotations).toEqual({ readOnlyHint: true });
    expect(modelContext.tools.get("cancel_run")!.annotations).toEqual({ readOnlyHint: false });
  });

  test("a model starts a workflow, finds its open questions and answers them; a wrong answer changes nothing", async () => {
    await offer();
    await use("execute_workflow", { workflow: "deploy", inputs: { service: "shop" } });
    const { runs } = (await use("list_runs", { status: "paused" })) as unknown as {
      readonly runs: readonly { readonly run_id: string; readonly pauses: Told["pauses"] }[];
    };
    const [sure, traffic] = runs[0]!.pauses.map(({ checkpoint_id }) => checkpoint_id);
    expect((await use("get_run_status", { run_id: runs[0]!.run_id })).pauses[1]!.schema).toBeDefined();
    expect(await use("answer_pause", { checkpoint_id: traffic, response: "nonsense" })).toMatchObject({ code: "RESPONSE_INVALID" });
    await use("answer_pause", { checkpoint_id: traffic, response: "half" });
    const { checkpoint_id } = await use("answer_pause", { checkpoint_id: sure, response: "yes" });
    expect(await use("resume_workflow", { checkpoint_id, llm_response: "go" })).toMatchObject({
      status: "success",
      outputs: { confirmed: true, traffic: "half", note: "go" },
    });
  });

  test("a question that was answered on the page is answered for the model too", async () => {
    await offer();
    const { pauses, run_id } = await use("execute_workflow", { workflow: "deploy", inputs: { service: "shop" } });
    await (await executor.open(run_id as string)).answer<string>(pauses[0]!.checkpoint_id, "yes");
    expect(await use("answer_pause", { checkpoint_id: pauses[0]!.checkpoint_id, response: "no" })).toMatchObject({
      code: "PAUSE_ALREADY_ANSWERED",
    });
  });

  test("workflows are tools of their own where the host wants it, with their inputs", async () => {
    await offer({ workflowTools: ["public"] });
    expect(modelContext.tools.has("deploy")).toBe(false);
    expect(modelContext.tools.get("add")!.inputSchema).toMatchObject({ properties: { a: { type: "number" } }, required: ["a"] });
    expect(await use("add", { a: 40 })).toMatchObject({ status: "success", outputs: { sum: 42 } });
  });

  test("what does not fit a tool's schema is refused, and nothing starts", async () => {
    await offer();
    for (const input of [undefined, null, "deploy", { workflow: 7 }, { workflow: "add", unsafe: true }])
      expect(await use("execute_workflow", input)).toMatchObject({ status: "failure", code: "INPUT_INVALID" });
    expect((await executor.runs.list()).items).toEqual([]);
  });

  test("the host says by tags what a model may start, see and answer", async () => {
    await offer({ access: { read: ["public", "operations"], start: ["public"], answer: false } });
    expect(modelContext.tools.has("answer_pause")).toBe(false);
    expect(await use("execute_workflow", { workflow: "deploy", inputs: { service: "shop" } })).toMatchObject({
      code: "CAPABILITY_MISSING",
    });
    expect(await use("execute_workflow", { workflow: "door" })).toMatchObject({ code: "WORKFLOW_NOT_FOUND" });
    expect(await use("execute_workflow", { workflow: "add", inputs: { a: 1 } })).toMatchObject({ status: "success" });
  });

  test("S10 secrets and private questions stay with the page", async () => {
    const canary = "canary-4711-secret";
    await offer({ secrets: () => canary });
    const received: unknown[] = [];
    const hear = async (name: string, input: unknown) => {
      const told = await use(name, input);
      received.push(told);
      return told;
    };
    expect(await hear("execute_workflow", { workflow: "door", inputs: { code: "guess" } })).toMatchObject({ code: "SECRET_MISPLACED" });
    const { pauses, run_id } = await hear("execute_workflow", { workflow: "door" });
    expect(pauses).toMatchObject([{ for_person: true }]);
    const { checkpoint_id } = pauses[0]!;
    expect(await hear("answer_pause", { checkpoint_id, response: "1234" })).toMatchObject({ code: "CAPABILITY_MISSING" });
    await hear("get_run_status", { run_id });
    expect(JSON.stringify(received)).not.toContain(canary);
  });

  test("all are withdrawn when they are no longer offered, and may be offered again", async () => {
    (await offer()).withdraw();
    expect(modelContext.tools.size).toBe(0);
    await offer();
    expect(modelContext.tools.size).toBeGreaterThan(10);
  });

  test("a tool that the browser refuses is named, and none is left behind", async () => {
    modelContext.tools.set("list_runs", {} as Tool);
    await expect(offer()).rejects.toMatchObject({ code: "CAPABILITY_MISSING", details: { tool: "list_runs" } });
    expect([...modelContext.tools.keys()]).toEqual(["list_runs"]);
  });

  test("the older form on the navigator is served as it was", async () => {
    const tools = new Map<string, Tool>();
    vi.stubGlobal("document", {});
    vi.stubGlobal("navigator", {
      modelContext: {
        registerTool: (tool: Tool) => void tools.set(tool.name, tool),
        unregisterTool: (name: string) => void tools.delete(name),
      },
    });
    const { withdraw } = await offer();
    expect(await tools.get("list_workflows")!.execute({})).toMatchObject({ content: [{ type: "text" }] });
    withdraw();
    expect(tools.size).toBe(0);
  });
});

test("where it takes none, nothing is offered, and wrong options are refused all the same", async () => {
  vi.stubGlobal("document", {});
  vi.stubGlobal("navigator", {});
  expect((await offer()).names).toEqual([]);
  await expect(offer({ access: { raed: true } as never })).rejects.toMatchObject({ code: "KEY_UNKNOWN" });
});
