import { describe, expect, test } from "vitest";
import {
  createExecutor,
  defineBlock,
  pause,
  success,
  type Block,
  type BlockType,
  type ExecutorOptions,
  type Store,
  type Value,
  type Workflow,
} from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";
import { workshop } from "../../support/workshop.ts";

const once = (more: Partial<Block> = {}): Block => ({ id: "charge", type: "Work", effect: "once", inputs: { ms: 50 }, ...more });
const flow = (...blocks: readonly Block[]): Workflow => ({ name: "flow", blocks });

let seed = 1;

function executorFor(store: Store, workflows: readonly Workflow[], options: Partial<ExecutorOptions> = {}) {
  return createExecutor({ store, workflows, host: fakeHost({ seed: (seed += 1), autoAdvance: true }), ...options });
}

async function types(store: Store, run: string): Promise<readonly string[]> {
  return (await store.read(run)).map((text) => (JSON.parse(text) as { type: string }).type);
}

/** A run whose process ended while the block with this id was being executed. */
async function crashed(workflow: Workflow, blocks: readonly BlockType[], policy: ExecutorOptions["policy"] = {}) {
  const store = memoryStore();
  const host = fakeHost({ seed: (seed += 1) });
  const executor = executorFor(store, [workflow], { blocks, host, policy });
  const run = await executor.start(workflow.name);
  await expect.poll(() => host.sleeping).toBeGreaterThan(0);
  await executor.close();
  return { store, run: run.id };
}

/** The run that {@link crashed} left, resumed by another process, and what it asks. */
async function found(workflow: Workflow, shop = workshop(), blocks: readonly BlockType[] = shop.blocks) {
  const { store, run: id } = await crashed(workflow, blocks);
  const executor = executorFor(store, [], { blocks });
  const run = await executor.open(id);
  const result = await run.resume();
  return { ...shop, store, executor, run, result, asked: result.pauses?.[0] };
}

