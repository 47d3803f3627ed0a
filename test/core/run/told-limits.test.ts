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
  test("are told once before they are reached, and with the size when they are", async () => {
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

  test("in time are told with the instant", async () => {
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
