import { describe, expect, test } from "vitest";
import { createExecutor, defineBlock, pause, success, type Block, type BlockType, type ExecutorOptions, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost, type FakeHost } from "wavepoint/testing";
import { workshop } from "../../support/workshop.ts";

/** The time that a block gets which ignores its signal. Source: `time-limit.ts`. */
const GRACE_MS = 5_000;

/** Looks until it is so. A run gives other work a turn now and then, for which the clock must be looked at. */
function soon<T>(host: FakeHost, look: () => T) {
  return expect.poll(() => host.advance(0).then(look));
}

function workflow(...blocks: readonly Block[]): Workflow {
  return { name: "flow", blocks };
}

function executorFor(flow: Workflow, blocks: readonly BlockType[], options: Partial<ExecutorOptions> = {}) {
  return createExecutor({ store: memoryStore(), workflows: [flow], blocks, host: fakeHost({ autoAdvance: true }), ...options });
}

const late = { code: "BLOCK_TIMEOUT", details: { block: "a", timeoutMs: 100 } };

describe("a block with a time limit", () => {
  test("is aborted when its time is up, and has failed", async () => {
    const { blocks } = workshop();
    const host = fakeHost();
    const flow = workflow({ id: "a", type: "Work", inputs: { ms: 1_000 }, timeoutMs: 100 });
    const run = await executorFor(flow, blocks, { host }).start("flow");
    await expect.poll(() => host.sleeping).toBe(2);
    await host.advance(100);
    expect(await run.settled()).toMatchObject({ status: "failure", error: late });
    expect((await run.steps())[0]).toMatchObject({ status: "failed", tookMs: 100 });
    expect(host.sleeping).toBe(0);
  });

  test("that is done in time is not disturbed, and leaves no timer", async () => {
    const { blocks } = workshop();
    const host = fakeHost();
    const flow = workflow({ id: "a", type: "Work", inputs: { ms: 99 }, timeoutMs: 100 });
    const run = await executorFor(flow, blocks, { host }).start("flow");
    await expect.poll(() => host.sleeping).toBe(2);
    await host.advance(99);
    await soon(host, () => run.getSnapshot().status).toBe("completed");
    expect(host.sleeping).toBe(0);
  });

  test.each(["inputs", "outputs"] as const)("whose %s are never done being checked does not hold the run up", async (what) => {
    const never = { "~standard": { version: 1, vendor: "never", validate: () => new Promise<never>(() => {}) } } as const;
    const slow: BlockType = { type: "Slow", [what]: never, execute: () => success({}) };
    const run = await executorFor(workflow({ id: "a", type: "Slow", timeoutMs: 100 }), [slow]).start("flow");
    expect(await run.settled()).toMatchObject({ status: "failure", error: late });
  });

  test("that never comes to its end does not hold the run up", async () => {
    const host = fakeHost();
    const deaf = defineBlock({ type: "Deaf", execute: () => new Promise<never>(() => {}) });
    const flow = workflow({ id: "a", type: "Deaf", timeoutMs: 100 });
    const run = await executorFor(flow, [deaf], { host }).start("flow");
    await expect.poll(() => host.sleeping).toBe(1);
    await host.advance(100 + GRACE_MS);
    expect(await run.settled()).toMatchObject({ error: late });
    expect(host.sleeping).toBe(0);
  });

  test.each([
    ["succeeds", () => success({ value: "late" })],
    [
      "throws",
      () => {
        throw new Error("late");
      },
    ],
    ["asks", () => pause({ prompt: "late?" })],
  ])("that %s after its time has timed out all the same", async (_, end) => {
    const host = fakeHost();
    const slow = defineBlock({
      type: "Slow",
      execute: async (context) => {
        await context.host.sleep(200);
        return end();
      },
      resume: () => success({}),
    });
    const flow = workflow({ id: "a", type: "Slow", timeoutMs: 100 });
    const run = await executorFor(flow, [slow], { host }).start("flow");
    await expect.poll(() => host.sleeping).toBe(2);
    await host.advance(200);
    expect(await run.settled()).toMatchObject({ error: late });
    expect(run.getSnapshot().pauses).toEqual([]);
    await host.advance(GRACE_MS);
    expect(await run.steps()).toMatchObject([{ status: "failed" }]);
  });

  test("is tried again where its policy says so, after the attempt before has come to its end", async () => {
    const began: number[] = [];
    let [running, most] = [0, 0];
    const deaf = defineBlock({
      type: "Deaf",
      async execute({ attempt, host }) {
        began.push(attempt);
        most = Math.max(most, (running += 1));
        await host.sleep(attempt < 3 ? 300 : 10);
        running -= 1;
        return success({});
      },
    });
    const flow = workflow({ id: "a", type: "Deaf", timeoutMs: 100, retry: { maxAttempts: 3, delayMs: 0 } });
    const run = await executorFor(flow, [deaf]).start("flow");
    expect((await run.settled()).status).toBe("success");
    expect(began).toEqual([1, 2, 3]);
    expect(most).toBe(1);
  });

  test("is measured anew each time it runs: what people and instants take does not count", async () => {
    const { blocks } = workshop();
    const host = fakeHost({ autoAdvance: true });
    const flow = workflow(
      { id: "ask", type: "Ask", inputs: { ms: 90 }, timeoutMs: 100 },
      { id: "sleep", type: "Sleep", inputs: { ms: 60_000 }, timeoutMs: 100 },
    );
    const run = await executorFor(flow, blocks, { host }).start("flow");
    const { pauses } = await run.settled();
    await host.advance(86_400_000);
    expect((await run.answer(pauses![0]!.id, "x")).status).toBe("success");
  });

  test("in a block with for_each holds for each item", async () => {
    const { blocks } = workshop();
    const flow = workflow({
      id: "a",
      type: "Work",
      forEach: [50, 150, 50],
      maxParallel: 1,
      inputs: { ms: "${each.value}" },
      timeoutMs: 100,
      continueOnError: true,
    });
    const run = await executorFor(flow, blocks).start("flow");
    await run.settled();
    expect(run.getSnapshot().waves[0]!.blocks[0]!.items!.map(({ status, error }) => [status, error?.code])).toEqual([
      ["completed", undefined],
      ["failed", "BLOCK_TIMEOUT"],
      ["completed", undefined],
    ]);
  });

  test.each(["cancelled", "closed"] as const)("leaves no timer when its run is %s, also where it is deaf", async (how) => {
    const host = fakeHost();
    const deaf = defineBlock({ type: "Deaf", execute: () => new Promise<never>(() => {}) });
    const executor = executorFor(workflow({ id: "a", type: "Deaf", timeoutMs: 86_400_000 }), [deaf], { host });
    const run = await executor.start("flow");
    await expect.poll(() => host.sleeping).toBe(1);
    await (how === "closed" ? executor.close() : run.cancel());
    await expect.poll(() => host.sleeping).toBe(0);
  });
});

