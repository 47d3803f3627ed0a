import { describe, expect, test } from "vitest";
import {
  createExecutor,
  defineBlock,
  pause,
  success,
  type Block,
  type BlockContext,
  type BlockResult,
  type BlockType,
  type ExecutorOptions,
  type RunEvent,
  type Store,
  type Values,
  type Workflow,
} from "wavepoint";
import { encryptedStore } from "wavepoint/encryption";
import { memoryStore } from "wavepoint/store/memory";
import { failAt, fakeHost, faultyStore } from "wavepoint/testing";

type Context = BlockContext<{ readonly [name: string]: unknown }>;
type Work = (
  context: Context,
) => BlockResult<{ readonly [name: string]: unknown }> | Promise<BlockResult<{ readonly [name: string]: unknown }>>;

const HOUR_MS = 3_600_000;
const look = (more: Partial<Block> = {}): Block => ({
  id: "a",
  type: "Look",
  inputs: { at: "${inputs.at}" },
  cache: { ttlMs: HOUR_MS },
  ...more,
});
const flowOf = (blocks: readonly Block[], more: Partial<Workflow> = {}): Workflow => ({
  name: "flow",
  inputs: { at: { type: "string", default: "here" } },
  blocks,
  ...more,
});

/** A block type `Look`, and what its blocks were given when they were executed. */
function looker(work: Work = ({ inputs }) => success({ seen: `${String(inputs["at"])}!` }), more: Partial<BlockType> = {}) {
  const executed: unknown[] = [];
  const type = defineBlock({
    type: "Look",
    ...(more as object),
    execute: (context: Context) => {
      executed.push(context.inputs["at"]);
      return work(context);
    },
  });
  return { executed, type };
}

/** Work that does something, and gives nothing. */
function after(act: (context: Context) => unknown): Work {
  return async (context) => {
    await act(context);
    return success({});
  };
}

let seed = 0;

function executorFor(store: Store, flow: Workflow, types: readonly BlockType[], options: Partial<ExecutorOptions> = {}) {
  seed += 1;
  return createExecutor({ store, workflows: [flow], blocks: types, host: fakeHost({ autoAdvance: true, seed }), ...options });
}

/** Runs a flow to its end in an executor of its own. */
async function play(
  store: Store,
  flow: Workflow,
  type: BlockType,
  { inputs, ...options }: Partial<ExecutorOptions> & { inputs?: Values } = {},
) {
  const run = await executorFor(store, flow, [type], options).start("flow", inputs);
  const result = await run.settled();
  return { run, result, steps: await run.steps() };
}

