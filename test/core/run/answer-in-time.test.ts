import { describe, expect, test } from "vitest";
import {
  createExecutor,
  defineBlock,
  invalid,
  pause,
  success,
  type Block,
  type ExecutorOptions,
  type Store,
  type Workflow,
} from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";

const HOUR_MS = 3_600_000;

let seed = 1;

function executorFor(store: Store, workflows: readonly Workflow[], options: Partial<ExecutorOptions> = {}) {
  return createExecutor({ store, workflows, host: fakeHost({ seed: (seed += 1) }), ...options });
}

const ask = (more: Partial<Block> = {}): Block => ({
  id: "ask",
  type: "GetInput",
  inputs: { prompt: "Who?" },
  answerTimeoutMs: HOUR_MS,
  ...more,
});

const flow = (...blocks: readonly Block[]): Workflow => ({ name: "flow", blocks });

/** A run that waits for its answer since just now. */
async function asked(workflow: Workflow, options: Partial<ExecutorOptions> = {}) {
  const host = fakeHost({ seed: (seed += 1) });
  const store = memoryStore();
  const executor = executorFor(store, [workflow], { host, ...options });
  const run = await executor.start(workflow.name);
  const { pauses } = await run.settled();
  return { host, store, executor, run, pause: pauses![0]! };
}

