import { describe, expect, test } from "vitest";
import {
  createExecutor,
  defineBlock,
  waitUntil,
  type Block,
  type BlockType,
  type ExecutorOptions,
  type Store,
  type Workflow,
} from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";
import { workshop } from "../../support/workshop.ts";

const WEEK_MS = 604_800_000;
const HOUR_MS = 3_600_000;

function workflow(...blocks: readonly Block[]): Workflow {
  return { name: "flow", blocks };
}

const wait = (inputs: Block["inputs"], id = "wait"): Block => ({ id, type: "Wait", inputs: inputs! });

let seed = 1;

/** An executor of its own, as another process or tab would have one. */
function executorFor(
  store: Store,
  workflows: readonly Workflow[],
  options: Partial<ExecutorOptions> & { blocks?: readonly BlockType[] } = {},
) {
  return createExecutor({ store, workflows, host: fakeHost({ autoAdvance: true, seed: (seed += 1) }), ...options });
}

describe("a block that waits", () => {
  test("for a time goes on once that is over, and says until when it waited", async () => {
    const host = fakeHost();
    const flow = workflow(wait({ duration_ms: HOUR_MS }), {
      id: "after",
      type: "EchoBlock",
      inputs: { message: "x" },
      dependsOn: ["wait"],
    });
    const run = await executorFor(memoryStore(), [flow], { host }).start("flow");
    const until = host.now() + HOUR_MS;
    await expect.poll(() => run.getSnapshot()).toMatchObject({ active: false, waves: [{ blocks: [{ status: "waiting", until }] }, {}] });
    expect(run.getSnapshot().status).toBe("running");
    await expect.poll(() => host.sleeping).toBe(1);
    await host.advance(HOUR_MS - 1);
    expect(run.getSnapshot().waves[1]!.blocks[0]!.status).toBe("pending");
    await host.advance(1);
    expect((await run.settled()).status).toBe("success");
    expect((await run.steps())[0]).toMatchObject({ status: "completed", tookMs: 0, outputs: { until: new Date(until).toISOString() } });
    expect(run.getSnapshot().waves[0]!.blocks[0]).toMatchObject({ startedAt: until - HOUR_MS, tookMs: 0 });
  });

  test.each([
    ["an instant", "2026-01-01T12:00:00Z", "2026-01-01T12:00:00.000Z"],
    ["an instant of another time zone", "2026-01-01T12:00+02:00", "2026-01-01T10:00:00.000Z"],
    ["a number", Date.UTC(2026, 0, 2), "2026-01-02T00:00:00.000Z"],
    ["the past", "1999-12-31T23:59:59Z", "1999-12-31T23:59:59.000Z"],
  ])("for %s", async (_, until, wanted) => {
    const host = fakeHost({ autoAdvance: true });
    const startedAt = host.now();
    const run = await executorFor(memoryStore(), [workflow(wait({ until }))], { host }).start("flow");
    await run.settled();
    expect((await run.steps())[0]!.outputs).toEqual({ ended_by: "time", event: null, value: null, until: wanted });
    expect(host.now()).toBe(Math.max(startedAt, Date.parse(wanted)));
  });

  test("for an instant or for a time: whichever comes first", async () => {
    const host = fakeHost({ autoAdvance: true });
    const startedAt = host.now();
    const flow = workflow(
      wait({ until: startedAt + 5, duration_ms: HOUR_MS }, "a"),
      wait({ until: startedAt + HOUR_MS, duration_ms: 7 }, "b"),
    );
    await (await executorFor(memoryStore(), [flow], { host }).start("flow")).settled();
    expect(host.now()).toBe(startedAt + 7);
  });

  test("takes its instant from a reference", async () => {
    const flow: Workflow = { ...workflow(wait({ until: "${inputs.at}" })), inputs: { at: { type: "string" } } };
    const executor = executorFor(memoryStore(), [flow]);
    const run = await executor.start("flow", { at: "2026-01-01T00:00:05Z" });
    expect((await run.settled()).status).toBe("success");
    const wrong = await executor.start("flow", { at: "tomorrow" });
    expect(await wrong.settled()).toMatchObject({ error: { code: "BLOCK_INPUT_INVALID", message: expect.stringContaining("ISO 8601") } });
  });

  test.each([
    ["neither", {}],
    ["a date without a time zone", { until: "2026-01-01T00:00:00" }],
    ["no instant", { until: "soon" }],
    ["a time below nothing", { duration_ms: -1 }],
  ])("is refused at load with %s", async (_, inputs) => {
    await expect(executorFor(memoryStore(), []).load(workflow(wait(inputs)))).rejects.toMatchObject({ code: "BLOCK_INPUT_INVALID" });
  });

  test("looks at the clock at least every five minutes", async () => {
    const fake = fakeHost({ autoAdvance: true });
    const slept: number[] = [];
    const host = {
      ...fake,
      sleep: (ms: number, signal?: AbortSignal) => {
        slept.push(ms);
        return fake.sleep(ms, signal);
      },
    } as typeof fake;
    const run = await executorFor(memoryStore(), [workflow(wait({ duration_ms: HOUR_MS }))], { host }).start("flow");
    await expect.poll(() => run.getSnapshot().status).toBe("completed");
    expect(slept.filter((ms) => ms > 0)).toEqual(Array.from({ length: 12 }, () => 300_000));
  });

  test("keeps the instant for which it waited while it is tried again", async () => {
    const { blocks } = workshop();
    const host = fakeHost({ autoAdvance: true });
    const startedAt = host.now();
    const flow = workflow({
      id: "sleep",
      type: "Sleep",
      inputs: { ms: 5_000, fails: 2 },
      retry: { maxAttempts: 3, delayMs: 100, backoff: 1 },
    });
    const run = await executorFor(memoryStore(), [flow], { blocks, host }).start("flow");
    expect((await run.settled()).status).toBe("success");
    expect((await run.steps())[0]).toMatchObject({ attempts: 3, outputs: { wokenAt: startedAt + 5_000 } });
  });
});

