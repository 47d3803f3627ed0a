import { describe, expect, test } from "vitest";
import {
  createExecutor,
  defineBlock,
  failure,
  invalid,
  pause,
  success,
  type Block,
  type Entry,
  type ExecutorOptions,
  type RetryPolicy,
  type Store,
  type Workflow,
} from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";
import { workshop } from "../../support/workshop.ts";

function workflow(...blocks: readonly Block[]): Workflow {
  return { name: "flow", blocks };
}

const flaky = (fails: number, retry: RetryPolicy): Block => ({ id: "a", type: "Work", inputs: { fails }, retry });

let seed = 1;

/** An executor of its own, as another process or tab would have one. */
function executorFor(store: Store, flow: Workflow | undefined, options: Partial<ExecutorOptions>) {
  const workflows = flow ? [flow] : [];
  return createExecutor({ store, workflows, host: fakeHost({ autoAdvance: true, seed: (seed += 1) }), ...options });
}

async function entriesOf(store: Store, run: string): Promise<readonly Entry[]> {
  return (await store.read(run)).map((text) => JSON.parse(text) as Entry);
}

async function delays(policy: RetryPolicy, chance?: number): Promise<readonly number[]> {
  const { blocks } = workshop();
  const store = memoryStore();
  const host = { ...fakeHost({ autoAdvance: true }), ...(chance === undefined ? {} : { random: () => chance }) };
  const run = await executorFor(store, workflow(flaky(99, policy)), { blocks, host }).start("flow");
  await run.settled();
  return (await entriesOf(store, run.id)).flatMap((entry) => (entry.type === "attempted" ? [entry.until - entry.at] : []));
}