describe("rule 30: the time of a question", () => {
  test("is an absolute instant, and the run is paused in lists meanwhile", async () => {
    const { host, run, pause: open, executor } = await asked(flow(ask()));
    expect(open).toMatchObject({ askedAt: host.now(), expiresAt: host.now() + HOUR_MS });
    expect(run.getSnapshot()).toMatchObject({ status: "paused", pauses: [{ expiresAt: open.expiresAt }] });
    expect((await executor.runs.list({ status: "paused" })).items.map(({ id }) => id)).toEqual([run.id]);
    expect((await executor.runs.list({ status: "running" })).items).toEqual([]);
  });

  test("is not limited unless the block says so", async () => {
    const { pause: open } = await asked(flow({ id: "ask", type: "GetInput", inputs: { prompt: "Who?" } }));
    expect(open).not.toHaveProperty("expiresAt");
  });

  test("ends with a failure, and not a millisecond before", async () => {
    const { host, run } = await asked(flow(ask()));
    await host.advance(HOUR_MS - 1);
    expect(run.getSnapshot().status).toBe("paused");
    await host.advance(1);
    await expect.poll(() => run.getSnapshot().status).toBe("failed");
    expect((await run.settled()).error).toMatchObject({ code: "PAUSE_TIMEOUT", details: { block: "ask" } });
    expect(run.getSnapshot().pauses).toEqual([]);
  });

  test("does not try a block again", async () => {
    const { host, run } = await asked(flow(ask({ retry: { maxAttempts: 5, delayMs: 1 } })));
    await host.advance(HOUR_MS);
    await expect.poll(() => run.getSnapshot().status).toBe("failed");
    expect(await run.steps()).toMatchObject([{ status: "failed", error: { code: "PAUSE_TIMEOUT" } }]);
  });

  test("lets the run go on where the block continues on errors", async () => {
    const after: Block = { id: "after", type: "EchoBlock", inputs: { message: "failed: ${blocks.ask.failed}" }, dependsOn: ["ask"] };
    const { host, run } = await asked(flow(ask({ continueOnError: true }), after));
    await host.advance(HOUR_MS);
    expect((await run.settled()).status).toBe("success");
    expect((await run.steps()).map(({ block, status }) => `${block} ${status}`)).toEqual(["ask failed", "after completed"]);
  });

  test("skips the block and what depends on it", async () => {
    const blocks = [
      ask({ onTimeout: "skip" }),
      { id: "after", type: "EchoBlock", inputs: { message: "x" }, dependsOn: ["ask"] },
      { id: "anyway", type: "EchoBlock", inputs: { message: "x" }, dependsOn: [{ block: "ask", required: false }] },
    ];
    const { host, run } = await asked(flow(...blocks));
    await host.advance(HOUR_MS);
    expect((await run.settled()).status).toBe("success");
    expect(await run.steps()).toMatchObject([
      { block: "ask", status: "skipped", skipped: { kind: "timeout" } },
      { block: "after", status: "skipped", skipped: { kind: "dependency", block: "ask" } },
      { block: "anyway", status: "completed" },
    ]);
  });

  test("gives the answer that the block names", async () => {
    const { host, run, store } = await asked({
      ...flow(ask({ onTimeout: { answer: "no name" } })),
      outputs: { who: "${blocks.ask.input_value}" },
    });
    await host.advance(HOUR_MS);
    expect(await run.settled()).toMatchObject({ status: "success", outputs: { who: "no name" } });
    const answered = (await store.read(run.id)).map((text) => JSON.parse(text) as { type: string }).find(({ type }) => type === "answered");
    expect(answered).toMatchObject({ pause: 0, response: "no name", by: "timeout" });
  });

  test.each([
    ["does not fit the question", { answer: "x".repeat(70_000) }],
    ["is of another type", { answer: 5 }],
  ])("fails the block where the answer %s", async (_, onTimeout) => {
    const { host, run } = await asked(flow(ask({ onTimeout })));
    await host.advance(HOUR_MS);
    expect((await run.settled()).error).toMatchObject({ code: "PAUSE_TIMEOUT", message: expect.stringContaining("does not do") });
  });

  test("fails the block that refuses the answer when it sees it", async () => {
    const picky = defineBlock({
      type: "Picky",
      execute: () => pause({ prompt: "?" }),
      resume: ({ response }) => invalid(`not ${String(response)}`),
    });
    const { host, run } = await asked(flow({ ...ask({ onTimeout: { answer: "this" } }), type: "Picky", inputs: {} }), { blocks: [picky] });
    await host.advance(HOUR_MS);
    expect((await run.settled()).error).toMatchObject({ code: "PAUSE_TIMEOUT", message: expect.stringContaining("not this") });
  });

  test("is said by the question itself, which wins over the block", async () => {
    const asks = defineBlock({
      type: "Asks",
      execute: () => pause({ prompt: "?", timeoutMs: 5_000, onTimeout: { answer: "default" } }),
      resume: ({ response }) => success({ response }),
    });
    const { host, run, pause: open } = await asked(flow({ ...ask({ onTimeout: "fail" }), type: "Asks", inputs: {} }), { blocks: [asks] });
    expect(open.expiresAt).toBe(host.now() + 5_000);
    await host.advance(5_000);
    expect((await run.settled()).status).toBe("success");
  });

  test("fails a block whose question has a time that is none", async () => {
    const asks = defineBlock({ type: "Asks", execute: () => pause({ prompt: "?", timeoutMs: Number.NaN }), resume: () => success({}) });
    const run = await executorFor(memoryStore(), [flow({ id: "a", type: "Asks" })], { blocks: [asks] }).start("flow");
    expect((await run.settled()).error).toMatchObject({ code: "BLOCK_FAILED", message: expect.stringContaining("time limit") });
  });

  test("counts for each item by itself", async () => {
    const asks = defineBlock({
      type: "Asks",
      execute: ({ item }) => pause({ prompt: String(item!.index), timeoutMs: (item!.index + 1) * 1_000, onTimeout: "skip" }),
      resume: ({ response }) => success({ response }),
    });
    const workflow: Workflow = { ...flow({ id: "a", type: "Asks", forEach: [1, 2, 3] }), outputs: { all: "${blocks.a.results}" } };
    const { host, run } = await asked(workflow, { blocks: [asks] });
    await host.advance(1_000);
    await expect.poll(() => run.getSnapshot().pauses.map(({ prompt }) => prompt)).toEqual(["1", "2"]);
    await run.answer(run.getSnapshot().pauses[1]!.id, "two");
    await host.advance(1_000);
    expect(await run.settled()).toMatchObject({ status: "success", outputs: { all: [null, null, { response: "two" }] } });
  });
});

