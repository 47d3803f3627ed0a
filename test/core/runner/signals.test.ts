import { describe, expect, test } from "vitest";
import {
  createExecutor,
  defineBlock,
  failure,
  pause,
  success,
  waitFor,
  type Block,
  type BlockType,
  type Executor,
  type Store,
  type Success,
  type Values,
  type Workflow,
} from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";

const HOUR_MS = 3_600_000;

const flow = (...blocks: readonly Block[]): Workflow => ({ name: "flow", blocks });
const wait = (id: string, inputs: Block["inputs"], ...dependsOn: readonly string[]): Block => ({
  id,
  type: "Wait",
  inputs: inputs!,
  dependsOn,
});
const CALLER: Workflow = { name: "caller", blocks: [{ id: "call", type: "ExecuteWorkflow", inputs: { workflow: "flow" } }] };

let seed = 1;

function executorOn(store: Store, workflows: readonly Workflow[], blocks: readonly BlockType[] = []): Executor {
  return createExecutor({ store, workflows, blocks, host: fakeHost({ autoAdvance: true, seed: (seed += 1) }) });
}

async function outputsOf(executor: Executor, run: string): Promise<unknown> {
  return (await (await executor.open(run)).state()).values;
}

describe("a Wait for an event", () => {
  test("waits as long as it takes, says for what, and goes on with the value", async () => {
    const store = memoryStore();
    const executor = executorOn(store, [flow(wait("paid", { event: "payment" }))]);
    const run = await executor.start("flow");
    expect(await run.settled()).toMatchObject({ status: "paused", run: run.id, pauses: [] });
    expect(run.getSnapshot()).toMatchObject({ status: "paused", waves: [{ blocks: [{ status: "waiting", events: ["payment"] }] }] });
    expect(await run.steps()).toMatchObject([{ status: "waiting", events: ["payment"] }]);
    expect(await store.head(run.id)).toMatchObject({ status: "paused" });
    await run.signal("payment", { amount: 12 });
    expect((await run.settled()).status).toBe("success");
    expect(await outputsOf(executor, run.id)).toEqual({
      paid: { ended_by: "event", event: "payment", value: { amount: 12 }, until: null },
    });
    expect(run.getSnapshot().waves[0]!.blocks[0]).not.toHaveProperty("events");
  });

  test("takes one that came before it waited, in another process, after a crash", async () => {
    const store = memoryStore();
    const blocks = flow({ id: "ask", type: "GetInput", inputs: { prompt: "?" } }, wait("paid", { event: "payment" }, "ask"));
    const one = executorOn(store, [blocks]);
    const run = await one.start("flow");
    const { pauses } = await run.settled();
    await executorOn(store, []).signal(run.id, "payment", "early");
    await one.close();
    const other = executorOn(store, [blocks]);
    expect((await other.answer(pauses![0]!.id, "x")).status).toBe("success");
    expect(await outputsOf(other, run.id)).toMatchObject({ paid: { event: "payment", value: "early" } });
  });

  test("takes what comes first: the time, or one of several events", async () => {
    const host = fakeHost();
    const executor = createExecutor({
      store: memoryStore(),
      host,
      workflows: [
        flow(wait("answered", { event: ["yes", "no"], duration_ms: HOUR_MS }), wait("late", { event: "yes", until: host.now() + 5 })),
      ],
    });
    const run = await executor.start("flow");
    await expect.poll(() => host.sleeping).toBe(1);
    expect(run.getSnapshot().status).toBe("running");
    await host.advance(10);
    await run.signal("no");
    expect((await run.settled()).status).toBe("success");
    expect(await outputsOf(executor, run.id)).toMatchObject({
      answered: { ended_by: "event", event: "no", value: null },
      late: { ended_by: "time", event: null, value: null },
    });
  });

  test("of one name: the oldest goes to the first in the order of the workflow, each to one", async () => {
    const executor = executorOn(memoryStore(), [
      flow(wait("a", { event: "e" }), wait("b", { event: "e" }), wait("c", { event: "e" }, "a")),
    ]);
    const run = await executor.start("flow");
    await run.settled();
    for (const value of [1, 2, 3]) await run.signal("e", value);
    expect((await run.settled()).status).toBe("success");
    expect(await outputsOf(executor, run.id)).toMatchObject({ a: { value: 1 }, b: { value: 2 }, c: { value: 3 } });
  });

  test("as an item, each with its own", async () => {
    const executor = executorOn(memoryStore(), [
      flow({ id: "all", type: "Wait", forEach: ["x", "y"], inputs: { event: "${each.value}" } }),
    ]);
    const run = await executor.start("flow");
    await run.settled();
    await run.signal("y", 2);
    expect((await run.settled()).status).toBe("paused");
    await run.signal("x", 1);
    expect((await run.settled()).status).toBe("success");
    expect(await outputsOf(executor, run.id)).toMatchObject({ all: { results: [{ value: 1 }, { value: 2 }] } });
  });

  test.each([
    ["nothing to wait for", {}],
    ["a schema without an event", { duration_ms: 1, schema: {} }],
    ["a schema that is none", { event: "e", schema: { type: "numbr" } }],
    ["an event without a name", { event: "" }],
    ["no event of several", { event: [] }],
  ])("is refused at load with %s", async (_, inputs) => {
    await expect(executorOn(memoryStore(), []).load(flow(wait("a", inputs)))).rejects.toMatchObject({ code: "BLOCK_INPUT_INVALID" });
  });
});

