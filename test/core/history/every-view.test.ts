import { describe, expect, test } from "vitest";
import { createExecutor, defineBlock, failure, success, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";

const counter = defineBlock({
  type: "Counter",
  execute: ({ iteration, nextIteration }) => (iteration < 3 ? nextIteration(null) : success({ count: iteration })),
});

const login = defineBlock({
  type: "Login",
  secretInputs: ["key", "own"],
  execute: ({ inputs }) => success({ told: JSON.stringify(inputs) }),
});

const order: Workflow = {
  name: "order",
  inputs: { item: { type: "string" } },
  blocks: [
    { id: "greet", type: "EchoBlock", inputs: { message: "About ${inputs.item}" } },
    { id: "count", type: "Counter", dependsOn: ["greet"] },
    {
      id: "ask",
      type: "ConfirmOperation",
      dependsOn: ["count"],
      inputs: { message: "${blocks.greet.echoed}. Go on?", operation: "order" },
    },
    { id: "done", type: "EchoBlock", dependsOn: ["ask"], condition: "${blocks.ask.confirmed}", inputs: { message: "Done" } },
  ],
};
const secretive: Workflow = {
  name: "secretive",
  inputs: { key: { type: "string", secret: true } },
  blocks: [
    { id: "login", type: "Login", inputs: { key: "${inputs.key}", own: "${secrets.MINE}" } },
    { id: "ask", type: "GetInput", dependsOn: ["login"], inputs: { prompt: "More?" } },
  ],
};
const shop: Workflow = {
  name: "shop",
  blocks: [
    { id: "list", type: "EchoBlock", forEach: ["a", "b"], inputs: { message: "${each.value}" } },
    { id: "call", type: "ExecuteWorkflow", dependsOn: ["list"], inputs: { workflow: "order", inputs: { item: "tea" } } },
  ],
};

function setUp() {
  const host = fakeHost();
  const store = memoryStore();
  return {
    host,
    store,
    executor: createExecutor({
      store,
      host,
      workflows: [order, shop, secretive],
      blocks: [counter, login],
      secrets: () => "sesame-open-2",
    }),
  };
}

async function atQuestion() {
  const made = setUp();
  const run = await made.executor.start("shop", {}, { id: "s" });
  const result = await run.settled();
  return { ...made, run, id: result.pauses![0]!.id };
}

describe("the state at a checkpoint", () => {
  test("has inputs, waves, blocks, callers, and what expressions saw, pauses included", async () => {
    const { executor, run, id } = await atQuestion();
    const outer = await executor.checkpoints.get(id);
    const inner = await executor.checkpoints.get(outer.childCheckpoint!);
    expect(outer).toMatchObject({
      schemaVersion: 1,
      definition: run.getSnapshot().definition,
      waves: [["list"], ["call"]],
      inputs: {},
      callers: [],
      pausedBlock: "call",
      pauseMetadata: { kind: "confirm", operation: "order" },
      supersteps: 1,
      stepCount: 4,
    });
    expect(outer.blocks.map((block) => block.id)).toEqual(["list", "call"]);
    expect(inner).toMatchObject({
      inputs: { item: "tea" },
      callers: ["shop"],
      parent: { run: run.id, block: "call" },
      parentCheckpoint: id,
      pausedBlock: "ask",
      pausePrompt: "About tea. Go on?",
      pauses: [{ prompt: "About tea. Go on?", type: "ConfirmOperation", schema: { enum: ["yes", "no"] } }],
    });
    expect(inner.context.inputs).toEqual({ item: "tea" });
    expect(inner.context.metadata).toMatchObject({ workflow_name: "order", total_blocks: 4 });
    expect(inner.context.blocks["greet"]).toMatchObject({
      inputs: { message: "About tea" },
      outputs: { echoed: "About tea" },
      metadata: { status: "completed", wave: 0 },
    });
    expect(inner.context.blocks["ask"]).toMatchObject({ inputs: { operation: "order" }, metadata: { status: "paused" } });
    expect(inner.context.blocks["done"]).toBeUndefined();
  });

  test("stays what it was when the run has gone on", async () => {
    const { executor, run, id } = await atQuestion();
    const before = await executor.checkpoints.get(id);
    await run.answer(id, "no");
    const after = await executor.checkpoints.get(id);
    expect(after).toEqual(before);
    const child = await executor.open("s/call");
    expect((await child.context()).blocks["done"]).toEqual({ metadata: expect.objectContaining({ status: "skipped" }) });
    expect((await child.context({ superstep: 0 })).blocks["ask"]).toBeUndefined();
  });

  test("shows no secret that this process has", async () => {
    const { executor } = setUp();
    const run = await executor.start("secretive", { key: "sesame-open-1" });
    await run.settled();
    const told = [
      await run.context(),
      ...(await Promise.all((await executor.checkpoints.list()).items.map(({ id }) => executor.checkpoints.get(id)))),
    ];
    expect(told).toHaveLength(3);
    expect(JSON.stringify(told)).not.toContain("sesame");
    expect(JSON.stringify(told)).toContain("***");
  });
});

describe("steps", () => {
  test("tell their place, their superstep, when they began, what they asked and whom they called", async () => {
    const { executor, run, id, host } = await atQuestion();
    const startedAt = host.now();
    await host.advance(500);
    await run.answer(id, "yes");
    expect(await run.steps()).toMatchObject([
      { index: 0, block: "list", item: 0, superstep: 0, startedAt },
      { index: 1, block: "list", item: 1, superstep: 0 },
      { index: 2, block: "list", superstep: 0 },
      { index: 3, block: "call", superstep: 1, startedAt, at: startedAt + 500, pauses: [id], child: (await executor.open("s/call")).id },
    ]);
    const steps = await (await executor.open("s/call")).steps();
    expect(steps.map(({ block, superstep, iteration }) => [block, superstep, iteration ?? 0])).toEqual([
      ["greet", 0, 0],
      ["count", 1, 1],
      ["count", 2, 2],
      ["count", 3, 3],
      ["ask", 4, 0],
      ["done", 5, 0],
    ]);
  });

  test("have no superstep where the journal is no longer kept", async () => {
    const executor = createExecutor({
      store: memoryStore(),
      host: fakeHost(),
      workflows: [order],
      blocks: [counter],
      policy: { retention: "latest" },
    });
    const run = await executor.start("order", { item: "tea" });
    await run.settled();
    const [first] = await run.steps();
    expect(first).toMatchObject({ block: "greet", index: 0 });
    expect(first).not.toHaveProperty("superstep");
  });
});

describe("lists of checkpoints", () => {
  test("show the question, and whether it is open", async () => {
    const { executor, run, id } = await atQuestion();
    const rows = async () => (await executor.checkpoints.list({ run: run.id, kind: "pause" })).items;
    expect(await rows()).toMatchObject([{ id, path: ["call", "ask"], prompt: "About tea. Go on?", status: "open" }]);
    await run.answer(id, "no");
    expect(await rows()).toMatchObject([{ id, status: "answered" }]);
    const [wave] = (await executor.checkpoints.list({ run: run.id, kind: "wave" })).items;
    expect(wave).not.toHaveProperty("prompt");
  });

  test("show only ids of a form, in whole pages", async () => {
    const { executor } = setUp();
    for (const id of ["a-1", "b-1", "a-2", "b-2", "a-3"]) await (await executor.start("order", { item: "tea" }, { id })).settled();
    const list = async (id: string) => (await executor.checkpoints.list({ id })).items.map((row) => row.id);
    expect(await list("pause_a-*")).toEqual(expect.arrayContaining(["pause_a-1.0", "pause_a-2.0", "pause_a-3.0"]));
    expect(await list("pause_a-*")).toHaveLength(3);
    expect(await list("*b-1.0")).toEqual(expect.arrayContaining(["pause_b-1.0", "chk_b-1.0"]));
    expect(await list("pause_a-1.0")).toEqual(["pause_a-1.0"]);
    expect(await list("nothing")).toEqual([]);
    const pages: (readonly string[])[] = [];
    let after: string | undefined;
    do {
      const page = await executor.checkpoints.list({ id: "pause_*", limit: 2, ...(after === undefined ? {} : { after }) });
      pages.push(page.items.map((row) => row.id));
      after = page.next;
    } while (after !== undefined);
    expect(pages.flat().toSorted()).toEqual(["pause_a-1.0", "pause_a-2.0", "pause_a-3.0", "pause_b-1.0", "pause_b-2.0"]);
    expect(pages.slice(0, 2).map((page) => page.length)).toEqual([2, 2]);
    await expect(executor.checkpoints.list({ id: 7 as unknown as string })).rejects.toMatchObject({ code: "STORE_QUERY_INVALID" });
  });
});

test("a view tells its definition, and when the run ended", async () => {
  const { executor, run, id, host } = await atQuestion();
  expect(run.getSnapshot()).not.toHaveProperty("endedAt");
  await host.advance(1_000);
  await run.answer(id, "yes");
  expect(run.getSnapshot()).toMatchObject({
    endedAt: host.now(),
    definition: (await executor.runs.list({ workflow: "shop" })).items[0]!.definition,
  });
});

describe("a result", () => {
  const halting = defineBlock({ type: "Halting", execute: () => failure("It broke.", { done: 3 }) });
  const flow: Workflow = {
    name: "flow",
    inputs: { wanted: { type: "boolean" } },
    blocks: [
      { id: "try", type: "Halting", continueOnError: true },
      { id: "wait", type: "Wait", inputs: { duration_ms: 1_500 } },
      { id: "ask", type: "ConfirmOperation", dependsOn: ["wait"], inputs: { message: "Go on?" } },
      { id: "extra", type: "EchoBlock", dependsOn: ["ask"], condition: "${inputs.wanted}", inputs: { message: "More" } },
    ],
  };
  const open = async () => {
    const executor = createExecutor({ store: memoryStore(), host: fakeHost({ autoAdvance: true }), workflows: [flow], blocks: [halting] });
    return executor.start("flow", { wanted: false });
  };

  test("has metadata wherever the run came to rest, and none where it was refused", async () => {
    const run = await open();
    const paused = await run.settled();
    const figures = { executionTimeSeconds: 1.5, executionWaves: 3, totalBlocks: 4, failed: 1 };
    expect(paused.metadata).toEqual({ ...figures, completed: 1, skipped: 0 });
    const refused = await run.answer(paused.pauses![0]!.id, 7);
    expect(refused).toMatchObject({ status: "failure", error: { code: "RESPONSE_INVALID" } });
    expect(refused).not.toHaveProperty("metadata");
    const { metadata } = await run.answer(paused.pauses![0]!.id, "yes");
    expect(metadata).toEqual({ ...figures, completed: 2, skipped: 1 });
    expect((await run.settled()).metadata).toEqual(metadata);
  });

  test("of a run that failed or was cancelled has metadata", async () => {
    const executor = createExecutor({ store: memoryStore(), host: fakeHost(), workflows: [flow], blocks: [halting] });
    const broken: Workflow = { name: "broken", blocks: [{ id: "try", type: "Halting" }] };
    const failed = await (await executor.start(broken)).settled();
    expect(failed).toMatchObject({ status: "failure", metadata: { completed: 0, failed: 1, totalBlocks: 1 } });
    const run = await open();
    await run.settled();
    expect(await run.cancel()).toMatchObject({ status: "failure", metadata: { completed: 1, failed: 1 } });
  });

  test("leaves a step that failed with what it had produced marked as partial", async () => {
    const steps = await (async () => {
      const run = await open();
      await run.settled();
      return run.steps();
    })();
    const broken = steps.find(({ block }) => block === "try");
    expect(broken).toMatchObject({ status: "failed", outputs: { done: 3 }, partial: true });
    expect(steps.filter(({ block }) => block !== "try").some((step) => "partial" in step)).toBe(false);
    const executor = createExecutor({
      store: memoryStore(),
      blocks: [defineBlock({ type: "Empty", execute: () => failure("Nothing came.") })],
    });
    const empty = await executor.start({ name: "empty", blocks: [{ id: "try", type: "Empty" }] });
    await empty.settled();
    expect((await empty.steps())[0]).not.toHaveProperty("partial");
  });
});
