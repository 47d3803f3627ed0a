import { describe, expect, test } from "vitest";
import {
  createExecutor,
  defineBlock,
  pause,
  success,
  type Block,
  type ExecutorOptions,
  type RunResult,
  type Store,
  type Workflow,
} from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";
import { workshop } from "../../support/workshop.ts";

const question = (id = "ask"): Block => ({ id, type: "GetInput", inputs: { prompt: `${id}?` } });
const flow = (...blocks: readonly Block[]): Workflow => ({ name: "flow", blocks });
const call = (workflow: string, id = "call"): Block => ({ id, type: "ExecuteWorkflow", inputs: { workflow } });

let seed = 1;

function executorFor(store: Store, workflows: readonly Workflow[], options: Partial<ExecutorOptions> = {}) {
  return createExecutor({ store, workflows, host: fakeHost({ seed: (seed += 1), autoAdvance: true }), ...options });
}

async function asked(workflows: readonly Workflow[], options: Partial<ExecutorOptions> = {}) {
  const store = memoryStore();
  const executor = executorFor(store, workflows, options);
  const run = await executor.start(workflows.at(-1)!.name);
  const { pauses } = await run.settled();
  return { store, executor, run, pause: pauses![0]! };
}

async function entries(store: Store, run: string): Promise<readonly { readonly type: string }[]> {
  return (await store.read(run)).map((text) => JSON.parse(text) as { type: string });
}

const optional = defineBlock({
  type: "Optional",
  takesDecline: true,
  execute: () => pause({ prompt: "Anything to add?" }),
  resume: ({ response, action }) => success({ said: action ?? String(response) }),
});

describe("rule 29: declining", () => {
  test("fails the block, and says so in the journal", async () => {
    const { store, run, pause: open } = await asked([flow(question())]);
    expect(await run.decline(open.id)).toMatchObject({ status: "failure", error: { code: "PAUSE_DECLINED", details: { block: "ask" } } });
    expect((await entries(store, run.id)).find(({ type }) => type === "answered")).toMatchObject({ response: null, action: "decline" });
    expect(run.getSnapshot()).toMatchObject({ status: "failed", pauses: [] });
  });

  test("is not tried again, and does not end a run whose block continues on errors", async () => {
    const block = { ...question(), retry: { maxAttempts: 5 }, continueOnError: true };
    const { run, pause: open } = await asked([flow(block)]);
    expect((await run.decline(open.id)).status).toBe("success");
    expect(await run.steps()).toMatchObject([{ status: "failed", error: { code: "PAUSE_DECLINED" } }]);
  });

  test("asks anew where the failed run is resumed", async () => {
    const { run, pause: open } = await asked([flow(question())]);
    await run.decline(open.id);
    const { pauses } = await run.resume();
    expect(pauses).toMatchObject([{ prompt: "ask?" }]);
    expect((await run.answer(pauses![0]!.id, "me")).status).toBe("success");
  });

  test("is an answer to block types that take it for one", async () => {
    const workflow: Workflow = { ...flow({ id: "more", type: "Optional" }), outputs: { said: "${blocks.more.said}" } };
    const { run, pause: open } = await asked([workflow], { blocks: [optional] });
    expect(await run.decline(open.id)).toMatchObject({ status: "success", outputs: { said: "decline" } });
  });

  test("of a question in a called workflow goes through all levels", async () => {
    const inner: Workflow = { name: "inner", blocks: [question()] };
    const middle: Workflow = { name: "middle", blocks: [call("inner")] };
    const { run, pause: open } = await asked([inner, middle, flow(call("middle"))]);
    expect(await run.decline(open.id)).toMatchObject({ error: { code: "CHILD_FAILED", details: { code: "CHILD_FAILED" } } });
    expect(run.getSnapshot()).toMatchObject({ status: "failed", pauses: [] });
  });

  test("of a called workflow whose block takes it lets all levels go on", async () => {
    const inner: Workflow = { name: "inner", blocks: [{ id: "more", type: "Optional" }], outputs: { said: "${blocks.more.said}" } };
    const workflow: Workflow = { ...flow(call("inner")), outputs: { said: "${blocks.call.said}" } };
    const { run, pause: open } = await asked([inner, workflow], { blocks: [optional] });
    expect(await run.decline(open.id)).toMatchObject({ status: "success", outputs: { said: "decline" } });
  });

  test("throws for a pause that there is not", async () => {
    const { run } = await asked([flow(question())]);
    await expect(run.decline("pause_other.0")).rejects.toMatchObject({ code: "CHECKPOINT_NOT_FOUND" });
    await expect(run.decline(`${run.id.replace("run_", "pause_")}.7`)).rejects.toMatchObject({ code: "CHECKPOINT_NOT_FOUND" });
  });
});