describe("a block that fails", () => {
  test("is tried again until it succeeds, and its attempts are counted", async () => {
    const { blocks, began, keys } = workshop();
    const flow: Workflow = {
      ...workflow(flaky(2, { maxAttempts: 5 }), {
        id: "b",
        type: "Work",
        inputs: { value: "${blocks.a.metadata.attempts}" },
        dependsOn: ["a"],
      }),
      outputs: { attempts: "${blocks.b.outputs.value}" },
    };
    const run = await executorFor(memoryStore(), flow, { blocks }).start("flow");
    expect(await run.settled()).toMatchObject({ status: "success", outputs: { attempts: 3 } });
    expect(began).toEqual(["a", "a#2", "a#3", "b"]);
    expect((await run.steps()).map(({ block, attempts }) => [block, attempts])).toEqual([
      ["a", 3],
      ["b", undefined],
    ]);
    expect(run.getSnapshot().waves[0]!.blocks[0]).toMatchObject({ status: "completed", attempts: 3 });
    expect(new Set(keys.slice(0, 3)).size).toBe(1);
  });

  test("fails for good after the last attempt, with the last error; a resumed run begins to count anew", async () => {
    const { blocks, began } = workshop();
    const run = await executorFor(memoryStore(), workflow(flaky(99, { maxAttempts: 2 })), { blocks }).start("flow");
    expect(await run.settled()).toMatchObject({ status: "failure", error: { message: expect.stringContaining("a failed in attempt 2") } });
    expect((await run.steps())[0]).toMatchObject({ status: "failed", attempts: 2 });
    expect((await run.resume()).status).toBe("failure");
    expect(began).toEqual(["a", "a#2", "a", "a#2"]);
  });

  test("is tried again after delays that grow, up to the longest", async () => {
    expect(await delays({ maxAttempts: 6, delayMs: 100, backoff: 3, maxDelayMs: 1_000 })).toEqual([100, 300, 900, 1_000, 1_000]);
    expect(await delays({ maxAttempts: 4 })).toEqual([1_000, 2_000, 4_000]);
    expect(await delays({ maxAttempts: 3, delayMs: 0 })).toEqual([0, 0]);
    expect((await delays({ maxAttempts: 10 })).at(-1)).toBe(60_000);
  });

  test("is tried again a little earlier by chance, where the policy says so", async () => {
    expect(await delays({ maxAttempts: 3, delayMs: 100, jitter: 0.5 }, 0.5)).toEqual([75, 150]);
    expect(await delays({ maxAttempts: 2, delayMs: 100, jitter: 1 }, 0)).toEqual([100]);
  });

  test("is seen waiting, with its error and the instant", async () => {
    const { blocks } = workshop();
    const host = fakeHost();
    const run = await executorFor(memoryStore(), workflow(flaky(1, { maxAttempts: 2, delayMs: 500 })), { blocks, host }).start("flow");
    await expect.poll(() => run.getSnapshot().waves[0]!.blocks[0]!.status).toBe("waiting");
    expect(run.getSnapshot()).toMatchObject({
      status: "running",
      waves: [{ blocks: [{ until: host.now() + 500, attempts: 1, error: { message: expect.stringContaining("attempt 1") } }] }],
    });
    expect(await run.steps()).toMatchObject([{ status: "waiting", attempts: 1, until: host.now() + 500 }]);
    await expect.poll(() => run.getSnapshot().active).toBe(false);
    await expect.poll(() => host.sleeping).toBe(1);
    await host.advance(500);
    expect((await run.settled()).status).toBe("success");
  });

  test("is not tried again where that would change nothing", async () => {
    const codes = ["BLOCK_INPUT_INVALID", "PATH_FORBIDDEN", "CAPABILITY_MISSING", "SECRET_MISSING"] as const;
    for (const code of codes) {
      let count = 0;
      const final = defineBlock({
        type: "Final",
        execute: () => {
          count += 1;
          return failure({ code, message: "no" });
        },
      });
      const flow = workflow({ id: "a", type: "Final", retry: { maxAttempts: 5 } });
      const run = await executorFor(memoryStore(), flow, { blocks: [final] }).start("flow");
      expect(await run.settled()).toMatchObject({ error: { code } });
      expect(count).toBe(1);
    }
  });

  test("is tried again for any value that it throws and for outputs no store can keep", async () => {
    let count = 0;
    const odd = defineBlock({
      type: "Odd",
      execute: async () => {
        count += 1;
        if (count === 1) throw new TypeError("boom");
        return success({ value: count === 2 ? () => 1 : "fine" });
      },
    });
    const flow = workflow({ id: "a", type: "Odd", retry: { maxAttempts: 5 } });
    const run = await executorFor(memoryStore(), flow, { blocks: [odd] }).start("flow");
    expect((await run.settled()).status).toBe("success");
    expect((await run.steps())[0]).toMatchObject({ attempts: 3, outputs: { value: "fine" } });
  });

  test("fails the run only after its last attempt, where another block has failed before", async () => {
    const { blocks, began } = workshop();
    const flow = workflow(flaky(1, { maxAttempts: 2 }), { id: "b", type: "Work", inputs: { fails: 9 } });
    const run = await executorFor(memoryStore(), flow, { blocks }).start("flow");
    expect(await run.settled()).toMatchObject({ error: { details: { block: "b" } } });
    expect(began).toEqual(["a", "b", "a#2"]);
  });
});

