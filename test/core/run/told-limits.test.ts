import { describe, expect, test } from "vitest";
import { createExecutor, defineBlock, success, type RunEvent, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";

const text = defineBlock({ type: "Text", execute: () => success({ text: "x".repeat(300) }) });
const texts: Workflow = {
  name: "texts",
  blocks: ["a", "b", "c", "d"].map((id, i, all) => ({ id, type: "Text", ...(i > 0 ? { dependsOn: [all[i - 1]!] } : {}) })),
};
const asked: Workflow = {
  name: "asked",
  blocks: [
    { id: "ask", type: "ConfirmOperation", inputs: { message: "Go on?" } },
    { id: "next", type: "ConfirmOperation", dependsOn: ["ask"], inputs: { message: "Still?" } },
  ],
};
const hurried: Workflow = {
  name: "hurried",
  blocks: [{ id: "ask", type: "GetInput", inputs: { prompt: "Quick?" }, answerTimeoutMs: 1_000, onTimeout: "fail" }],
};

function setUp(maxCheckpointBytes = 100_000) {
  const events: RunEvent[] = [];
  const host = fakeHost();
  const executor = createExecutor({
    store: memoryStore(),
    host,
    blocks: [text],
    workflows: [texts, asked, hurried],
    policy: { maxCheckpointBytes },
    onEvent: (event) => events.push(event),
  });
  return { executor, events, host };
}

describe("limits", () => {
  test("are announced once before they are reached, and with the size when they are", async () => {
    const { executor, events } = setUp(1_300);
    const result = await (await executor.start("texts")).settled();
    const warnings = events.filter(({ type }) => type === "limit");
    expect(warnings).toMatchObject([{ limit: "maxCheckpointBytes", allowed: 1_300 }]);
    const { used } = warnings[0] as { readonly used: number };
    expect(used).toBeGreaterThan(1_040);
    expect(used).toBeLessThanOrEqual(1_300);
    const size = Number(result.error!.details!["size"]);
    expect(size).toBeGreaterThan(1_300);
    expect(result.error).toMatchObject({
      code: "CHECKPOINT_TOO_LARGE",
      message: expect.stringContaining(`take ${size} characters in all; 1300`),
    });
  });

  test("in time are announced with the instant", async () => {
    const { executor, host } = setUp();
    const run = await executor.start("hurried");
    const { pauses } = await run.settled();
    const expiredAt = pauses![0]!.expiresAt!;
    await host.advance(2_000);
    const message = expect.stringContaining(`expired at ${new Date(expiredAt).toISOString()}`);
    expect(await run.settled()).toMatchObject({ error: { code: "PAUSE_TIMEOUT", message, details: { expiredAt } } });
    expect(await run.revise(pauses![0]!.id, "late")).toMatchObject({ error: { code: "PAUSE_EXPIRED", message, details: { expiredAt } } });
  });
});

describe("limits of what runs again", () => {
  const again = defineBlock({
    type: "Again",
    execute: ({ iteration, inputs, nextIteration }) =>
      iteration < (inputs as { times: number }).times ? nextIteration(null) : success({ iteration }),
  });
  const isLimit = (event: RunEvent): boolean => event.type === "limit";

  async function settle(flow: Workflow) {
    const events: RunEvent[] = [];
    const host = fakeHost({ autoAdvance: true });
    const executor = createExecutor({ store: memoryStore(), host, blocks: [again], onEvent: (event) => events.push(event) });
    const run = await executor.start(flow);
    const result = await run.settled();
    return { run, result, told: events.filter(isLimit) };
  }

  test("are announced once, for each block and item by itself, when four fifths are used", async () => {
    const { run, result, told } = await settle({
      name: "turns",
      blocks: [
        { id: "few", type: "Again", inputs: { times: 7 }, maxIterations: 10 },
        { id: "many", type: "Again", inputs: { times: 9 }, maxIterations: 10 },
        { id: "each", type: "Again", forEach: [1, 5], inputs: { times: "${each.value}" }, maxIterations: 5 },
      ],
    });
    expect(result).toMatchObject({ status: "success" });
    expect(told).toEqual([
      { type: "limit", run: run.id, limit: "iterations", block: "each", item: 1, used: 4, allowed: 5 },
      { type: "limit", run: run.id, limit: "iterations", block: "many", used: 8, allowed: 10 },
    ]);
  });

  test("are announced for the whole run, too", async () => {
    const blocks = ["a", "b", "c"].map((id) => ({ id, type: "Again", inputs: { times: 3_000 }, maxIterations: 10_000 }));
    const { told } = await settle({ name: "long", blocks });
    expect(told).toMatchObject([{ limit: "supersteps", used: 8_000, allowed: 10_000 }]);
  });

  test("stand in the view of a block that ran again, and of no other", async () => {
    const asks: Workflow = {
      name: "asks",
      channels: { said: { type: "array", reduce: "append" } },
      blocks: [
        {
          id: "ask",
          type: "GetInput",
          inputs: { prompt: "What else?" },
          writes: { said: "${blocks.ask.outputs.input_value}" },
          repeatWhile: '${blocks.ask.outputs.input_value} != "done"',
          maxIterations: 3,
        },
        { id: "then", type: "EchoBlock", dependsOn: ["ask"], inputs: { message: "${channels.said}" } },
      ],
    };
    const store = memoryStore();
    const executor = createExecutor({ store, workflows: [asks], host: fakeHost() });
    const run = await executor.start("asks");
    const answer = async (text: string) => run.answer((await run.settled()).pauses![0]!.id, text);
    const shown = () => run.getSnapshot().waves.flatMap(({ blocks }) => blocks);
    await run.settled();
    expect(shown()[0]).not.toHaveProperty("iteration");
    await answer("tea");
    expect(shown()[0]).toMatchObject({ status: "paused", iteration: 2, maxIterations: 3 });
    const elsewhere = await createExecutor({ store, workflows: [asks], host: fakeHost({ seed: 2 }) }).open(run.id);
    expect(elsewhere.getSnapshot().waves[0]!.blocks[0]).toMatchObject({ iteration: 2, maxIterations: 3 });
    await answer("done");
    expect(shown()[0]).toMatchObject({ status: "completed", iteration: 2 });
    expect(shown()[1]).not.toHaveProperty("iteration");
  });
});

describe("a checkpoint that is deleted once it was used", () => {
  test("goes after the answer, and stays where the answer was wrong or the run is forked", async () => {
    const { executor } = setUp();
    const run = await executor.start("asked");
    const { pauses } = await run.settled();
    const id = pauses![0]!.id;
    expect(await executor.resume(id, "", { deleteAfter: true })).toMatchObject({ error: { code: "RESPONSE_INVALID" } });
    expect(await executor.resume(id, "yes", { deleteAfter: true, fork: true })).toMatchObject({ status: "paused" });
    expect(await executor.checkpoints.get(id)).toMatchObject({ pausedBlock: "ask" });
    expect(await executor.resume(id, "yes", { deleteAfter: true })).toMatchObject({ status: "paused", pauses: [{ path: ["next"] }] });
    await expect(executor.checkpoints.get(id)).rejects.toMatchObject({ code: "CHECKPOINT_NOT_FOUND" });
    expect(run.getSnapshot()).toMatchObject({ status: "paused" });
  });
});

describe("a confirmation", () => {
  test("takes a comment beside the answer", async () => {
    const { executor } = setUp();
    const run = await executor.start("asked");
    const { pauses } = await run.settled();
    const id = pauses![0]!.id;
    for (const wrong of [{ comment: "x" }, { answer: "", comment: "x" }, { answer: "yes", comment: 3 }, { answer: "yes", why: "x" }]) {
      expect(await run.answer(id, wrong)).toMatchObject({ error: { code: "RESPONSE_INVALID" } });
    }
    await run.answer(id, { answer: " Approved", comment: "Looks fine" });
    expect((await run.state()).values["ask"]).toEqual({ confirmed: true, response: " Approved", comment: "Looks fine" });
  });
});