describe("rule 29: cancelling", () => {
  test("ends the run, and what it executes", async () => {
    const { blocks } = workshop();
    const host = fakeHost();
    const store = memoryStore();
    const slow: Block = { id: "slow", type: "Work", inputs: { ms: 50_000 } };
    const run = await executorFor(store, [flow(question(), slow)], { blocks, host }).start("flow");
    await expect.poll(() => run.getSnapshot().pauses).toHaveLength(1);
    await expect.poll(() => host.sleeping).toBe(1);
    const result = await run.decline(run.getSnapshot().pauses[0]!.id, { action: "cancel" });
    expect(result).toMatchObject({ status: "failure", error: { code: "RUN_CANCELLED" } });
    expect((await entries(store, run.id)).map(({ type }) => type)).toEqual(["started", "paused", "answered", "finished"]);
    expect(host.sleeping).toBe(0);
  });

  const inner: Workflow = { name: "inner", blocks: [question()] };
  const other: Workflow = { name: "other", blocks: [question("other")] };
  const outer = flow(call("inner"), call("other", "second"));

  test("ends the caller, the run that asks and the other runs that it called", async () => {
    const { store, executor, run, pause: open } = await asked([inner, other, outer]);
    expect(await run.decline(open.id, { action: "cancel" })).toMatchObject({ error: { code: "RUN_CANCELLED" } });
    const { items } = await store.runs();
    expect(items.map(({ workflow, status }) => `${workflow} ${status}`).toSorted()).toEqual([
      "flow cancelled",
      "inner cancelled",
      "other cancelled",
    ]);
    await executor.close();
  });

  test("ends the caller also where the run that asks is held by itself", async () => {
    const { store, executor, run } = await asked([inner, other, outer]);
    const child = await executor.open(`${run.id}/call`);
    expect(await child.decline(child.getSnapshot().pauses[0]!.id, { action: "cancel" })).toMatchObject({
      error: { code: "RUN_CANCELLED" },
    });
    expect((await store.runs()).items.map(({ status }) => status)).toEqual(["cancelled", "cancelled", "cancelled"]);
  });
});

describe("rule 29: the first of several replies wins", () => {
  const replies: readonly (readonly [
    string,
    (executor: ReturnType<typeof executorFor>, run: string, pause: string) => Promise<RunResult>,
  ])[] = [
    ["answer", async (executor, run, id) => (await executor.open(run)).answer(id, "me")],
    ["decline", async (executor, run, id) => (await executor.open(run)).decline(id)],
    ["cancel", async (executor, run, id) => (await executor.open(run)).decline(id, { action: "cancel" })],
  ];

  test.each([
    [0, 1],
    [1, 0],
    [0, 2],
    [2, 0],
    [1, 2],
    [2, 1],
  ])("reply %i and reply %i at the same time in two processes", async (one, two) => {
    const inner: Workflow = { name: "inner", blocks: [question()] };
    for (const workflows of [[flow(question())], [inner, flow(call("inner"))]]) {
      const { store, executor, run, pause: open } = await asked(workflows);
      await executor.close();
      const [first, second] = [executorFor(store, workflows), executorFor(store, workflows)];
      const results = await Promise.all([replies[one]![1](first, run.id, open.id), replies[two]![1](second, run.id, open.id)]);
      const answered = (await entries(store, run.id)).filter(({ type }) => type === "answered");
      expect(answered).toHaveLength(1);
      const losers = results.filter(({ error }) => error?.code === "PAUSE_ALREADY_ANSWERED");
      // Every caller learns that a cancelled run has ended; every other answer learns that it came second.
      expect(losers.length + results.filter(({ error }) => error?.code === "RUN_CANCELLED").length).toBeGreaterThan(0);
      const { status } = (await store.head(run.id))!;
      const { action } = answered[0] as { action?: string };
      expect(status).toBe(action === "cancel" ? "cancelled" : action === "decline" ? "failed" : "completed");
      await Promise.all([first.close(), second.close()]);
    }
  });

  test("the same again gives the run as it stands, and an answer after it is refused", async () => {
    const workflow = flow({ id: "more", type: "Optional" });
    const { run, pause: open } = await asked([workflow], { blocks: [optional] });
    await run.decline(open.id);
    expect((await run.decline(open.id)).status).toBe("success");
    expect(await run.answer(open.id, "me")).toMatchObject({ error: { code: "PAUSE_ALREADY_ANSWERED", details: { action: "decline" } } });
    expect(await run.decline(open.id, { action: "cancel" })).toMatchObject({ error: { code: "PAUSE_ALREADY_ANSWERED" } });
    expect(run.getSnapshot().status).toBe("completed");
  });

  test("an answer that was first is left as it is", async () => {
    const { run, pause: open } = await asked([flow(question(), { ...question("second"), dependsOn: ["ask"] })]);
    await run.answer(open.id, "me");
    expect(await run.decline(open.id)).toMatchObject({ error: { code: "PAUSE_ALREADY_ANSWERED", details: { pause: open.id } } });
    expect(run.getSnapshot().status).toBe("paused");
  });
});