describe("attempts survive", () => {
  test("a crash in the middle of a delay: the next one comes at its instant, not later and not twice", async () => {
    const { blocks, began } = workshop();
    const store = memoryStore();
    const flow = workflow(flaky(3, { maxAttempts: 4, delayMs: 1_000, backoff: 1 }));
    const host = fakeHost();
    const first = executorFor(store, flow, { blocks, host });
    const run = await first.start("flow");
    await expect.poll(() => host.sleeping).toBe(1);
    await host.advance(400);
    await first.close();
    expect(host.sleeping).toBe(0);
    const later = fakeHost({ seed: 99, startAt: host.now() });
    const again = await executorFor(store, undefined, { blocks, host: later }).open(run.id);
    const result = again.resume();
    await expect.poll(() => later.sleeping).toBeGreaterThan(0);
    await later.advance(599);
    expect(began).toEqual(["a"]);
    await later.advance(1);
    await expect.poll(() => began).toEqual(["a", "a#2"]);
    await later.advance(10_000);
    expect((await result).status).toBe("success");
    expect((await again.steps())[0]).toMatchObject({ attempts: 4 });
  });

  test("a crash in the middle of an attempt: it is made again under the next number and the same key, and does not count as a failure", async () => {
    const { blocks, began, keys } = workshop();
    const store = memoryStore();
    const flow = workflow({ id: "a", type: "Work", inputs: { fails: 2, ms: 50 }, retry: { maxAttempts: 3, delayMs: 10 } });
    const host = fakeHost();
    const first = executorFor(store, flow, { blocks, host });
    const run = await first.start("flow");
    await expect.poll(() => host.sleeping).toBe(1);
    await host.advance(50);
    await expect.poll(() => run.getSnapshot().waves[0]!.blocks[0]!.status).toBe("waiting");
    await expect.poll(() => host.sleeping).toBe(1);
    await host.advance(10);
    await expect.poll(() => began).toEqual(["a", "a#2"]);
    await first.close();
    const result = await (
      await executorFor(store, undefined, { blocks, host: fakeHost({ autoAdvance: true, seed: 99, startAt: host.now() }) }).open(run.id)
    ).resume();
    expect(result.status).toBe("success");
    expect(began).toEqual(["a", "a#2", "a#3"]);
    expect(new Set(keys).size).toBe(1);
  });

  test("two executors that wait for the same instant: one of them makes the attempt", async () => {
    const { blocks, began } = workshop();
    const store = memoryStore();
    const flow = workflow(flaky(1, { maxAttempts: 2, delayMs: 100 }));
    const host = fakeHost();
    const run = await executorFor(store, flow, { blocks, host }).start("flow");
    await expect.poll(() => run.getSnapshot().active).toBe(false);
    const others = [1, 2].map(() => executorFor(store, undefined, { blocks, host }));
    const runs = await Promise.all(others.map((executor) => executor.open(run.id)));
    const results = Promise.all([run.settled(), ...runs.map((other) => other.resume())]);
    await expect.poll(() => host.sleeping).toBeGreaterThan(5);
    await host.advance(100);
    await host.advance(5_000);
    expect((await results).map(({ status }) => status)).toEqual(["success", "success", "success"]);
    expect(began).toEqual(["a", "a#2"]);
  });
});

describe("between two attempts", () => {
  test("the run is not forgotten where the instant comes while it is put to rest", async () => {
    const { blocks, began } = workshop();
    const host = fakeHost();
    const memory = memoryStore();
    const store: Store = {
      ...memory,
      async claim(run) {
        const release = await memory.claim(run);
        return release && (() => host.advance(1_000).then(release));
      },
    };
    const run = await executorFor(store, workflow(flaky(2, { maxAttempts: 3, delayMs: 10 })), { blocks, host }).start("flow");
    await expect.poll(() => run.getSnapshot().status).toBe("completed");
    expect(began).toEqual(["a", "a#2", "a#3"]);
  });

  test.each(["cancel", "close"] as const)("%s leaves no timer", async (how) => {
    const { blocks, began } = workshop();
    const host = fakeHost();
    const executor = executorFor(memoryStore(), workflow(flaky(1, { maxAttempts: 2, delayMs: 86_400_000, maxDelayMs: 86_400_000 })), {
      blocks,
      host,
    });
    const run = await executor.start("flow");
    await expect.poll(() => host.sleeping).toBe(1);
    await (how === "cancel" ? run.cancel() : executor.close());
    expect(host.sleeping).toBe(0);
    await host.advance(86_400_000);
    expect(began).toEqual(["a"]);
  });

  test("a question beside it can be answered", async () => {
    const { blocks } = workshop();
    const host = fakeHost();
    const flow = workflow(flaky(1, { maxAttempts: 2, delayMs: 1_000 }), { id: "q", type: "Ask", inputs: {} });
    const run = await executorFor(memoryStore(), flow, { blocks, host }).start("flow");
    const { pauses } = await run.settled();
    expect(run.getSnapshot().status).toBe("paused");
    const answered = run.answer(pauses![0]!.id, "yes");
    await expect.poll(() => run.getSnapshot().waves[0]!.blocks.map(({ status }) => status)).toEqual(["waiting", "completed"]);
    expect(run.getSnapshot().status).toBe("running");
    await host.advance(1_000);
    expect((await answered).status).toBe("success");
  });
});