test("a block that waits again and again for instants that are past is ended", async () => {
  let count = 0;
  const rest = defineBlock({
    type: "Rest",
    execute({ host }) {
      count += 1;
      return waitUntil(host.now() - 1);
    },
  });
  const run = await executorFor(memoryStore(), [workflow({ id: "a", type: "Rest" })], { blocks: [rest] }).start("flow");
  expect(await run.settled()).toMatchObject({ status: "failure", error: { code: "LIMIT_EXCEEDED", details: { limit: 10_000 } } });
  expect(count).toBe(10_001);
});

describe("while a block waits", () => {
  test("nothing is held: the run can be claimed, and those who wait for its end may give up", async () => {
    const store = memoryStore();
    const host = fakeHost();
    const executor = executorFor(store, [workflow(wait({ duration_ms: WEEK_MS }))], { host });
    const run = await executor.start("flow");
    await expect.poll(() => host.sleeping).toBe(1);
    const release = await store.claim(run.id);
    expect(release).toBeDefined();
    await release!();
    const controller = new AbortController();
    const settled = run.settled({ signal: controller.signal });
    controller.abort();
    await expect(settled).rejects.toMatchObject({ code: "ABORTED" });
    // The alarm is left; the one who gave up looks no more.
    await expect.poll(() => host.advance(10_000).then(() => host.sleeping)).toBe(1);
    await executor.close();
    expect(host.sleeping).toBe(0);
  });

  test("a question beside it can be asked and answered", async () => {
    const host = fakeHost();
    const flow: Workflow = {
      ...workflow(wait({ duration_ms: HOUR_MS }), { id: "q", type: "GetInput", inputs: { prompt: "?" } }),
      outputs: { a: "${blocks.q.input_value}" },
    };
    const store = memoryStore();
    const run = await executorFor(store, [flow], { host }).start("flow");
    const { pauses } = await run.settled();
    expect(run.getSnapshot().status).toBe("paused");
    const other = executorFor(store, [], { host });
    const result = other.answer(pauses![0]!.id, "yes");
    await expect.poll(async () => (await store.head(run.id))!.status).toBe("running");
    await host.advance(HOUR_MS);
    await host.advance(1_000);
    expect(await result).toMatchObject({ status: "success", outputs: { a: "yes" } });
  });

  test("a failure beside it is reported at once; the run that is resumed waits for the same instant", async () => {
    const { blocks, mend } = workshop();
    const host = fakeHost();
    const flow = workflow(wait({ duration_ms: HOUR_MS }), { id: "bad", type: "Work", inputs: { fails: 9 } });
    const run = await executorFor(memoryStore(), [flow], { blocks, host }).start("flow");
    const until = host.now() + HOUR_MS;
    expect(await run.settled()).toMatchObject({ status: "failure", error: { details: { block: "bad" } } });
    expect(host.sleeping).toBe(0);
    mend();
    await host.advance(1_000);
    const resumed = run.resume();
    await expect.poll(() => run.getSnapshot().waves[0]!.blocks).toMatchObject([{ status: "waiting", until }, { status: "completed" }]);
    await host.advance(HOUR_MS);
    expect((await resumed).status).toBe("success");
  });

  test("another process continues at the same instant, however often it is opened", async () => {
    const store = memoryStore();
    const first = fakeHost();
    const until = first.now() + WEEK_MS;
    const executor = executorFor(store, [workflow(wait({ duration_ms: WEEK_MS }))], { host: first });
    const run = await executor.start("flow");
    await expect.poll(() => run.getSnapshot().waves[0]!.blocks[0]!.status).toBe("waiting");
    await executor.close();
    for (const day of [2, 5]) {
      const host = fakeHost({ seed: day, startAt: until - day * 86_400_000 });
      const later = executorFor(store, [], { host });
      const again = await later.open(run.id);
      const resumed = again.resume();
      resumed.catch(() => {});
      await expect.poll(() => host.sleeping).toBeGreaterThan(0);
      expect(again.getSnapshot().waves[0]!.blocks[0]).toMatchObject({ status: "waiting", until });
      await later.close();
      await expect(resumed).rejects.toMatchObject({ code: "STORE_CLOSED" });
      expect(host.sleeping).toBe(0);
    }
    const host = fakeHost({ seed: 9, startAt: until + 1 });
    const again = await executorFor(store, [], { host }).open(run.id);
    expect((await again.resume()).status).toBe("success");
    expect((await again.steps())[0]!.outputs).toMatchObject({ ended_by: "time", until: new Date(until).toISOString() });
    const types = (await store.read(run.id)).map((text) => (JSON.parse(text) as { type: string }).type);
    expect(types.filter((type) => type !== "recovered")).toEqual(["started", "waiting", "completed", "finished"]);
  });

  test("items that wait hold no place that others need", async () => {
    const { blocks, began } = workshop();
    const flow = workflow({ id: "sleep", type: "Sleep", forEach: [50, 10, 30], maxParallel: 1, inputs: { ms: "${each.value}" } });
    const host = fakeHost({ autoAdvance: true });
    const startedAt = host.now();
    const run = await executorFor(memoryStore(), [flow], { blocks, host }).start("flow");
    await expect.poll(() => run.getSnapshot().status).toBe("completed");
    expect(began).toEqual(["sleep[0]", "sleep[1]", "sleep[2]", "sleep[1]", "sleep[2]", "sleep[0]"]);
    expect(run.getSnapshot().updatedAt - startedAt).toBe(50);
  });
});

