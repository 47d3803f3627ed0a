import { describe, expect, expectTypeOf, test } from "vitest";
import {
  createExecutor,
  defineBlock,
  failure,
  pause,
  success,
  type Block,
  type BlockContext,
  type BlockResult,
  type BlockType,
  type ExecutorOptions,
  type Store,
  type Workflow,
} from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";
import { sharedStore } from "../../support/shared-store.ts";

type Context = BlockContext<{ readonly [name: string]: unknown }>;
type Result = BlockResult<{ readonly [name: string]: unknown }>;

/** A block type `Keep` whose work the test gives, and what it made: the idempotency keys, without the run. */
function keeper(work: (context: Context, make: (...values: readonly unknown[]) => (key: string) => unknown) => Result | Promise<Result>) {
  const made: string[] = [];
  const make = (...values: readonly unknown[]) => {
    return (key: string) => {
      made.push(key.replace(/^run_\w+\//, ""));
      return values.length === 0 ? "made" : values[0];
    };
  };
  return { made, type: defineBlock({ type: "Keep", execute: (context) => work(context, make) }) };
}

const keep = (more: Partial<Block> = {}): Block => ({ id: "a", type: "Keep", ...more });
const ask = (id: string): Block => ({ id, type: "GetInput", inputs: { prompt: id } });
const flowOf = (blocks: readonly Block[], more: Partial<Workflow> = {}): Workflow => ({ name: "flow", blocks, ...more });

function executorFor(
  store: Store,
  flow: Workflow,
  type: BlockType,
  { seed = 1, ...options }: Partial<ExecutorOptions> & { seed?: number } = {},
) {
  return createExecutor({ store, workflows: [flow], blocks: [type], host: fakeHost({ autoAdvance: true, seed }), ...options });
}

const journalOf = async (store: Store, run: string) => (await store.read(run)).map((text) => JSON.parse(text) as { type: string });

describe("a result under a key", () => {
  test("is there in the attempt that follows a failure, and in later iterations", async () => {
    const seen: unknown[] = [];
    const { type, made } = keeper(async ({ once, attempt, iteration, nextIteration }, make) => {
      seen.push(await once("weather", make({ sky: "blue" })));
      if (attempt === 1) return failure("not yet");
      return iteration < 3 ? nextIteration() : success({});
    });
    const run = await executorFor(memoryStore(), flowOf([keep({ retry: { maxAttempts: 2 } })]), type).start("flow");
    expect(await run.settled()).toMatchObject({ status: "success" });
    expect(made).toEqual(["a/weather"]);
    expect(seen).toEqual(Array.from({ length: 6 }, () => ({ sky: "blue" })));
  });

  test("is stored before it is given, with every durability", async () => {
    for (const policy of [{}, { durability: "sync" }, { durability: "exit", retention: "latest" }] as const) {
      const store = memoryStore();
      let there: unknown;
      const { type } = keeper(async ({ once, run }, make) => {
        await once("k", make(7));
        there = (await journalOf(store, run)).at(-1);
        return success({});
      });
      await (await executorFor(store, flowOf([keep()]), type, { policy }).start("flow")).settled();
      expect(there).toMatchObject({ type: "memoized", block: "a", key: "k", value: 7 });
    }
  });

  test("is there in another process, after the one that made it has died", async () => {
    const open = sharedStore(memoryStore());
    let waits = true;
    let kept = (): void => {};
    const isKept = new Promise<void>((resolve) => (kept = resolve));
    const { type, made } = keeper(async ({ once, signal }, make) => {
      const first = await once("one", make(new Date(5)));
      kept();
      if (waits) await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));
      return success({ first, second: await once("two", make()) });
    });
    const first = executorFor(open(), flowOf([keep()]), type);
    const { id } = await first.start("flow");
    await isKept;
    await first.close();
    waits = false;
    const run = await executorFor(open(), flowOf([keep()]), type, { seed: 2 }).open(id);
    expect(await run.resume()).toMatchObject({ status: "success" });
    expect(made).toEqual(["a/one", "a/two"]);
    expect(await run.steps()).toMatchObject([{ outputs: { first: new Date(5), second: "made" } }]);
  });

  test("is made once by two calls at the same time, and anew after one that failed, with the same key for services", async () => {
    let fails = true;
    const keys: string[] = [];
    const { type } = keeper(async ({ once }) => {
      const make = async (key: string) => {
        keys.push(key.replace(/^run_\w+\//, ""));
        if (fails) throw new Error("down");
        return keys.length;
      };
      const failed = await Promise.allSettled([once("k", make), once("k", make)]);
      expect(failed).toMatchObject([{ status: "rejected", reason: { message: "down" } }, { status: "rejected" }]);
      fails = false;
      const both = await Promise.all([once("k", make), once("k", make)]);
      return success({ both });
    });
    const run = await executorFor(memoryStore(), flowOf([keep()]), type).start("flow");
    await run.settled();
    expect(await run.steps()).toMatchObject([{ outputs: { both: [2, 2] } }]);
    expect(keys).toEqual(["a/k", "a/k"]);
  });

  test("belongs to the item, the block and the run", async () => {
    const { type, made } = keeper(async ({ once }, make) => success({ got: await once("k", make(1)) }));
    const flow = flowOf([keep({ forEach: [1, 2] }), keep({ id: "b" })]);
    const executor = executorFor(memoryStore(), flow, type);
    for (let i = 0; i < 2; i++) await (await executor.start("flow")).settled();
    expect(made.toSorted()).toEqual(["a[0]/k", "a[0]/k", "a[1]/k", "a[1]/k", "b/k", "b/k"]);
  });

  test("may be anything that outputs may be, and nothing else", async () => {
    const values = [undefined, null, 0, new Map([[1n, new Uint8Array([3])]]), [Number.NaN, { a: new Set(["x"]) }]];
    const good = keeper(async ({ once, attempt }, make) => {
      const got: unknown[] = [];
      for (const [i, value] of values.entries()) got.push(await once(`v${i}`, make(value)));
      return attempt === 1 ? failure("again") : success({ got });
    });
    const run = await executorFor(memoryStore(), flowOf([keep({ retry: { maxAttempts: 2 } })]), good.type).start("flow");
    await run.settled();
    expect(good.made).toHaveLength(values.length);
    expect((await run.steps())[0]!.outputs!["got"]).toEqual(values);
    const wrong: readonly (readonly [unknown, string])[] = [
      [() => 1, "VALUE_UNSERIALIZABLE"],
      ["x".repeat(2_000_000), "LIMIT_EXCEEDED"],
    ];
    for (const [value, code] of wrong) {
      const { type } = keeper(async ({ once }, make) => success({ got: await once("k", make(value)) }));
      const result = await (await executorFor(memoryStore(), flowOf([keep()]), type).start("flow")).settled();
      expect(result).toMatchObject({ status: "failure", error: { code } });
    }
  });

  test("is frozen, so that no block changes what the next one is given", async () => {
    const { type } = keeper(async ({ once }, make) => success({ isFrozen: Object.isFrozen(await once("k", make({ a: 1 }))) }));
    const run = await executorFor(memoryStore(), flowOf([keep()]), type).start("flow");
    await run.settled();
    expect(await run.steps()).toMatchObject([{ outputs: { isFrozen: true } }]);
  });

  test.each([undefined, "", "k".repeat(257), 5])("is refused under the key %j", async (key) => {
    const { type, made } = keeper(async ({ once }, make) => success({ got: await once(key as string, make()) }));
    const result = await (await executorFor(memoryStore(), flowOf([keep()]), type).start("flow")).settled();
    expect(result).toMatchObject({ status: "failure", error: { code: "OUTPUT_INVALID", message: expect.stringContaining("256") } });
    expect(made).toEqual([]);
  });

  test("is typed by what makes it", () => {
    type Once = Context["once"];
    expectTypeOf<ReturnType<Once>>().toEqualTypeOf<Promise<unknown>>();
    const check = (once: Once) => expectTypeOf(once("k", async () => 5)).toEqualTypeOf<Promise<number>>();
    expect(check).toBeTypeOf("function");
  });

  test("is not stored by an execution that has ended, and that is said", async () => {
    let late: Promise<unknown> | undefined;
    const { type } = keeper(({ once, host }, make) => {
      late = host.sleep(10).then(() => once("late", make()));
      late.catch(() => {});
      return success({});
    });
    const store = memoryStore();
    const run = await executorFor(store, flowOf([keep()]), type).start("flow");
    await run.settled();
    await expect(late).rejects.toMatchObject({ code: "ABORTED" });
    expect((await journalOf(store, run.id)).map((entry) => entry.type)).not.toContain("memoized");
  });

  test("of an attempt that ran out of time counts, and is made once", async () => {
    const host = fakeHost();
    const { type, made } = keeper(async ({ once, attempt, host: { sleep } }, make) => {
      const slow = async (key: string) => {
        await sleep(20_000);
        return make(attempt)(key);
      };
      return success({ got: await (attempt === 1 ? once("k", slow) : sleep(30_000).then(() => once("k", slow))) });
    });
    const flow = flowOf([keep({ timeoutMs: 10_000, retry: { maxAttempts: 2, delayMs: 1 } }), ask("q")]);
    const run = await executorFor(memoryStore(), flow, type, { host }).start("flow");
    for (let i = 0; i < 60; i++) await host.advance(1_000);
    expect(made).toEqual(["a/k"]);
    await run.cancel();
  });
});

describe("after a revision", () => {
  const flow = (prompt: string): Workflow =>
    flowOf([
      ask("q"),
      keep({ dependsOn: ["q"], inputs: { said: "${blocks.q.outputs.input_value}" } }),
      { ...ask(prompt), dependsOn: ["a"] },
    ]);

  async function answered(type: BlockType) {
    const run = await executorFor(memoryStore(), flow("last"), type).start("flow");
    const { pauses } = await run.settled();
    await run.answer(pauses![0]!.id, "A");
    return { run, pause: pauses![0]!.id };
  }

  test("other inputs count anew, also when the first ones come back, so that a service gets its call again", async () => {
    const { type, made } = keeper(async ({ once, inputs }, make) => success({ got: await once("put", make(inputs["said"])) }));
    const { run, pause: question } = await answered(type);
    await run.revise(question, "B");
    await run.revise(question, "A");
    expect(made).toEqual(["a/put", "a~1/put", "a~2/put"]);
    expect((await run.steps()).find(({ block }) => block === "a")).toMatchObject({ outputs: { got: "A" } });
  });

  test("equal inputs have what was stored", async () => {
    let broken = true;
    const { type, made } = keeper(async ({ once }, make) => {
      await once("k", make());
      return broken ? failure("broken") : success({});
    });
    const run = await executorFor(memoryStore(), flow("last"), type).start("flow");
    const { pauses } = await run.settled();
    expect(await run.answer(pauses![0]!.id, "A")).toMatchObject({ status: "failure" });
    broken = false;
    await run.back();
    const again = await run.settled();
    expect(await run.answer(again.pauses![0]!.id, "A")).toMatchObject({ status: "paused" });
    expect(made).toEqual(["a/k"]);
  });

  test("of the block's own answer, what was stored before the question holds, and what came after it does not", async () => {
    const made: string[] = [];
    const make = (name: string) => () => {
      made.push(name);
      return name;
    };
    const type = defineBlock({
      type: "Keep",
      async execute({ once }) {
        await once("before", make("before"));
        return pause({ prompt: "?" });
      },
      async resume({ once, response }) {
        await once("before", make("before"));
        return success({ got: await once("after", make(`after ${String(response)}`)) });
      },
    });
    const run = await executorFor(memoryStore(), flowOf([keep(), { ...ask("last"), dependsOn: ["a"] }]), type).start("flow");
    const { pauses } = await run.settled();
    await run.answer(pauses![0]!.id, "A");
    await run.revise(pauses![0]!.id, "B");
    expect(made).toEqual(["before", "after A", "after B"]);
  });
});

describe("the journal of results under keys", () => {
  test("is carried by a fork up to its checkpoint", async () => {
    const { type, made } = keeper(async ({ once, iteration, nextIteration }, make) => {
      await once("k", make());
      return iteration === 1 ? nextIteration() : success({});
    });
    const executor = executorFor(memoryStore(), flowOf([ask("q"), keep({ dependsOn: ["q"] })]), type);
    const run = await executor.start("flow");
    const { pauses } = await run.settled();
    await run.answer(pauses![0]!.id, "x");
    expect(made).toHaveLength(1);
    const { items } = await executor.checkpoints.list({ run: run.id, kind: "wave" });
    const afterFirst = await executor.fork(items.at(-2)!.id);
    expect(await afterFirst.settled()).toMatchObject({ status: "success" });
    expect(made).toHaveLength(1);
    const before = await executor.fork(pauses![0]!.id, { answers: { [pauses![0]!.id]: "x" } });
    expect(await before.settled()).toMatchObject({ status: "success" });
    expect(made).toHaveLength(2);
  });

  test("is let go with the step, where no answer can open it again", async () => {
    const store = memoryStore();
    const { type } = keeper(async ({ once, block }, make) => {
      await once("k", make(`the result of ${block}`));
      return success({});
    });
    const policy = { retention: "latest" } as const;
    const run = await executorFor(store, flowOf([keep(), keep({ id: "b", dependsOn: ["a"] })]), type, { policy }).start("flow");
    await run.settled();
    expect((await store.read(run.id)).join("\n")).not.toContain("the result of");
  });

  test("grows by the same with each of 1,000 iterations that stores one", async () => {
    const store = memoryStore();
    const { type, made } = keeper(async ({ once, iteration, nextIteration }, make) => {
      const got = await once(`tool ${iteration}`, make("x".repeat(100)));
      if (iteration > 1) await once("tool 1", make());
      return iteration < 1_000 ? nextIteration() : success({ got });
    });
    const run = await executorFor(store, flowOf([keep({ maxIterations: 1_000 })]), type).start("flow");
    expect(await run.settled()).toMatchObject({ status: "success" });
    expect(made).toHaveLength(1_000);
    const entries = await store.read(run.id);
    const lengths = entries.filter((text) => text.startsWith('{"type":"memoized"')).map((text) => text.length);
    expect(lengths).toHaveLength(1_000);
    expect(Math.max(...lengths) - Math.min(...lengths)).toBeLessThan(16);
  });
});

describe("a result with secrets", () => {
  const flow = flowOf([keep({ retry: { maxAttempts: 3, delayMs: 1_000 } })]);
  const granting = () =>
    keeper(async ({ once, attempt }, make) => {
      const granted = (await once("login", make({ token: "s3cr3t-value" }))) as { readonly token: string };
      return attempt === 1 ? failure("later") : success({ length: granted.token.length, isIt: granted.token === "s3cr3t-value" });
    });

  test("has them in memory alone", async () => {
    const store = memoryStore();
    const { type, made } = granting();
    const run = await executorFor(store, flow, type).start("flow");
    expect(await run.settled()).toMatchObject({ status: "success" });
    expect(await run.steps()).toMatchObject([{ outputs: { isIt: true } }]);
    expect(made).toHaveLength(1);
    expect((await store.read(run.id)).join("\n")).not.toContain("s3cr3t");
  });

  test("asks the provider for them in another process, and says what it lacks where there is none", async () => {
    const open = sharedStore(memoryStore());
    const host = fakeHost();
    const { type, made } = granting();
    const first = executorFor(open(), flow, type, { host });
    const { id } = await first.start("flow");
    await expect.poll(() => made.length).toBe(1);
    await expect.poll(async () => (await open().read(id)).length).toBe(3);
    await first.close();
    const without = await executorFor(open(), flow, type, { seed: 2 }).open(id);
    await expect(without.resume()).rejects.toMatchObject({ code: "SECRET_MISSING", details: { key: "token" } });
    const asked: string[] = [];
    const secrets = (name: string) => {
      asked.push(name);
      return "s3cr3t-value";
    };
    const run = await executorFor(open(), flow, type, { seed: 3, secrets }).open(id);
    expect(await run.resume()).toMatchObject({ status: "success" });
    expect(asked).toContain("a.login.token");
    expect(made).toHaveLength(1);
  });
});