describe("a block that fails while it works on an answer", () => {
  test("is tried again with that answer, and does not ask again", async () => {
    const { blocks, began } = workshop();
    const store = memoryStore();
    const flow = workflow({ id: "q", type: "Ask", inputs: { fails: 2 }, retry: { maxAttempts: 3 } });
    const run = await executorFor(store, flow, { blocks }).start("flow");
    const { pauses } = await run.settled();
    expect(await run.answer(pauses![0]!.id, "forty-two")).toMatchObject({ status: "success" });
    expect((await run.steps())[0]).toMatchObject({ attempts: 3, outputs: { answer: "forty-two" } });
    expect(began).toEqual(["q", "q", "q#2", "q#3"]);
    expect((await entriesOf(store, run.id)).filter(({ type }) => type === "paused")).toHaveLength(1);
  });

  test("keeps the answer over a crash in the delay", async () => {
    const { blocks } = workshop();
    const store = memoryStore();
    const host = fakeHost();
    const flow = workflow({ id: "q", type: "Ask", inputs: { fails: 1 }, retry: { maxAttempts: 2, delayMs: 5_000 } });
    const first = executorFor(store, flow, { blocks, host });
    const run = await first.start("flow");
    const { pauses } = await run.settled();
    run.answer(pauses![0]!.id, "forty-two").catch(() => {});
    await expect.poll(() => run.getSnapshot().waves[0]!.blocks[0]!.status).toBe("waiting");
    await first.close();
    const later = fakeHost({ autoAdvance: true, seed: 99, startAt: host.now() + 60_000 });
    const again = await executorFor(store, undefined, { blocks, host: later }).open(run.id);
    expect(await again.resume()).toMatchObject({ status: "success" });
    expect((await again.steps())[0]).toMatchObject({ outputs: { answer: "forty-two" } });
  });

  test("may refuse it in a later attempt: then the question is open again", async () => {
    const picky = defineBlock({
      type: "Picky",
      execute: () => pause({ prompt: "?" }),
      resume: ({ attempt, response }) =>
        response === "good" ? success({ response }) : attempt === 1 ? failure("not now") : invalid("That will not do."),
    });
    const flow = workflow({ id: "q", type: "Picky", retry: { maxAttempts: 3 } });
    const store = memoryStore();
    const run = await executorFor(store, flow, { blocks: [picky] }).start("flow");
    const { pauses } = await run.settled();
    expect(await run.answer(pauses![0]!.id, "bad")).toMatchObject({ status: "failure", error: { code: "RESPONSE_INVALID" } });
    expect(run.getSnapshot()).toMatchObject({ status: "paused", pauses: [{ id: pauses![0]!.id }] });
    // What the store has says the same.
    const again = await executorFor(store, undefined, { blocks: [picky] }).open(run.id);
    expect(await again.answer(pauses![0]!.id, "good")).toMatchObject({ status: "success" });
  });
});