describe("a called workflow that waits", () => {
  const kid: Workflow = {
    name: "kid",
    blocks: [
      wait({ duration_ms: HOUR_MS }),
      { id: "q", type: "GetInput", inputs: { prompt: "inner?" } },
      { id: "after", type: "Work", dependsOn: ["wait", "q"] },
    ],
    outputs: { inner: "${blocks.q.input_value}" },
  };
  const quiet: Workflow = { name: "quiet", blocks: [wait({ duration_ms: HOUR_MS }), { id: "after", type: "Work", dependsOn: ["wait"] }] };
  const call = (workflow: string, id = "call"): Block => ({ id, type: "ExecuteWorkflow", inputs: { workflow } });

  test("lets its caller wait too: nothing is held, and both go on at the instant", async () => {
    const { blocks, began } = workshop();
    const store = memoryStore();
    const host = fakeHost();
    const run = await executorFor(store, [workflow(call("quiet")), quiet], { blocks, host }).start("flow");
    await expect.poll(() => run.getSnapshot().waves[0]!.blocks[0]).toMatchObject({ status: "waiting", until: host.now() + HOUR_MS });
    await expect.poll(() => run.getSnapshot().active).toBe(false);
    const settled = run.settled();
    await host.advance(HOUR_MS);
    expect((await settled).status).toBe("success");
    expect(began).toEqual(["after"]);
  });

  test("passes its question on, and takes the answer while it waits", async () => {
    const { blocks } = workshop();
    const store = memoryStore();
    const host = fakeHost();
    const flow: Workflow = { ...workflow(call("kid")), outputs: { inner: "${blocks.call.inner}" } };
    const run = await executorFor(store, [flow, kid], { blocks, host }).start("flow");
    const { pauses } = await run.settled();
    expect(pauses?.map(({ path }) => path)).toEqual([["call", "q"]]);
    const answered = run.answer(pauses![0]!.id, "yes");
    await expect.poll(() => run.getSnapshot()).toMatchObject({ status: "running", pauses: [], active: false });
    expect(run.getSnapshot().waves[0]!.blocks[0]!.status).toBe("waiting");
    await host.advance(HOUR_MS);
    expect(await answered).toMatchObject({ status: "success", outputs: { inner: "yes" } });
  });

  test("goes on in another process", async () => {
    const { blocks } = workshop();
    const store = memoryStore();
    const first = fakeHost();
    const executor = executorFor(store, [workflow(call("quiet")), quiet], { blocks, host: first });
    const run = await executor.start("flow");
    await expect.poll(() => run.getSnapshot().active).toBe(false);
    await expect.poll(() => run.getSnapshot().waves[0]!.blocks[0]!.status).toBe("waiting");
    await executor.close();
    expect(first.sleeping).toBe(0);
    const host = fakeHost({ seed: 7, startAt: first.now() + HOUR_MS });
    expect((await (await executorFor(store, [], { blocks, host }).open(run.id)).resume()).status).toBe("success");
  });

  test("stays where it is when its caller has failed, and goes on with it", async () => {
    const { blocks, began, mend } = workshop();
    const host = fakeHost();
    const executor = executorFor(memoryStore(), [workflow(call("quiet"), { id: "bad", type: "Work", inputs: { fails: 9 } }), quiet], {
      blocks,
      host,
    });
    const run = await executor.start("flow");
    expect((await run.settled()).status).toBe("failure");
    await host.advance(HOUR_MS);
    expect(began).toEqual(["bad"]);
    mend();
    expect((await run.resume()).status).toBe("success");
    expect(began.toSorted()).toEqual(["after", "bad", "bad"]);
  });

  test("is cancelled with its caller", async () => {
    const { blocks } = workshop();
    const host = fakeHost();
    const executor = executorFor(memoryStore(), [workflow(call("quiet")), quiet], { blocks, host });
    const run = await executor.start("flow");
    await expect.poll(() => run.getSnapshot().waves[0]!.blocks[0]!.status).toBe("waiting");
    await run.cancel();
    expect((await executor.open(`${run.id}/call`)).getSnapshot().status).toBe("cancelled");
    expect(host.sleeping).toBe(0);
  });
});