describe("rule 30: an answer that comes too late", () => {
  test("is refused before anything has recorded that the time is up", async () => {
    const { host, store, executor, run, pause: open } = await asked(flow(ask({ onTimeout: { answer: "no name" } })));
    await executor.close();
    const startAt = host.now() + HOUR_MS;
    const later = executorFor(store, [], { host: fakeHost({ seed: 99, startAt }) });
    expect(await later.answer(open.id, "me")).toMatchObject({ error: { code: "PAUSE_ALREADY_ANSWERED", details: { by: "timeout" } } });
    expect(await (await later.open(run.id)).settled()).toMatchObject({ status: "success" });
  });

  test("is refused the same way where the block failed or was skipped", async () => {
    for (const onTimeout of ["fail", "skip"] as const) {
      const { host, run, pause: open } = await asked(flow(ask({ onTimeout })));
      await host.advance(HOUR_MS);
      await run.settled();
      expect(await run.answer(open.id, "me")).toMatchObject({ error: { code: "PAUSE_ALREADY_ANSWERED", details: { by: "timeout" } } });
    }
  });

  test("is refused where the run has failed meanwhile; one in time is taken, and the run goes on", async () => {
    const bad: Block = { id: "bad", type: "GetInput", inputs: { prompt: "?" }, answerTimeoutMs: 1_000 };
    const { host, run } = await asked(flow(bad, ask()));
    const [, open] = run.getSnapshot().pauses;
    await host.advance(1_000);
    expect((await run.settled()).error).toMatchObject({ code: "PAUSE_TIMEOUT" });
    await host.advance(HOUR_MS);
    expect(await run.answer(open!.id, "me")).toMatchObject({ error: { code: "PAUSE_ALREADY_ANSWERED", details: { by: "timeout" } } });
  });

  test("does no harm to the answer that came in time", async () => {
    const { host, run, pause: open } = await asked(flow(ask()));
    await host.advance(HOUR_MS - 1);
    expect((await run.answer(open.id, "me")).status).toBe("success");
    await host.advance(HOUR_MS);
    expect(run.getSnapshot().status).toBe("completed");
    expect(host.sleeping).toBe(0);
  });

  test("is taken in a fork: a fork is not made to find that the time was up", async () => {
    const { host, executor, run, pause: open } = await asked(flow(ask()));
    await host.advance(2 * HOUR_MS);
    await run.settled();
    expect((await executor.resume(open.id, "me", { fork: true })).status).toBe("success");
    expect((await executor.resume(open.id, undefined, { fork: true })).pauses![0]).not.toHaveProperty("expiresAt");
  });
});

describe("rule 30: over restarts", () => {
  test("the same instant holds in another process that resumes the run before it", async () => {
    const { host, store, executor, run } = await asked(flow(ask({ onTimeout: "skip" })));
    await executor.close();
    const next = fakeHost({ seed: 50, startAt: host.now() + HOUR_MS - 10 });
    const again = await executorFor(store, [], { host: next }).open(run.id);
    expect((await again.resume()).status).toBe("paused");
    await next.advance(9);
    expect(again.getSnapshot().status).toBe("paused");
    await next.advance(1);
    expect((await again.settled()).status).toBe("success");
  });

  test("a run that is resumed after that time continues at once; opening alone changes nothing", async () => {
    const { host, store, executor, run } = await asked(flow(ask({ onTimeout: "skip" })));
    await executor.close();
    const entries = (await store.head(run.id))!.entries;
    const again = await executorFor(store, [], { host: fakeHost({ seed: 51, startAt: host.now() + 5 * HOUR_MS }) }).open(run.id);
    expect(again.getSnapshot().status).toBe("paused");
    expect((await store.head(run.id))!.entries).toBe(entries);
    expect((await again.resume()).status).toBe("success");
  });

  test("of two processes that find it, one records it", async () => {
    const { host, store, executor, run } = await asked(flow(ask({ onTimeout: { answer: "no name" } })));
    await executor.close();
    const startAt = host.now() + HOUR_MS;
    const processes = [60, 61].map((number) => executorFor(store, [], { host: fakeHost({ seed: number, startAt, autoAdvance: true }) }));
    const results = await Promise.all(processes.map(async (one) => (await one.open(run.id)).resume()));
    expect(results.map(({ status }) => status)).toEqual(["success", "success"]);
    const types = (await store.read(run.id)).map((text) => (JSON.parse(text) as { type: string }).type);
    expect(types.filter((type) => type === "answered")).toHaveLength(1);
  });
});