describe("a block that calls a workflow", () => {
  const call = (retry: RetryPolicy): Block => ({ id: "call", type: "ExecuteWorkflow", inputs: { workflow: "kid" }, retry });

  test("lets the run that failed go on: what was done there is kept", async () => {
    const { blocks, began } = workshop();
    let broken = 2;
    const odd = defineBlock({ type: "Odd", execute: () => (broken-- > 0 ? failure("odd") : success({})) });
    const kid: Workflow = {
      name: "kid",
      blocks: [
        { id: "done", type: "Work" },
        { id: "odd", type: "Odd", dependsOn: ["done"] },
      ],
    };
    const executor = createExecutor({
      store: memoryStore(),
      blocks: [...blocks, odd],
      workflows: [workflow(call({ maxAttempts: 3 })), kid],
      host: fakeHost({ autoAdvance: true }),
    });
    const run = await executor.start("flow");
    expect((await run.settled()).status).toBe("success");
    expect((await run.steps())[0]).toMatchObject({ attempts: 3 });
    expect(began).toEqual(["done"]);
  });

  test("asks again what was open in the run that failed", async () => {
    let broken = 1;
    const odd = defineBlock({
      type: "Odd",
      execute: ({ block }) => pause({ prompt: block }),
      resume: ({ block, response }) => (block === "q1" && broken-- > 0 ? failure("odd") : success({ response })),
    });
    const kid: Workflow = {
      name: "kid",
      blocks: [
        { id: "q1", type: "Odd" },
        { id: "q2", type: "Odd" },
      ],
      outputs: { both: "${blocks.q1.response}${blocks.q2.response}" },
    };
    const executor = createExecutor({
      store: memoryStore(),
      blocks: [odd],
      workflows: [{ ...workflow(call({ maxAttempts: 2 })), outputs: { both: "${blocks.call.both}" } }, kid],
      host: fakeHost({ autoAdvance: true }),
    });
    const run = await executor.start("flow");
    let result = await run.settled();
    expect(result.pauses?.map(({ prompt }) => prompt)).toEqual(["q1", "q2"]);
    result = await run.answer(result.pauses![0]!.id, "lost");
    // The answer was worked on by a block that failed: the block asks anew, and the other question stands as it did.
    expect(result.pauses?.map(({ prompt }) => prompt).toSorted()).toEqual(["q1", "q2"]);
    const answers = Object.fromEntries(result.pauses!.map(({ id, prompt }) => [id, prompt]));
    expect(await run.answer(answers)).toMatchObject({ status: "success", outputs: { both: "q1q2" } });
  });

  test("tries a run that failed after an answer only as often as the policy says", async () => {
    let count = 0;
    const odd = defineBlock({
      type: "Odd",
      execute: () => {
        count += 1;
        return failure("odd");
      },
    });
    const kid: Workflow = {
      name: "kid",
      blocks: [
        { id: "q", type: "GetInput", inputs: { prompt: "?" } },
        { id: "odd", type: "Odd", dependsOn: ["q"] },
      ],
    };
    const executor = createExecutor({
      store: memoryStore(),
      blocks: [odd],
      workflows: [workflow(call({ maxAttempts: 3 })), kid],
      host: fakeHost({ autoAdvance: true }),
    });
    const run = await executor.start("flow");
    const { pauses } = await run.settled();
    expect((await run.answer(pauses![0]!.id, "x")).status).toBe("failure");
    expect(count).toBe(3);
    expect((await run.resume()).status).toBe("failure");
    expect(count).toBe(6);
  });
});

test("each item of a block is tried again by itself", async () => {
  const { blocks, began } = workshop();
  const flow = workflow({
    id: "each",
    type: "Work",
    forEach: [0, 2, 1],
    inputs: { fails: "${each.value}" },
    retry: { maxAttempts: 3, delayMs: 100 },
  });
  const run = await executorFor(memoryStore(), flow, { blocks }).start("flow");
  expect((await run.settled()).status).toBe("success");
  expect(began).toEqual(["each[0]", "each[1]", "each[2]", "each[1]#2", "each[2]#2", "each[1]#3"]);
  expect(run.getSnapshot().waves[0]!.blocks[0]!.items!.map(({ attempts }) => attempts)).toEqual([undefined, 3, 2]);
});