describe("a time limit on a block that calls a workflow", () => {
  const kid: Workflow = {
    name: "kid",
    blocks: [
      { id: "first", type: "Work" },
      { id: "slow", type: "ExecuteWorkflow", inputs: { workflow: "leaf" }, dependsOn: ["first"] },
      { id: "ask", type: "Ask", dependsOn: ["first"] },
    ],
    outputs: { answer: "${blocks.ask.answer}" },
  };
  const leaf: Workflow = { name: "leaf", blocks: [{ id: "work", type: "Work", inputs: { ms: 1_000 } }] };
  const call: Block = { id: "a", type: "ExecuteWorkflow", inputs: { workflow: "kid" }, timeoutMs: 100 };

  test("cancels the run it called, and what that called", async () => {
    const { blocks } = workshop();
    const host = fakeHost();
    const flow = workflow(call);
    const executor = executorFor(flow, blocks, { host, workflows: [flow, kid, leaf] });
    const run = await executor.start("flow");
    // The block that works, and two time limits: that of the block, and that of the call inside.
    await expect.poll(() => host.sleeping).toBe(3);
    await host.advance(100);
    await soon(host, () => run.getSnapshot()).toMatchObject({ status: "failed", error: late });
    for (const address of ["a", "a/slow"]) {
      expect((await executor.open(`${run.id}/${address}`)).getSnapshot().status).toBe("cancelled");
    }
    expect(host.sleeping).toBe(0);
  });

  test.each<[number, Block["inputs"] & object]>([
    [20, { workflow: "leaf", timeout: 0.02 }],
    [600_000, { workflow: "leaf" }],
  ])("has a time limit of its own, in seconds, where the block has none: %i ms", async (limit, inputs) => {
    const { blocks } = workshop();
    const host = fakeHost();
    const long: Workflow = { name: "leaf", blocks: [{ id: "work", type: "Work", inputs: { ms: 3_600_000 } }] };
    const flow = workflow({ id: "a", type: "ExecuteWorkflow", inputs });
    const executor = executorFor(flow, blocks, { host, workflows: [flow, long] });
    const run = await executor.start("flow");
    await expect.poll(() => host.sleeping).toBe(2);
    await host.advance(limit - 1);
    expect(run.getSnapshot().status).toBe("running");
    await host.advance(1);
    await soon(host, () => run.getSnapshot()).toMatchObject({
      status: "failed",
      error: { code: "BLOCK_TIMEOUT", details: { timeoutMs: limit } },
    });
    expect((await executor.open(`${run.id}/a`)).getSnapshot().status).toBe("cancelled");
    expect(host.sleeping).toBe(0);
  });

  test("lets it go on where it stood in the next attempt", async () => {
    const { blocks, began } = workshop();
    const flow = { ...workflow({ ...call, retry: { maxAttempts: 2, delayMs: 5 } }), outputs: { answer: "${blocks.a.answer}" } };
    const chain: Workflow = {
      ...leaf,
      blocks: [
        { id: "one", type: "Work", inputs: { ms: 70 } },
        { id: "two", type: "Work", inputs: { ms: 70 }, dependsOn: ["one"] },
      ],
    };
    const store = memoryStore();
    const host = fakeHost();
    const executor = executorFor(flow, blocks, { host, store, workflows: [flow, kid, chain] });
    const run = await executor.start("flow");
    await soon(host, () => began).toEqual(["first", "ask", "one"]);
    await host.advance(70);
    await soon(host, () => began).toEqual(["first", "ask", "one", "two"]);
    await host.advance(30);
    await soon(host, () => run.getSnapshot().waves[0]!.blocks[0]).toMatchObject({ status: "waiting", error: { code: "BLOCK_TIMEOUT" } });
    await host.advance(5);
    await soon(host, () => began).toEqual(["first", "ask", "one", "two", "two"]);
    await host.advance(70);
    await soon(host, () => run.getSnapshot().pauses.map(({ path }) => path)).toEqual([["a", "ask"]]);
    const { pauses } = run.getSnapshot();
    // Another process reads the same from the store.
    const other = createExecutor({ store, blocks, host: fakeHost({ seed: 2, startAt: host.now() }) });
    expect(await other.answer(pauses[0]!.id, "yes")).toMatchObject({ status: "success", outputs: { answer: "yes" } });
  });
});