describe("a signal", () => {
  test("that is sent again with its id is taken once, in any process", async () => {
    const store = memoryStore();
    const executor = executorOn(store, [flow(wait("a", { event: "e" }), wait("b", { event: "e" }))]);
    const run = await executor.start("flow");
    await run.settled();
    await run.signal("e", 1, { id: "evt_1" });
    await executorOn(store, []).signal(run.id, "e", 1, { id: "evt_1" });
    expect(await run.settled()).toMatchObject({ status: "paused" });
    await run.signal("e", 2, { id: "evt_2" });
    expect((await run.settled()).status).toBe("success");
  });

  test("whose value does not fit what waits for it is refused, and changes nothing", async () => {
    const store = memoryStore();
    const executor = executorOn(store, [
      flow(wait("a", { event: "e", schema: { type: "object", properties: { n: { type: "number" } }, required: ["n"] } })),
    ]);
    const run = await executor.start("flow");
    await run.settled();
    const before = await store.head(run.id);
    await expect(run.signal("e", { n: "many" })).rejects.toMatchObject({
      code: "SIGNAL_INVALID",
      details: { event: "e", fields: { n: expect.any(String) } },
    });
    expect(await store.head(run.id)).toEqual(before);
    await run.signal("e", { n: 1 });
    expect((await run.settled()).status).toBe("success");
  });

  test("that came early and does not fit fails the Wait; a run that is resumed waits for another one", async () => {
    const executor = executorOn(memoryStore(), [
      flow({ id: "ask", type: "GetInput", inputs: { prompt: "?" } }, wait("a", { event: "e", schema: { type: "number" } }, "ask")),
    ]);
    const run = await executor.start("flow");
    const { pauses } = await run.settled();
    await run.signal("e", "many");
    expect(await run.answer(pauses![0]!.id, "x")).toMatchObject({ status: "failure", error: { code: "SIGNAL_INVALID" } });
    expect(await run.resume()).toMatchObject({ status: "paused", pauses: [] });
    await run.signal("e", 1);
    expect((await run.settled()).status).toBe("success");
  });

  test("to a run that has ended is an error; one that failed keeps it until it is resumed", async () => {
    let fails = true;
    const flaky = defineBlock({ type: "Flaky", execute: () => (fails ? failure("no") : success({})) });
    const executor = executorOn(memoryStore(), [flow({ id: "flaky", type: "Flaky" }, wait("a", { event: "e" }, "flaky"))], [flaky]);
    const run = await executor.start("flow");
    expect((await run.settled()).status).toBe("failure");
    await run.signal("e", 1);
    expect(run.getSnapshot().status).toBe("failed");
    fails = false;
    expect((await run.resume()).status).toBe("success");
    await expect(run.signal("e", 2)).rejects.toMatchObject({ code: "RUN_ENDED", message: expect.stringContaining("is completed") });
  });

  test("is stored before the block that waits for it gets it", async () => {
    const memory = memoryStore();
    let written = false;
    let isSlow = false;
    const store: Store = {
      ...memory,
      async commit(commit) {
        if (isSlow) await new Promise((resolve) => setTimeout(resolve, 30));
        await memory.commit(commit);
        if (isSlow) written = true;
      },
    };
    const seen: boolean[] = [];
    const greedy = defineBlock({ type: "Greedy", execute: ({ event }) => (event ? (seen.push(written), success({})) : waitFor("e")) });
    let end = (): void => {};
    const slow = defineBlock({
      type: "Slow",
      execute: () => new Promise<Success<Values>>((resolve) => (end = () => resolve(success({})))),
    });
    const executor = executorOn(store, [flow({ id: "a", type: "Greedy" }, { id: "b", type: "Slow" })], [greedy, slow]);
    const run = await executor.start("flow");
    await expect.poll(() => run.getSnapshot().waves[0]!.blocks.map(({ status }) => status)).toEqual(["waiting", "running"]);
    isSlow = true;
    const sent = run.signal("e");
    await new Promise((resolve) => setTimeout(resolve, 5));
    end();
    await sent;
    expect((await run.settled()).status).toBe("success");
    expect(seen).toEqual([true]);
  });

  test("comes while another executor works: both count", async () => {
    const store = memoryStore();
    let end = (): void => {};
    const slow = defineBlock({
      type: "Slow",
      execute: () => new Promise<Success<Values>>((resolve) => (end = () => resolve(success({})))),
    });
    const blocks = flow({ id: "slow", type: "Slow" }, wait("a", { event: "e" }, "slow"));
    const executor = executorOn(store, [blocks], [slow]);
    const run = await executor.start("flow");
    await expect.poll(() => run.getSnapshot().waves[0]!.blocks[0]!.status).toBe("running");
    await Promise.all([1, 2].map((n) => executorOn(store, [blocks], [slow]).signal(run.id, "e", n)));
    end();
    expect((await run.settled()).status).toBe("success");
    expect([1, 2]).toContain((await run.state()).values["a"]!["value"]);
  });

  test("of 30 that come at the same time from several executors, none is lost and none counts twice", async () => {
    const store = memoryStore();
    const blocks = flow({ id: "all", type: "Wait", forEach: 30, inputs: { event: "e" } });
    const executors = [1, 2, 3].map(() => executorOn(store, [blocks]));
    const run = await executors[0]!.start("flow");
    await run.settled();
    await Promise.all(Array.from({ length: 30 }, (_, n) => executors[n % 3]!.signal(run.id, "e", n)));
    await expect.poll(async () => (await store.head(run.id))!.status).toBe("completed");
    await run.refresh();
    const { results } = (await run.state()).values["all"] as unknown as { readonly results: readonly { readonly value: number }[] };
    expect(results.map(({ value }) => value).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, n) => n));
  });

  test("goes to the run that is named; a called run has signals of its own", async () => {
    const executor = executorOn(memoryStore(), [CALLER, flow(wait("a", { event: "e" }))]);
    const run = await executor.start("caller");
    expect(await run.settled()).toMatchObject({ status: "paused", run: run.id, pauses: [] });
    await run.signal("e", 1);
    expect((await run.settled()).status).toBe("paused");
    await executor.signal(`${run.id}/call`, "e", 2);
    await expect.poll(() => run.getSnapshot().status).toBe("completed");
    expect(await outputsOf(executor, `${run.id}/call`)).toMatchObject({ a: { value: 2 } });
  });

  test("for a called run lets a caller that has failed be", async () => {
    let broken = 0;
    const blocks = [defineBlock({ type: "Broken", execute: () => failure(`It fails for the ${(broken += 1)}. time.`) })];
    const caller = { ...CALLER, blocks: [...CALLER.blocks, { id: "broken", type: "Broken" }] };
    const executor = executorOn(memoryStore(), [caller, flow(wait("a", { event: "e" }))], blocks);
    const run = await executor.start("caller");
    expect((await run.settled()).status).toBe("failure");
    const called = await executor.open(`${run.id}/call`);
    await called.signal("e", 2);
    expect((await called.settled()).status).toBe("success");
    await executor.recover();
    expect((await run.settled()).status).toBe("failure");
    expect(broken).toBe(1);
    expect((await run.resume()).status).toBe("failure");
    expect(broken).toBe(2);
  });

  test("is kept while the run is stopped for now", async () => {
    const executor = executorOn(memoryStore(), [flow(wait("a", { event: "e" }))]);
    const run = await executor.start("flow");
    await run.settled();
    await run.stop();
    await run.signal("e", 1);
    expect(await run.settled()).toMatchObject({ reason: "stopped" });
    expect((await run.resume()).status).toBe("success");
  });

  test.each([
    ["", undefined],
    ["x".repeat(201), undefined],
    ["e", ""],
  ])("cannot have the name %j and the id %j", async (name, id) => {
    const executor = executorOn(memoryStore(), [flow(wait("a", { event: "e" }))]);
    const run = await executor.start("flow");
    await expect(run.signal(name, 1, id === undefined ? {} : { id })).rejects.toMatchObject({ code: "SIGNAL_INVALID" });
  });
});