describe("D10: a block that must not run twice", () => {
  test.each(["sync", "async"] as const)("begins only once that is stored, durability %s", async (durability) => {
    const store = memoryStore();
    const stored: (readonly string[])[] = [];
    const look = defineBlock({
      type: "Look",
      effect: "once",
      execute: async ({ run }) => {
        stored.push(await types(store, run));
        return success({});
      },
    });
    const workflow = flow(
      { id: "before", type: "EchoBlock", inputs: { message: "x" } },
      { id: "look", type: "Look", dependsOn: ["before"] },
    );
    const run = await executorFor(store, [workflow], { blocks: [look], policy: { durability } }).start("flow");
    expect((await run.settled()).status).toBe("success");
    expect(stored).toEqual([["started", "completed", "began"]]);
  });

  test("under exit too: what was held back is written before it", async () => {
    const store = memoryStore();
    const stored: number[] = [];
    const look = defineBlock({
      type: "Look",
      execute: async ({ run }) => {
        stored.push((await types(store, run)).length);
        return success({});
      },
    });
    const policy = { durability: "exit", retention: "latest" } as const;
    const run = await executorFor(store, [flow(once({ type: "Look" }))], { blocks: [look], policy }).start("flow");
    await run.settled();
    expect(stored).toEqual([2]);
  });

  test("is not executed again after a crash: the run asks what became of it", async () => {
    const { asked, began, store, run } = await found(flow(once()));
    expect(began).toEqual(["charge"]);
    expect(asked).toMatchObject({
      path: ["charge"],
      type: "Work",
      prompt: expect.stringContaining('Block "charge" (Work) must not run twice'),
    });
    // A person reads words.
    expect(asked!.title).toBe("This was interrupted. Was it done?");
    const choices = [
      { const: "done", title: "It is done" },
      { const: "failed", title: "It was not done" },
      { const: "again", title: "Do it now" },
    ];
    expect(asked!.schema).toMatchObject({ properties: { outcome: { oneOf: choices } }, required: ["outcome"] });
    expect(await types(store, run.id)).toEqual(["started", "began", "recovered", "paused"]);
  });

  test("that is done has the outputs that a person gives", async () => {
    const workflow: Workflow = { ...flow(once()), outputs: { value: "${blocks.charge.value}" } };
    const { run, asked, began } = await found(workflow);
    const result = await run.answer(asked!.id, { outcome: "done", outputs: { value: "paid" } });
    expect(result).toMatchObject({ status: "success", outputs: { value: "paid" } });
    expect(began).toEqual(["charge"]);
  });

  test("that failed fails, and runs once more where the run is resumed", async () => {
    const { run, asked, began } = await found(flow(once({ retry: { maxAttempts: 3 } })));
    expect(await run.answer(asked!.id, { outcome: "failed" })).toMatchObject({
      error: { code: "OUTCOME_UNKNOWN", details: { block: "charge" } },
    });
    expect(began).toEqual(["charge"]);
    expect((await run.resume()).status).toBe("success");
    expect(began).toEqual(["charge", "charge"]);
  });

  test("runs again where a person says so, under the same key and the next number", async () => {
    const { run, asked, began, keys } = await found(flow(once()));
    expect((await run.answer(asked!.id, { outcome: "again" })).status).toBe("success");
    expect(began).toEqual(["charge", "charge#2"]);
    expect(new Set(keys).size).toBe(1);
  });

  test("asks once more where the process ends in that second execution", async () => {
    const shop = workshop();
    const { store, run, asked } = await found(flow(once()), shop);
    const host = fakeHost({ seed: 500 });
    const second = executorFor(store, [], { blocks: shop.blocks, host });
    void second.answer(asked!.id, { outcome: "again" }).catch(() => {});
    await expect.poll(() => shop.began).toEqual(["charge", "charge#2"]);
    await expect.poll(() => host.sleeping).toBe(1);
    await second.close();
    const third = await executorFor(store, [], { blocks: shop.blocks }).open(run.id);
    const { pauses } = await third.resume();
    expect(pauses).toHaveLength(1);
    expect(pauses![0]!.id).not.toBe(asked!.id);
    expect((await third.answer(pauses![0]!.id, { outcome: "again" })).status).toBe("success");
    expect(shop.began).toEqual(["charge", "charge#2", "charge#3"]);
  });

  test.each<[string, Value]>([
    ["no object", "done"],
    ["no outcome", { outputs: {} }],
    ["another outcome", { outcome: "maybe" }],
    ["outputs that are none", { outcome: "done", outputs: 5 }],
    ["more than was asked", { outcome: "done", more: 1 }],
  ])("refuses an answer with %s, and still asks", async (_, response) => {
    const { run, asked } = await found(flow(once()));
    expect(await run.answer(asked!.id, response)).toMatchObject({ error: { code: "RESPONSE_INVALID" } });
    expect(run.getSnapshot().pauses).toHaveLength(1);
  });

  test("refuses outputs that its type does not promise, and takes those that it does", async () => {
    const began: string[] = [];
    const charge = defineBlock({
      type: "Charge",
      effect: "once",
      outputs: { jsonSchema: { type: "object", properties: { receipt: { type: "string" } }, required: ["receipt"] } },
      execute: async ({ host, signal, block }) => {
        began.push(block);
        await host.sleep(50, signal);
        return success({ receipt: "r1" });
      },
    });
    const workflow: Workflow = { ...flow({ id: "charge", type: "Charge" }), outputs: { receipt: "${blocks.charge.receipt}" } };
    const { run, asked } = await found(workflow, undefined, [charge]);
    for (const outputs of [{}, { receipt: 5 }]) {
      expect(await run.answer(asked!.id, { outcome: "done", outputs })).toMatchObject({ error: { code: "RESPONSE_INVALID" } });
    }
    expect(await run.answer(asked!.id, { outcome: "done" })).toMatchObject({ error: { code: "RESPONSE_INVALID" } });
    expect(await run.answer(asked!.id, { outcome: "done", outputs: { receipt: "r7" } })).toMatchObject({ outputs: { receipt: "r7" } });
    expect(began).toEqual(["charge"]);
  });

  test("fails where it is not known, and asks again where the run is resumed", async () => {
    const { run, asked, began } = await found(flow(once()));
    expect(await run.decline(asked!.id)).toMatchObject({ error: { code: "PAUSE_DECLINED" } });
    const { pauses } = await run.resume();
    expect(pauses).toMatchObject([{ prompt: asked!.prompt }]);
    expect(began).toEqual(["charge"]);
  });

  test("asks without a time limit, also where the block limits its own questions", async () => {
    const { blocks } = workshop();
    const workflow = flow(once({ type: "AskAndWork", answerTimeoutMs: 1_000, onTimeout: { answer: "x" } }));
    let isAtWork = false;
    const both = defineBlock({
      type: "AskAndWork",
      execute: () => pause({ prompt: "Go?" }),
      resume: async ({ host, signal }) => {
        isAtWork = true;
        await host.sleep(50, signal);
        return success({});
      },
    });
    const store = memoryStore();
    const host = fakeHost({ seed: (seed += 1) });
    const executor = executorFor(store, [workflow], { blocks: [...blocks, both], host });
    const run = await executor.start("flow");
    const { pauses } = await run.settled();
    void run.answer(pauses![0]!.id, "go").catch(() => {});
    await expect.poll(() => isAtWork).toBe(true);
    await executor.close();
    const again = await executorFor(store, [], { blocks: [both] }).open(run.id);
    const result = await again.resume();
    expect(result.pauses![0]).not.toHaveProperty("expiresAt");
    expect((await again.answer(result.pauses![0]!.id, { outcome: "again" })).status).toBe("success");
  });
});