describe("S3.39: what a block gave", () => {
  test("is taken over by another run of another executor, which says from where", async () => {
    const store = memoryStore();
    const { type, executed } = looker();
    const flow = flowOf([look(), look({ id: "b", inputs: { at: "${blocks.a.outputs.seen}" }, dependsOn: ["a"] })]);
    const first = await play(store, flow, type);
    const second = await play(store, flow, type);
    expect(executed).toEqual(["here", "here!"]);
    expect(second.result).toMatchObject({ status: "success" });
    const from = { run: first.run.id, at: first.steps[0]!.at };
    expect(first.steps.map(({ cached }) => cached)).toEqual([undefined, undefined]);
    expect(second.steps[0]).toMatchObject({ status: "completed", outputs: { seen: "here!" }, cached: from });
    expect(second.run.getSnapshot().waves[0]!.blocks[0]).toMatchObject({ status: "completed", cached: from });
    // It is an entry like all others: a reader in another process sees the same.
    const again = await executorFor(store, flow, [type]).open(second.run.id);
    expect(await again.steps()).toEqual(second.steps);
  });

  test.each<[string, Partial<Block>, { readonly inputs?: Values; readonly type?: BlockType }]>([
    ["other inputs", {}, { inputs: { at: "there" } }],
    ["the same value by another reference", { inputs: { at: "here" } }, {}],
    ["another version of its code", {}, { type: looker(undefined, { cacheVersion: 2 }).type }],
    ["no cache", { cache: undefined as never }, {}],
  ])("is not taken over with %s", async (_what, more, { inputs, type }) => {
    const store = memoryStore();
    const { type: own } = looker();
    await play(store, flowOf([look()]), own);
    const { cache, ...block } = look(more);
    const { steps } = await play(store, flowOf([cache ? look(more) : block]), type ?? own, inputs && { inputs });
    expect(steps[0]!.cached).toBeUndefined();
  });

  test("is taken over with another id, retry, dependencies and time limit", async () => {
    const store = memoryStore();
    const { type, executed } = looker();
    await play(store, flowOf([look()]), type);
    const other = look({ id: "other", dependsOn: ["before"], retry: { maxAttempts: 3 }, timeoutMs: 1_000, priority: 2 });
    const { steps } = await play(store, flowOf([{ id: "before", type: "EchoBlock", inputs: { message: "x" } }, other]), type);
    expect([executed, steps[1]!.cached !== undefined]).toEqual([["here"], true]);
  });

  test("holds as long as the block that is to take it over says", async () => {
    const store = memoryStore();
    const { type, executed } = looker();
    const host = fakeHost({ seed: 99 });
    const short = flowOf([look({ cache: { ttlMs: 1_000 } })]);
    await play(store, flowOf([look()]), type, { host });
    await host.advance(999);
    await play(store, short, type, { host });
    expect(executed).toHaveLength(1);
    await host.advance(1);
    await play(store, short, type, { host });
    expect(executed).toHaveLength(2);
  });

  test("is kept for each item of a list, wherever it stands there", async () => {
    const store = memoryStore();
    const { type, executed } = looker();
    const flow = (items: readonly string[]): Workflow => flowOf([look({ forEach: [...items], inputs: { at: "${each.value}" } })]);
    await play(store, flow(["x", "y"]), type);
    const { result, steps } = await play(store, flow(["z", "y", "x"]), type);
    expect([executed, result.status]).toEqual([["x", "y", "z"], "success"]);
    expect(
      steps
        .map(({ item, outputs, cached }) => [item, outputs?.["seen"], cached !== undefined])
        .slice(0, 3)
        .toSorted(),
    ).toEqual([
      [0, "z!", false],
      [1, "y!", true],
      [2, "x!", true],
    ]);
  });

  test("depends on what its code reads of channels, and is written to channels as the workflow says", async () => {
    const store = memoryStore();
    const { type, executed } = looker(({ channels }) => success({ seen: channels.get("factor") }), { channels: { reads: ["factor"] } });
    const flow = (factor: number): Workflow =>
      flowOf([look({ writes: { sum: "${blocks.a.outputs.seen}" } })], {
        channels: { factor: { type: "number", default: factor }, sum: { type: "number", reduce: "sum" } },
      });
    await play(store, flow(1), type);
    const { run, steps } = await play(store, flow(1), type);
    expect([executed.length, steps[0]!.cached !== undefined, run.getSnapshot().channels]).toEqual([1, true, { factor: 1, sum: 1 }]);
    await play(store, flow(2), type);
    expect(executed).toHaveLength(2);
  });

  test("may be a value that JSON cannot hold", async () => {
    const store = memoryStore();
    const { type, executed } = looker(() => success({ when: new Date(5), many: new Map([[1, 2n]]) }));
    await play(store, flowOf([look()]), type);
    const { steps } = await play(store, flowOf([look()]), type);
    expect([executed.length, steps[0]!.outputs]).toEqual([1, { when: new Date(5), many: new Map([[1, 2n]]) }]);
  });
});