describe("a block type that waits for an event", () => {
  test("goes on with it, and is given it once more where it fails and is tried again", async () => {
    const seen: unknown[] = [];
    const charge = defineBlock({
      type: "Charge",
      execute({ event, attempt, idempotencyKey }) {
        seen.push([event, attempt, idempotencyKey.split("/")[1]]);
        if (!event) return waitFor("card", { schema: { type: "string" } });
        return attempt < 3 ? failure("busy") : success({ card: event.value });
      },
    });
    const executor = executorOn(memoryStore(), [flow({ id: "charge", type: "Charge", retry: { maxAttempts: 3, delayMs: 1 } })], [charge]);
    const run = await executor.start("flow");
    await run.settled();
    await run.signal("card", "4242");
    expect((await run.settled()).status).toBe("success");
    const event = { name: "card", value: "4242" };
    expect(seen).toEqual([
      [undefined, 1, "charge"],
      [event, 1, "charge"],
      [event, 2, "charge"],
      [event, 3, "charge"],
    ]);
  });

  test("that failed for good is given it once more when its run is resumed", async () => {
    let fails = true;
    const charge = defineBlock({
      type: "Charge",
      execute: ({ event }) => (event ? (fails ? failure("busy") : success({ card: event.value })) : waitFor("card")),
    });
    const executor = executorOn(memoryStore(), [flow({ id: "charge", type: "Charge" })], [charge]);
    const run = await executor.start("flow");
    await run.signal("card", "4242");
    expect((await run.settled()).status).toBe("failure");
    fails = false;
    expect((await run.resume()).status).toBe("success");
    expect(await outputsOf(executor, run.id)).toEqual({ charge: { card: "4242" } });
  });

  test("once at most asks what became of it after a crash, and goes on with the same event", async () => {
    const store = memoryStore();
    const begun: unknown[] = [];
    const pay = (ends: boolean): BlockType =>
      defineBlock({
        type: "Pay",
        effect: "once",
        execute({ event }) {
          if (!event) return waitFor("card");
          begun.push(event.value);
          return ends ? success({ card: event.value }) : new Promise<never>(() => {});
        },
      });
    const definition = flow({ id: "pay", type: "Pay" });
    const one = executorOn(store, [definition], [pay(false)]);
    const run = await one.start("flow");
    await run.signal("card", "4242");
    await expect.poll(() => begun).toEqual(["4242"]);
    void one.close();
    const other = executorOn(store, [definition], [pay(true)]);
    const there = await other.open(run.id);
    const { pauses } = await there.resume();
    await there.signal("card", "another");
    expect((await there.answer(pauses![0]!.id, { outcome: "again" })).status).toBe("success");
    expect(begun).toEqual(["4242", "4242"]);
  });
});