describe("D10: what it was doing when it was interrupted", () => {
  const seen: (readonly [response: unknown, woken: boolean])[] = [];
  const both = defineBlock({
    type: "AskAndWork",
    effect: "once",
    execute: () => pause({ prompt: "Go?" }),
    resume: async ({ host, signal, response, wokenAt }) => {
      seen.push([response, wokenAt !== undefined]);
      await host.sleep(50, signal);
      return response === "wrong" ? { status: "invalid", error: { code: "RESPONSE_INVALID", message: "not that" } } : success({ response });
    },
  });
  const workflow: Workflow = { ...flow({ id: "charge", type: "AskAndWork" }), outputs: { response: "${blocks.charge.response}" } };

  async function interrupted(answer: string) {
    seen.length = 0;
    const store = memoryStore();
    const host = fakeHost({ seed: (seed += 1) });
    const executor = executorFor(store, [workflow], { blocks: [both], host });
    const run = await executor.start("flow");
    const { pauses } = await run.settled();
    void run.answer(pauses![0]!.id, answer).catch(() => {});
    await expect.poll(() => host.sleeping).toBeGreaterThan(0);
    await executor.close();
    const again = await executorFor(store, [], { blocks: [both] }).open(run.id);
    return { again, first: pauses![0]!.id, asked: (await again.resume()).pauses![0]! };
  }

  test("an answer: it works with the same one again", async () => {
    const { again, asked } = await interrupted("go");
    expect(seen).toEqual([["go", false]]);
    expect(asked.prompt).toContain("must not run twice");
    expect(await again.answer(asked.id, { outcome: "again" })).toMatchObject({ status: "success", outputs: { response: "go" } });
    expect(seen).toEqual([
      ["go", false],
      ["go", false],
    ]);
  });

  test("an answer that it refuses then: the question is open again", async () => {
    const { again, asked, first } = await interrupted("wrong");
    expect(await again.answer(asked.id, { outcome: "again" })).toMatchObject({ status: "paused", pauses: [{ id: first, prompt: "Go?" }] });
    expect(await again.answer(first, "right")).toMatchObject({ status: "success", outputs: { response: "right" } });
  });

  test("what follows an instant: it knows for which one it waited", async () => {
    const { blocks } = workshop();
    const late = defineBlock({
      type: "Late",
      effect: "once",
      execute: async ({ host, signal, wokenAt }) => {
        if (wokenAt === undefined) return { status: "waiting", until: host.now() + 1_000 };
        seen.push([wokenAt, true]);
        await host.sleep(50, signal);
        return success({ wokenAt });
      },
    });
    seen.length = 0;
    const store = memoryStore();
    const host = fakeHost({ seed: (seed += 1) });
    const executor = executorFor(store, [flow({ id: "late", type: "Late" })], { blocks: [...blocks, late], host });
    const run = await executor.start("flow");
    await expect.poll(() => run.getSnapshot().waves[0]!.blocks[0]!.status).toBe("waiting");
    await expect.poll(() => host.sleeping).toBe(1);
    await host.advance(1_000);
    await expect.poll(() => seen.length).toBe(1);
    await executor.close();
    const again = await executorFor(store, [], {
      blocks: [late],
      host: fakeHost({ seed: 700, startAt: host.now(), autoAdvance: true }),
    }).open(run.id);
    const { pauses } = await again.resume();
    expect((await again.answer(pauses![0]!.id, { outcome: "again" })).status).toBe("success");
    expect(seen[1]).toEqual(seen[0]);
  });

  test("one item: the others are not asked about", async () => {
    const { blocks, began } = workshop();
    const items: Workflow = {
      ...flow(once({ forEach: [1, 2, 3], maxParallel: 1, inputs: { ms: 10, value: "${each.value}" } })),
      outputs: { all: "${blocks.charge.results}" },
    };
    const store = memoryStore();
    const host = fakeHost({ seed: (seed += 1) });
    const executor = executorFor(store, [items], { blocks, host });
    const run = await executor.start("flow");
    await expect.poll(() => host.sleeping).toBeGreaterThan(0);
    await host.advance(10);
    await expect.poll(() => began).toEqual(["charge[0]", "charge[1]"]);
    await executor.close();
    const again = await executorFor(store, [], { blocks }).open(run.id);
    const { pauses } = await again.resume();
    expect(pauses).toMatchObject([{ path: ["charge[1]"] }]);
    expect(began).toEqual(["charge[0]", "charge[1]", "charge[2]#2"]);
    const result = await again.answer(pauses![0]!.id, { outcome: "done", outputs: { value: "by hand" } });
    expect(result).toMatchObject({ outputs: { all: [{ value: 1 }, { value: "by hand" }, { value: 3 }] } });
  });
});