describe("nothing is kept", () => {
  const large = "x".repeat(70_000);
  test.each<[string, Work]>([
    ["where the code wrote to a channel", after(({ channels }) => channels.write("log", "x"))],
    ["where it wrote a file", after(({ files }) => files.write("a.txt", new Uint8Array([1])))],
    ["where it looked at files", async ({ files }) => success({ files: (await files.list()).length })],
    ["where it stored a result in its run", async ({ once }) => success({ got: await once("k", () => 1) })],
    ["where it added blocks", after(({ add }) => add({ id: "more", type: "EchoBlock", inputs: { message: "x" } }))],
    ["where it asked for a checkpoint", after(({ checkpoint }) => checkpoint())],
    ["where it asked which item it has", ({ item }) => success({ item: item?.index ?? null })],
    ["where it ran again", ({ iteration, nextIteration }) => (iteration === 1 ? nextIteration() : success({ iteration }))],
    ["of what is larger than 64 kB", () => success({ large })],
    ["of large bytes", () => success({ bytes: new Uint8Array(1_048_577) })],
    ["of what stands under a secret key", () => success({ password: "open sesame" })],
    ["of a failure", () => ({ status: "failure", error: { code: "BLOCK_FAILED", message: "no" } })],
  ])("%s", async (_what, work) => {
    const store = memoryStore();
    const flow = flowOf([look({ continueOnError: true })], { channels: { log: { type: "array", reduce: "append" } } });
    const { type, executed } = looker(work, { channels: { writes: ["log"] } });
    await play(store, flow, type);
    const before = executed.length;
    const { steps } = await play(store, flow, type);
    expect([executed.length, steps[0]!.cached]).toEqual([before * 2, undefined]);
  });

  test("of what a secret was given for, or a secret stands in", async () => {
    const store = memoryStore();
    const token = "token-of-long-life";
    // The secret comes from another block, under a name that says so, and goes on under one that does not.
    const { type, executed } = looker();
    const give = defineBlock({ type: "Give", execute: () => success({ password: token }) });
    const flow = flowOf([{ id: "give", type: "Give" }, look({ inputs: { at: "${blocks.give.outputs.password}" }, dependsOn: ["give"] })]);
    for (let i = 0; i < 2; i++) await (await executorFor(store, flow, [type, give]).start("flow")).settled();
    expect(executed).toEqual([token, token]);
  });

  test("by a run that is written at its end; it takes over what others gave", async () => {
    const store = memoryStore();
    const { type, executed } = looker();
    const policy = { durability: "exit", retention: "latest" } as const;
    await play(store, flowOf([look()]), type, { policy });
    await play(store, flowOf([look()]), type);
    expect(executed).toHaveLength(2);
    const { steps } = await play(store, flowOf([look()]), type, { policy });
    expect([executed.length, steps[0]!.cached !== undefined]).toEqual([2, true]);
  });

  test("in a store that keeps nothing for other runs", async () => {
    const { cache: _, ...store } = memoryStore();
    const { type, executed } = looker();
    for (let i = 0; i < 2; i++) expect((await play(store, flowOf([look()]), type)).result.status).toBe("success");
    expect(executed).toHaveLength(2);
  });
});

describe("a cache that fails", () => {
  test.each(["reads", "writes"] as const)("never fails a run: %s", async (calls) => {
    const inner = memoryStore();
    const { type, executed } = looker();
    const events: RunEvent[] = [];
    const broken = async (): Promise<never> => {
      throw new Error("the disk is gone");
    };
    const cache = { ...inner.cache!, ...(calls === "reads" ? { get: broken } : { put: broken }) };
    const store: Store = { ...inner, cache };
    for (let i = 0; i < 2; i++) {
      const { result } = await play(store, flowOf([look()]), type, { onEvent: (event) => void events.push(event) });
      expect(result.status).toBe("success");
    }
    expect(executed).toHaveLength(2);
    const failed = events.filter(({ type: name }) => name.startsWith("cache_"));
    const name = calls === "reads" ? "cache_unread" : "cache_unkept";
    expect(failed).toMatchObject([1, 2].map(() => ({ type: name, block: "a", error: { message: "the disk is gone" } })));
  });

  test.each(["{", "[]", "null", '{"run":1,"at":2}', '{"run":"run_x","at":0,"outputs":{"~":"nonsense"}}'])(
    "is as an empty one: %s",
    async (text) => {
      const inner = memoryStore();
      const { type, executed } = looker();
      const store: Store = { ...inner, cache: { ...inner.cache!, get: async () => text } };
      expect((await play(store, flowOf([look()]), type)).result.status).toBe("success");
      expect(executed).toEqual(["here"]);
    },
  );
});

test("a result is kept only once the step that gave it is stored", async () => {
  const inner = memoryStore();
  const stored: (readonly string[])[] = [];
  const store: Store = {
    ...inner,
    cache: {
      ...inner.cache!,
      async put(key, text, until) {
        const { run } = JSON.parse(text) as { run: string };
        stored.push((await inner.read(run)).map((entry) => (JSON.parse(entry) as { type: string }).type));
        return inner.cache!.put(key, text, until);
      },
    },
  };
  await play(store, flowOf([look()]), looker().type);
  expect(stored).toHaveLength(1);
  expect(stored[0]).toContain("completed");
});