describe("rule 30: an answer in time and the end of the time, in two processes at once", () => {
  test.each(["skip", "fail", { answer: "no name" }] as const)("one of them counts, and both say so: %j", async (onTimeout) => {
    for (const answersFirst of [true, false]) {
      const { host, store, executor, run, pause: open } = await asked(flow(ask({ onTimeout })));
      await executor.close();
      const hostAt = (ms: number) => fakeHost({ seed: (seed += 1), startAt: host.now() + ms, autoAdvance: true });
      const early = executorFor(store, [], { host: hostAt(HOUR_MS - 1) });
      const late = executorFor(store, [], { host: hostAt(HOUR_MS) });
      const acts = [() => early.answer(open.id, "me"), async () => (await late.open(run.id)).resume()];
      await Promise.all((answersFirst ? acts : acts.toReversed()).map((act) => act()));
      const entries = (await store.read(run.id)).map((text) => JSON.parse(text) as { type: string; response?: unknown });
      const ends = entries.filter(({ type }) => type === "answered" || type === "skipped" || type === "failed");
      expect(ends).toHaveLength(1);
      const isAnswered = ends[0]!.response === "me";
      const again = await early.answer(open.id, "me");
      expect(again.error?.code).toBe(isAnswered ? undefined : "PAUSE_ALREADY_ANSWERED");
    }
  });
});

describe("rule 30: the question of a called workflow", () => {
  const inner = (onTimeout: Block["onTimeout"]): Workflow => ({
    name: "inner",
    blocks: [ask(onTimeout === undefined ? {} : { onTimeout }), { id: "more", type: "GetInput", inputs: { prompt: "More?" } }],
    outputs: { who: "${blocks.ask.input_value}" },
  });
  const outer: Workflow = {
    name: "outer",
    blocks: [{ id: "call", type: "ExecuteWorkflow", inputs: { workflow: "inner" } }],
    outputs: { who: "${blocks.call.who}" },
  };

  test("shows the instant to the caller, and the caller follows when the time is up", async () => {
    const { host, run, pause: open } = await asked(outer, { workflows: [inner({ answer: "no name" }), outer] });
    expect(open.expiresAt).toBe(host.now() + HOUR_MS);
    await host.advance(HOUR_MS);
    await expect.poll(() => run.getSnapshot().pauses.map(({ prompt }) => prompt)).toEqual(["More?"]);
    expect(await run.answer(run.getSnapshot().pauses[0]!.id, "no")).toMatchObject({ status: "success", outputs: { who: "no name" } });
  });

  test.each(["skip", "fail"] as const)("holds over restarts where only the caller is resumed: %s", async (onTimeout) => {
    const workflow: Workflow = { ...inner(onTimeout), blocks: [ask({ onTimeout })] };
    const { host, store, executor, run } = await asked(outer, { workflows: [workflow, outer] });
    await executor.close();
    const next = fakeHost({ seed: 70, startAt: host.now() + 1 });
    const again = await executorFor(store, [], { host: next }).open(run.id);
    expect((await again.resume()).status).toBe("paused");
    await next.advance(HOUR_MS);
    const result = await again.settled();
    expect(result).toMatchObject(
      onTimeout === "skip" ? { outputs: { who: null } } : { error: { code: "CHILD_FAILED", details: { code: "PAUSE_TIMEOUT" } } },
    );
  });

  test("is answered too late through the caller as by itself", async () => {
    const { host, store, executor, pause: open } = await asked(outer, { workflows: [inner("skip"), outer] });
    await executor.close();
    const later = executorFor(store, [], { host: fakeHost({ seed: 71, startAt: host.now() + HOUR_MS }) });
    expect(await later.answer(open.id, "me")).toMatchObject({ error: { code: "PAUSE_ALREADY_ANSWERED", details: { by: "timeout" } } });
  });
});