describe("a question that an event may end", () => {
  const ask = (onEvent: Block["onEvent"], more: Partial<Block> = {}): Block => ({
    id: "ok",
    type: "ConfirmOperation",
    inputs: { message: "Publish?" },
    onEvent: onEvent!,
    ...more,
  });

  test.each([
    ["withdrawn", { status: "success" }, { status: "skipped", skipped: { kind: "event", event: "withdrawn" } }],
    ["mailed", { status: "success" }, { status: "completed", outputs: { confirmed: true } }],
    ["lost", { status: "failure", error: { code: "PAUSE_ENDED" } }, { status: "failed" }],
    ["odd", { status: "failure", error: { code: "PAUSE_ENDED", message: expect.stringContaining("does not do") } }, { status: "failed" }],
  ])("ends by %s as the block says", async (event, result, step) => {
    const executor = executorOn(memoryStore(), [
      flow(ask({ withdrawn: "skip", mailed: { answer: "yes" }, lost: "fail", odd: { answer: 1 } })),
    ]);
    const run = await executor.start("flow");
    expect((await run.settled()).pauses).toMatchObject([{ events: ["withdrawn", "mailed", "lost", "odd"] }]);
    const pauseId = run.getSnapshot().pauses[0]!.id;
    await run.signal(event);
    expect(await run.settled()).toMatchObject(result);
    expect(await run.steps()).toMatchObject([step]);
    expect(await run.answer(pauseId, "no")).toMatchObject({ status: "failure" });
  });

  test("takes no answer once the event has come, also where the run was stopped and has yet to take it", async () => {
    const executor = executorOn(memoryStore(), [flow(ask({ mailed: "skip" }))]);
    const run = await executor.start("flow");
    const { pauses } = await run.settled();
    await run.stop();
    await run.signal("mailed");
    expect(await run.answer(pauses![0]!.id, "yes")).toMatchObject({
      status: "failure",
      error: { code: "PAUSE_ALREADY_ANSWERED", message: expect.stringContaining('the event "mailed" ended it'), details: { by: "event" } },
    });
    expect((await run.resume()).status).toBe("success");
    expect(await run.steps()).toMatchObject([{ status: "skipped" }]);
  });

  test.each(["skip", "fail"] as const)("says afterwards that the event ended it, where it says %s", async (follows) => {
    const last: Block = { id: "last", type: "GetInput", dependsOn: ["ok"], inputs: { prompt: "?" } };
    const inner = { ...flow(ask({ withdrawn: follows })), name: "inner" };
    const calling: Block = { id: "call", type: "ExecuteWorkflow", inputs: { workflow: "inner" } };
    const executor = executorOn(memoryStore(), [
      flow(ask({ withdrawn: follows }), { ...last, dependsOn: [{ block: "ok", required: false }] }),
      inner,
      { ...flow(calling), name: "outer" },
    ]);
    const run = await executor.start("flow");
    const [asked] = (await run.settled()).pauses!;
    await run.signal("withdrawn");
    await run.settled();
    const says = { message: expect.stringContaining('the event "withdrawn" ended it') as string };
    // There is no answer that could be revised.
    const wayOut = { message: expect.stringContaining("it. To go on from there in a run beside this one, resume it with fork") as string };
    expect((await run.answer(asked!.id, "yes")).error).toMatchObject(wayOut);
    expect((await run.answer(asked!.id, "yes")).error).toMatchObject({ code: "PAUSE_ALREADY_ANSWERED", ...says, details: { by: "event" } });
    expect((await run.revise(asked!.id, "yes")).error).toMatchObject({ code: "PAUSE_EXPIRED", ...says, details: { event: "withdrawn" } });
    const outer = await executor.start("outer");
    const [there] = (await outer.settled()).pauses!;
    await (await executor.open(`${outer.id}/call`)).signal("withdrawn");
    await outer.resume().catch(() => {});
    expect((await outer.answer(there!.id, "yes")).error).toMatchObject({
      code: "PAUSE_ALREADY_ANSWERED",
      ...says,
      details: { by: "event" },
    });
  });

  test("takes an answer that comes first, and leaves the event to what waits for it", async () => {
    const executor = executorOn(memoryStore(), [flow(ask({ mailed: "skip" }), wait("mail", { event: "mailed" }, "ok"))]);
    const run = await executor.start("flow");
    const { pauses } = await run.settled();
    await run.answer(pauses![0]!.id, "yes");
    await run.signal("mailed", "late");
    expect((await run.settled()).status).toBe("success");
    expect(await outputsOf(executor, run.id)).toMatchObject({ ok: { confirmed: true }, mail: { value: "late" } });
  });

  test("is ended by one that came before it was asked, and by a deadline that comes first", async () => {
    const executor = executorOn(memoryStore(), [
      flow(ask({ mailed: { answer: "yes" } }, { answerTimeoutMs: 1_000, onTimeout: { answer: "no" } }), wait("first", { event: "go" }), {
        ...ask({ mailed: { answer: "yes" } }, { dependsOn: ["first"] }),
        id: "later",
      }),
    ]);
    const run = await executor.start("flow");
    await expect.poll(() => run.getSnapshot().waves[0]!.blocks[0]!.status).toBe("completed");
    await run.signal("mailed");
    await run.signal("go");
    expect((await run.settled()).status).toBe("success");
    expect(await outputsOf(executor, run.id)).toMatchObject({ ok: { confirmed: false }, later: { confirmed: true } });
  });

  test("may say so in TypeScript", async () => {
    const vote = defineBlock({
      type: "Vote",
      execute: () => pause({ prompt: "?", onEvent: { closed: { answer: "none" } } }),
      resume: ({ response }) => success({ vote: response }),
    });
    const executor = executorOn(memoryStore(), [flow({ id: "vote", type: "Vote" })], [vote]);
    const run = await executor.start("flow");
    await run.settled();
    await run.signal("closed");
    expect((await run.settled()).status).toBe("success");
    expect(await outputsOf(executor, run.id)).toEqual({ vote: { vote: "none" } });
  });

  test.each([
    ["a word that says nothing", ask({ e: "stop" as never }), "SCHEMA_INVALID"],
    ["a reference in the answer", ask({ e: { answer: "${inputs.x}" } }), "SCHEMA_INVALID"],
    [
      "a block that asks nothing",
      { id: "x", type: "EchoBlock", inputs: { message: "x" }, onEvent: { e: "skip" } } as Block,
      "BLOCK_NOT_INTERACTIVE",
    ],
  ])("is refused at load with %s", async (_, block, code) => {
    await expect(executorOn(memoryStore(), []).load(flow(block))).rejects.toMatchObject({ code });
  });
});