test("D1: a process that dies at any write: the run ends as it would, and what was stored is not executed again", async () => {
  const flow = flowOf([look(), look({ id: "b", inputs: { at: "${blocks.a.outputs.seen}" }, dependsOn: ["a"] })], {
    outputs: { got: "${blocks.b.outputs.seen}" },
  });
  const counting = faultyStore(memoryStore());
  await play(counting, flow, looker().type);
  let reached = 0;
  for (let write = 1; write <= counting.writes; write++) {
    for (const when of ["before", "after"] as const) {
      const inner = memoryStore();
      const { type, executed } = looker();
      const doomed = executorFor(faultyStore(inner, failAt(write, { when, times: "forever" })), flow, [type]);
      await doomed
        .start("flow")
        .then(
          (run) => run.settled(),
          () => undefined,
        )
        .catch(() => (reached += 1));
      await doomed.close().catch(() => {});
      const [known] = (await inner.runs()).items;
      const executor = executorFor(inner, flow, [type]);
      const run = known ? await executor.open(known.id) : await executor.start("flow");
      expect([write, when, await (known ? run.resume() : run.settled())]).toMatchObject([write, when, { outputs: { got: "here!!" } }]);
      const completed = (await inner.read(run.id)).filter((text) => text.includes('"completed"') && !text.includes('"finished"'));
      expect([write, when, completed.length, executed.length <= 3]).toEqual([write, when, 2, true]);
      const { steps } = await play(inner, flow, type);
      expect(steps.map(({ outputs }) => outputs)).toEqual([{ seen: "here!" }, { seen: "here!!" }]);
      await executor.close();
    }
  }
  expect(reached).toBeGreaterThan(4);
});

test("two runs at once each execute the block, and the next one takes over what either gave", async () => {
  const store = memoryStore();
  let go = (): void => {};
  const gate = new Promise<void>((resolve) => (go = resolve));
  const { type, executed } = looker(after(() => gate));
  const executor = executorFor(store, flowOf([look()]), [type]);
  const runs = [await executor.start("flow"), await executor.start("flow")];
  await expect.poll(() => executed.length).toBe(2);
  go();
  for (const run of runs) await run.settled();
  const { steps } = await play(store, flowOf([look()]), type);
  expect(executed).toHaveLength(2);
  expect(runs.map(({ id }) => id)).toContain(steps[0]!.cached!.run);
});

test("an encrypted store keeps results under names, and as texts, that tell nothing", async () => {
  const inner = memoryStore();
  const names: string[] = [];
  const texts: string[] = [];
  const watched: Store = {
    ...inner,
    cache: {
      ...inner.cache!,
      async put(key, text, until) {
        names.push(key);
        texts.push(text);
        return inner.cache!.put(key, text, until);
      },
    },
  };
  const key = crypto.getRandomValues(new Uint8Array(32));
  const { type, executed } = looker();
  const plain = memoryStore();
  const open: string[] = [];
  await play({ ...plain, cache: { ...plain.cache!, put: async (name) => void open.push(name) } }, flowOf([look()]), type);
  for (let i = 0; i < 2; i++) await play(await encryptedStore(watched, { key }), flowOf([look()]), type);
  expect(executed).toHaveLength(2);
  expect([names.length, names.includes(open[0]!), texts.join().includes("here")]).toEqual([1, false, false]);
  // What was changed, or stands under another name, is not there.
  await inner.cache!.put(
    names[0]!,
    texts[0]!.replace(/^./, (first) => (first === "A" ? "B" : "A")),
    Date.now() + HOUR_MS,
  );
  await play(await encryptedStore(watched, { key }), flowOf([look()]), type);
  expect(executed).toHaveLength(3);
});

