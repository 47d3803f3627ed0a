import { afterEach, describe, expect, test, vi } from "vitest";
import { createExecutor, defineBlock, success, type Run, type Workflow } from "wavepoint";
import { offerPauses } from "wavepoint/browser";
import { memoryStore } from "wavepoint/store/memory";

const trip: Workflow = {
  name: "trip",
  blocks: [
    { id: "where", type: "GetInput", inputs: { prompt: "Where to?" } },
    {
      id: "who",
      type: "Form",
      inputs: {
        prompt: "Who goes?",
        schema: { type: "object", properties: { name: { type: "string", minLength: 1 } }, required: ["name"] },
      },
    },
    { id: "sure", type: "ConfirmOperation", inputs: { message: "Sure?" }, dependsOn: ["where", "who"] },
  ],
  outputs: { to: "${blocks.where.input_value}" },
};

interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: unknown;
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

async function startTrip(): Promise<Run> {
  const run = await createExecutor({ store: memoryStore(), workflows: [trip] }).start("trip");
  await run.settled();
  return run;
}

afterEach(() => {
  vi.unstubAllGlobals();
});

describe("where the browser takes tools", () => {
  test("each open question is one, with its schema; an answer that is no object is a member", async () => {
    const modelContext = presentContext();
    vi.stubGlobal("document", { modelContext });
    offerPauses(await startTrip());
    expect(
      [...modelContext.tools.values()].map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    ).toMatchObject([
      {
        name: "answer-where-0",
        description: expect.stringContaining("Where to?") as string,
        inputSchema: { type: "object", properties: { answer: { type: "string" } }, required: ["answer"] },
      },
      { name: "answer-who-1", inputSchema: { type: "object", properties: { name: { minLength: 1 } }, required: ["name"] } },
    ]);
  });

  test("a tool answers its question, tells what is wrong, and is withdrawn once it was answered, here or elsewhere", async () => {
    const modelContext = presentContext();
    vi.stubGlobal("document", { modelContext });
    const run = await startTrip();
    offerPauses(run);
    const who = modelContext.tools.get("answer-who-1")!;
    expect(await who.execute({ name: "" })).toContain("RESPONSE_INVALID");
    expect(modelContext.tools.size).toBe(2);
    expect(await who.execute({ name: "Ada" })).toContain("answer-where-0: ");
    expect([...modelContext.tools.keys()]).toEqual(["answer-where-0"]);
    await run.answer(run.getSnapshot().pauses[0]!.id, "Turin");
    await vi.waitFor(() => expect([...modelContext.tools.keys()]).toEqual(["answer-sure-2"]));
    expect(await modelContext.tools.get("answer-sure-2")!.execute({ answer: "yes" })).toContain('{"to":"Turin"}');
    expect(modelContext.tools.size).toBe(0);
    expect(await who.execute({ name: "Bob" })).toContain("PAUSE_ALREADY_ANSWERED");
  });

  test("all are withdrawn when they are no longer offered", async () => {
    const modelContext = presentContext();
    vi.stubGlobal("document", { modelContext });
    const withdraw = offerPauses(await startTrip());
    expect(modelContext.tools.size).toBe(2);
    withdraw();
    expect(modelContext.tools.size).toBe(0);
  });

  test("two runs of one workflow have tools of their own, and each answers its own run", async () => {
    const modelContext = presentContext();
    vi.stubGlobal("document", { modelContext });
    const [first, second] = [await startTrip(), await startTrip()];
    const withdraw = [offerPauses(first), offerPauses(second)];
    expect([...modelContext.tools.keys()]).toEqual(["answer-where-0", "answer-who-1", "answer-where-0-2", "answer-who-1-2"]);
    expect(await modelContext.tools.get("answer-where-0-2")!.execute({ answer: "Turin" })).toContain("answer-who-1-2: ");
    expect(first.getSnapshot().pauses).toHaveLength(2);
    expect(second.getSnapshot().pauses).toHaveLength(1);
    withdraw[0]!();
    expect([...modelContext.tools.keys()]).toEqual(["answer-who-1-2"]);
    withdraw[1]!();
    offerPauses(first)();
    expect(modelContext.tools.size).toBe(0);
  });

  test("a name that is free again is given again", async () => {
    const modelContext = presentContext();
    vi.stubGlobal("document", { modelContext });
    offerPauses(await startTrip())();
    const withdraw = offerPauses(await startTrip());
    expect([...modelContext.tools.keys()]).toEqual(["answer-where-0", "answer-who-1"]);
    withdraw();
  });

  test("of files, and of what JSON does not know, the model learns in words", async () => {
    const modelContext = presentContext();
    vi.stubGlobal("document", { modelContext });
    const rich = defineBlock({ type: "Rich", execute: () => success({ count: 5n, rest: new Map([["tags", new Set(["a"])]]) }) });
    const attach: Workflow = {
      name: "attach",
      blocks: [
        { id: "photo", type: "Form", inputs: { prompt: "A photo?", fields: [{ name: "photo", type: "file" }] } },
        { id: "rich", type: "Rich" },
        { id: "sure", type: "ConfirmOperation", inputs: { message: "Sure?" }, dependsOn: ["photo", "rich"] },
      ],
      outputs: { photo: "${blocks.photo.photo}", rich: "${blocks.rich.outputs}" },
    };
    const run = await createExecutor({ store: memoryStore(), workflows: [attach], blocks: [rich] }).start("attach");
    const { pauses } = await run.settled();
    offerPauses(run);
    expect(modelContext.tools.size).toBe(0);
    const bytes = new Uint8Array(2_000_000);
    await run.answer(pauses![0]!.id, { photo: { name: "boat.png", type: "image/png", size: bytes.length, bytes } });
    const [tool] = modelContext.tools.values();
    expect(await tool!.execute({ answer: "yes" })).toBe(
      'Done. The workflow has ended with {"photo":{"name":"boat.png","type":"image/png","size":2000000,"bytes":"2000000 bytes"},"rich":{"count":"5","rest":{"tags":["a"]}}}.',
    );
  });

  test("the older form on the navigator is served as it was", async () => {
    const tools = new Map<string, Tool>();
    const modelContext = {
      registerTool: (tool: Tool) => void tools.set(tool.name, tool),
      unregisterTool: (name: string) => void tools.delete(name),
    };
    vi.stubGlobal("navigator", { modelContext });
    offerPauses(await startTrip());
    expect(await tools.get("answer-where-0")!.execute({ answer: "Turin" })).toMatchObject({ content: [{ type: "text" }] });
    expect([...tools.keys()]).toEqual(["answer-who-1"]);
  });

  test("the oldest form, which takes all at once, too", async () => {
    let tools: readonly Tool[] = [];
    const modelContext = { provideContext: (given: { readonly tools: readonly Tool[] }) => void (tools = given.tools) };
    vi.stubGlobal("navigator", { modelContext });
    const withdraw = offerPauses(await startTrip());
    expect(tools.map(({ name }) => name)).toEqual(["answer-where-0", "answer-who-1"]);
    withdraw();
    expect(tools).toEqual([]);
  });

  test("a browser that refuses tools disturbs nothing", async () => {
    vi.stubGlobal("document", { modelContext: { registerTool: () => Promise.reject(new DOMException("", "NotAllowedError")) } });
    const run = await startTrip();
    const withdraw = offerPauses(run);
    await run.answer(run.getSnapshot().pauses[0]!.id, "Turin");
    withdraw();
    expect(run.getSnapshot().pauses.map(({ path }) => path)).toEqual([["who"]]);
  });
});

test("where it takes none, nothing happens", async () => {
  const run = await startTrip();
  offerPauses(run)();
  expect(run.getSnapshot().pauses.length).toBe(2);
});