describe("a revision", () => {
  const ASK: Block = { id: "name", type: "GetInput", inputs: { prompt: "name?" } };

  async function begun(...waits: readonly Block[]) {
    const dependsOn = waits.map(({ id }) => ({ block: id, required: false }));
    const last: Block = { id: "last", type: "GetInput", inputs: { prompt: "last?" }, dependsOn };
    const executor = executorOn(memoryStore(), [flow(ASK, ...waits, last)]);
    const run = await executor.start("flow");
    const first = (await run.settled()).pauses![0]!.id;
    await run.answer(first, "Ada");
    await run.signal("payment", 1);
    expect((await run.settled()).pauses).toMatchObject([{ prompt: "last?" }]);
    return { executor, run, first };
  }

  test("keeps a Wait that is given the same, with its signal", async () => {
    const { executor, run, first } = await begun(wait("paid", { event: "payment" }, "name"));
    expect((await run.revise(first, "Eve")).pauses).toMatchObject([{ prompt: "last?" }]);
    await run.signal("payment", 2);
    expect(await outputsOf(executor, run.id)).toMatchObject({ paid: { value: 1 } });
  });

  test("gives a Wait that waits anew the signal that it had, before newer ones", async () => {
    const { executor, run, first } = await begun(wait("paid", { event: ["payment", "${blocks.name.input_value}"] }, "name"));
    await run.signal("payment", 2);
    expect((await run.revise(first, "Eve")).pauses).toMatchObject([{ prompt: "last?" }]);
    expect(await outputsOf(executor, run.id)).toMatchObject({ paid: { value: 1 } });
  });

  test("that leaves the Wait out gives its signal to another", async () => {
    const branch = (id: string, name: string): Block => ({
      ...wait(id, { event: "payment" }, "name"),
      condition: `\${blocks.name.input_value} == "${name}"`,
    });
    const { executor, run, first } = await begun(branch("paid", "Ada"), branch("other", "Eve"));
    expect((await run.revise(first, "Eve")).pauses).toMatchObject([{ prompt: "last?" }]);
    expect(await outputsOf(executor, run.id)).toMatchObject({ other: { value: 1 } });
    expect((await run.revise(first, "Ada")).pauses).toMatchObject([{ prompt: "last?" }]);
    expect(await outputsOf(executor, run.id)).toMatchObject({ paid: { value: 1 } });
  });

  test("and a fork carry the signals that came before", async () => {
    const { executor, run } = await begun(wait("paid", { event: "payment" }, "name"));
    const asked = run.getSnapshot().pauses[0]!.id;
    const fork = await executor.fork(asked, { answers: { [asked]: "x" } });
    expect((await fork.settled()).status).toBe("success");
    expect(await outputsOf(executor, fork.id)).toMatchObject({ paid: { value: 1 } });
    const [early] = (await executor.checkpoints.list({ run: run.id, kind: "wave" })).items.toReversed();
    const before = await executor.fork(early!.id);
    expect((await before.settled()).status).toBe("paused");
    expect(await outputsOf(executor, before.id)).not.toHaveProperty("paid");
  });
});