test("every hundredth result lets those go whose time is over, and so does a cleanup", async () => {
  const inner = memoryStore();
  const sweeps: (readonly number[])[] = [];
  const sweep = async (before: number, most: number): Promise<number> => {
    sweeps.push([before, most]);
    return inner.cache!.sweep(before, most);
  };
  const store: Store = { ...inner, cache: { ...inner.cache!, sweep } };
  const host = fakeHost({ autoAdvance: true, seed: 7 });
  const { type } = looker();
  const items = Array.from({ length: 201 }, (_, i) => `${i}`);
  await play(store, flowOf([look({ forEach: items, inputs: { at: "${each.value}" } })]), type, { host, policy: { autoCleanup: false } });
  expect(sweeps).toEqual([1, 2].map(() => [expect.any(Number), 10_000]));
  await executorFor(store, flowOf([look()]), [type], { host }).cleanup();
  expect(sweeps).toHaveLength(3);
});

test("forks and run files take a result that was taken over as any other", async () => {
  const store = memoryStore();
  const { type, executed } = looker();
  const flow = flowOf([
    { id: "ask", type: "GetInput", inputs: { prompt: "?" } },
    look(),
    look({ id: "b", inputs: { at: "${blocks.ask.outputs.input_value}" }, dependsOn: ["ask"] }),
  ]);
  const answer = async (text: string) => {
    const run = await executorFor(store, flow, [type]).start("flow");
    await run.settled();
    await run.answer(run.getSnapshot().pauses[0]!.id, text);
    return run;
  };
  await answer("x");
  const run = await answer("x");
  expect(executed.toSorted()).toEqual(["here", "x"]);
  const executor = executorFor(store, flow, [type]);
  const { items } = await executor.checkpoints.list({ run: run.id, kind: "wave" });
  const fork = await executor.fork(items[0]!.id);
  await fork.settled();
  expect((await fork.steps()).map(({ cached }) => cached !== undefined)).toEqual([false, true, true]);
  const copy = await executorFor(memoryStore(), flow, [type]).runs.import(await executor.runs.export(run.id));
  expect((await copy.steps()).map(({ cached }) => cached)).toEqual((await run.steps()).map(({ cached }) => cached));
  expect(executed).toHaveLength(2);
});

describe("a workflow is refused at load whose block", () => {
  const ask = defineBlock({ type: "Ask", execute: () => pause({ prompt: "?" }), resume: () => success({}) });
  const send = defineBlock({ type: "Send", effect: "repeatable", execute: () => success({}) });
  test.each<[string, Block, string]>([
    ["asks", { id: "a", type: "Ask" }, "may ask a question"],
    ["has an effect", { id: "a", type: "Send" }, "changes something outside"],
    ["says that it has one", look({ effect: "once" }), "changes something outside"],
    ["calls a workflow", { id: "a", type: "ExecuteWorkflow", inputs: { workflow: "other" } }, "calls a workflow"],
    ["waits", { id: "a", type: "Wait", inputs: { duration_ms: 1 } }, "waits"],
    ["repeats", look({ repeatWhile: "${blocks.a.outputs.seen} == 'x'" }), "runs again and again"],
    ["is given a secret input", look({ inputs: { at: "${inputs.pin}" } }), "is given secrets"],
    ["is given a secret", look({ inputs: { at: "${secrets.PIN}" } }), "is given secrets"],
  ])("%s", async (_what, block, reason) => {
    const { type } = looker(undefined, { secretInputs: ["at"] });
    const flow: Workflow = {
      name: "flow",
      inputs: { at: { type: "string" }, pin: { type: "string", secret: true } },
      blocks: [{ ...block, cache: { ttlMs: 5 } }],
    };
    const executor = createExecutor({ store: memoryStore(), blocks: [type, ask, send], workflows: [] });
    await expect(executor.load(flow)).rejects.toMatchObject({
      code: "SCHEMA_INVALID",
      place: { path: "blocks[0].cache" },
      message: expect.stringMatching(`${reason}.*Remove this key, or do that in another block`),
    });
  });

  test.each([0, 1.5, 2_592_000_001])("gives a time that is none: %s", async (ttlMs) => {
    const executor = createExecutor({ store: memoryStore(), blocks: [looker().type] });
    await expect(executor.load(flowOf([look({ cache: { ttlMs } })]))).rejects.toMatchObject({ place: { path: "blocks[0].cache.ttlMs" } });
  });
});