describe("D10: when it may run again unasked", () => {
  test("after a failure that it told itself: retry holds", async () => {
    const { blocks, began } = workshop();
    const store = memoryStore();
    const run = await executorFor(store, [flow(once({ inputs: { fails: 2 }, retry: { maxAttempts: 3, delayMs: 1 } }))], { blocks }).start(
      "flow",
    );
    expect((await run.settled()).status).toBe("success");
    expect(began).toEqual(["charge", "charge#2", "charge#3"]);
    expect((await types(store, run.id)).filter((type) => type === "began")).toHaveLength(3);
  });

  test("after a failure of its own the failed run is resumed without a question", async () => {
    const { blocks, began, mend } = workshop();
    const run = await executorFor(memoryStore(), [flow(once({ inputs: { fails: 9 } }))], { blocks }).start("flow");
    expect((await run.settled()).status).toBe("failure");
    mend();
    expect((await run.resume()).status).toBe("success");
    expect(began).toEqual(["charge", "charge"]);
  });

  test("not after its time was up: what it did until then is unknown", async () => {
    const { blocks, began } = workshop();
    const workflow = flow(once({ inputs: { ms: 60_000 }, timeoutMs: 100, retry: { maxAttempts: 3, delayMs: 1 } }));
    const run = await executorFor(memoryStore(), [workflow], { blocks }).start("flow");
    const { pauses } = await run.settled();
    expect(pauses).toMatchObject([{ path: ["charge"], prompt: expect.stringContaining("must not run twice") }]);
    expect(began).toEqual(["charge"]);
  });

  test("not where the run failed because its time was up, and is resumed", async () => {
    const { blocks, began } = workshop();
    const run = await executorFor(memoryStore(), [flow(once({ inputs: { ms: 60_000 }, timeoutMs: 100 }))], { blocks }).start("flow");
    expect((await run.settled()).error).toMatchObject({ code: "BLOCK_TIMEOUT" });
    const { pauses } = await run.resume();
    expect(pauses).toHaveLength(1);
    expect((await run.answer(pauses![0]!.id, { outcome: "done" })).status).toBe("success");
    expect(began).toEqual(["charge"]);
  });

  test("in the next iteration, which is another execution", async () => {
    const keys: string[] = [];
    const count = defineBlock({
      type: "Count",
      effect: "once",
      execute: ({ iteration, nextIteration, idempotencyKey }) => {
        keys.push(idempotencyKey);
        return iteration < 3 ? nextIteration() : success({});
      },
    });
    const run = await executorFor(memoryStore(), [flow({ id: "c", type: "Count" })], { blocks: [count] }).start("flow");
    expect((await run.settled()).status).toBe("success");
    expect(new Set(keys).size).toBe(3);
  });

  test("a block whose outcome was stored in time asks nothing", async () => {
    const { blocks, began } = workshop();
    const store = memoryStore();
    const workflow = flow(once({ inputs: {} }), { id: "later", type: "Work", inputs: { ms: 50 }, dependsOn: ["charge"] });
    const host = fakeHost({ seed: (seed += 1) });
    const executor = executorFor(store, [workflow], { blocks, host });
    const run = await executor.start("flow");
    await expect.poll(() => host.sleeping).toBeGreaterThan(0);
    await executor.close();
    expect((await (await executorFor(store, [], { blocks }).open(run.id)).resume()).status).toBe("success");
    expect(began).toEqual(["charge", "later", "later#2"]);
  });
});

describe("D10: a block without such a promise", () => {
  test("is executed again with the same key and the next number, after each crash", async () => {
    const { blocks, began, keys } = workshop();
    const workflow = flow({ id: "a", type: "Work", inputs: { ms: 50 } });
    const { store, run } = await crashed(workflow, blocks);
    for (const expected of [
      ["a", "a#2"],
      ["a", "a#2", "a#3"],
    ]) {
      const host = fakeHost({ seed: (seed += 1) });
      const next = executorFor(store, [], { blocks, host });
      void (await next.open(run)).resume().catch(() => {});
      await expect.poll(() => began).toEqual(expected);
      await expect.poll(() => host.sleeping).toBeGreaterThan(0);
      await next.close();
    }
    expect((await (await executorFor(store, [], { blocks }).open(run)).resume()).status).toBe("success");
    expect(began).toEqual(["a", "a#2", "a#3", "a#4"]);
    expect(new Set(keys).size).toBe(1);
    expect(await types(store, run)).toEqual(["started", "recovered", "recovered", "recovered", "completed", "finished"]);
  });

  test("is not counted where it waits for an answer, and the run was no one's to execute", async () => {
    const { blocks, began } = workshop();
    const store = memoryStore();
    const executor = executorFor(store, [flow({ id: "q", type: "Ask" })], { blocks });
    const { pauses } = await (await executor.start("flow")).settled();
    await executor.close();
    expect((await executorFor(store, [], { blocks }).answer(pauses![0]!.id, "me")).status).toBe("success");
    expect(began).toEqual(["q", "q"]);
  });

  test("is not counted in a fork: it was not executed there", async () => {
    const { blocks, began } = workshop();
    const store = memoryStore();
    const workflow = flow({ id: "q", type: "Ask" }, { id: "w", type: "Work", dependsOn: ["q"] });
    const executor = executorFor(store, [workflow], { blocks });
    const { pauses } = await (await executor.start("flow")).settled();
    await executor.answer(pauses![0]!.id, "me");
    const [, wave] = (await executor.checkpoints.list({ limit: 10 })).items.filter(({ kind }) => kind === "wave");
    expect((await executor.resume(wave!.id, undefined, { fork: true })).status).toBe("success");
    expect(began).toEqual(["q", "q", "w", "w"]);
  });
});
