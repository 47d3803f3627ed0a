import { describe, expect, test } from "vitest";
import {
  createExecutor,
  type Block,
  type ChannelReducer,
  type Executor,
  type ExecutorOptions,
  type Store,
  type Value,
  type Workflow,
} from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";
import { checkWorkflow, loadWorkflow } from "wavepoint/yaml";

/** Keeps the highest number. */
const highest: ChannelReducer = {
  schema: { type: "number" },
  reduce: (held: number | null, change: number) => Math.max(held ?? change, change),
};
/** Counts words. */
const words: ChannelReducer = {
  reduce: (held: { readonly [word: string]: number } | null, change: string) =>
    Object.fromEntries([...change.split(" "), ...Object.keys(held ?? {})].map((word) => [word, count(held, word, change)])),
};
const count = (held: { readonly [word: string]: number } | null, word: string, text: string): number =>
  (held?.[word] ?? 0) + text.split(" ").filter((one) => one === word).length;

const echo = (id: string, writes: Block["writes"] & object, dependsOn: readonly string[] = []): Block => ({
  id,
  type: "EchoBlock",
  inputs: { message: id },
  dependsOn,
  writes,
});
const question = (dependsOn: readonly string[]): Block => ({ id: "q", type: "GetInput", inputs: { prompt: "?" }, dependsOn });

const flow: Workflow = {
  name: "flow",
  channels: { best: { type: "number", reduce: "highest" }, words: { reduce: "words" } },
  blocks: [
    echo("a", { best: 3, words: "to be or" }),
    echo("b", { best: 7, words: "not to be" }),
    question(["a", "b"]),
    echo("c", { best: 5 }, ["q"]),
  ],
  outputs: { best: "${channels.best}", words: "${channels.words}" },
};

function open(store: Store, reducers: ExecutorOptions["reducers"] & object = { highest, words }, workflow = flow): Executor {
  return createExecutor({ store, reducers, workflows: [workflow], host: fakeHost({ autoAdvance: true }) });
}

const thrown = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => "nothing was thrown",
    (error: unknown) => error,
  );

async function startAndAsk(store: Store): Promise<{ readonly run: string; readonly pause: string }> {
  const result = await (await open(store).start("flow")).settled();
  if (result.status !== "paused") throw new Error(result.status);
  return { run: result.run, pause: result.pauses[0]!.id };
}

describe("reducers of the host", () => {
  test("join what blocks write, and again in another process", async () => {
    const store = memoryStore();
    const { run: id, pause } = await startAndAsk(store);
    const run = await open(store).open(id);
    expect((await run.state()).channels).toEqual({ best: 7, words: { to: 2, be: 2, or: 1, not: 1 } });
    expect(await run.answer(pause, "x")).toMatchObject({ outputs: { best: 7, words: { to: 2, be: 2, or: 1, not: 1 } } });
  });

  test("are named by the definition; only changes are stored", async () => {
    const store = memoryStore();
    const { run } = await startAndAsk(store);
    const texts = (await store.read(run)).join("\n");
    expect(texts).toContain('"writes":{"best":[7],"words":["not to be"]}');
    expect(texts).not.toContain('"to":2');
  });

  test("take no change that their schema refuses", async () => {
    const wrong: Workflow = { ...flow, blocks: [echo("a", { best: "${metadata.workflow_name}" })] };
    const result = await (await open(memoryStore(), undefined, wrong).start("flow")).settled();
    expect(result).toMatchObject({ error: { code: "CHANNEL_INVALID", message: expect.stringMatching(/"a".*"best"/) as string } });
    const literal: Workflow = { ...flow, blocks: [echo("a", { best: "high" })] };
    expect(await thrown(open(memoryStore(), undefined, literal).start("flow"))).toMatchObject({
      code: "CHANNEL_INVALID",
      place: { path: "blocks[0].writes.best" },
    });
  });

  test.each<[string, ChannelReducer["reduce"], string]>([
    [
      "throws",
      () => {
        throw new Error("no such thing");
      },
      "failed: no such thing",
    ],
    ["gives nothing", () => undefined as never, "undefined, which is not plain JSON"],
    ["gives what JSON cannot hold", () => new Map() as never, "not plain JSON"],
    ["changes what is held", (held) => (held as Value[]).push(1), "failed"],
    ["gives another type than the channel has", () => "text", 'channel "c" must be an array'],
  ])("that %s fail the block that wrote", async (_, reduce, message) => {
    const workflow: Workflow = {
      name: "flow",
      channels: { c: { type: "array", default: [], reduce: "odd" } },
      blocks: [echo("a", { c: 1 })],
    };
    const result = await (await open(memoryStore(), { odd: { reduce } }, workflow).start("flow")).settled();
    expect(result).toMatchObject({
      status: "failure",
      error: { code: "CHANNEL_INVALID", message: expect.stringContaining(message) as string, details: { block: "a" } },
    });
  });

  /** Takes one change and no more. */
  const one: ChannelReducer = {
    reduce(held: number | null, change: number) {
      if (held !== null) throw new Error("one is enough");
      return change;
    },
  };
  const readers = [
    { id: "c", type: "EchoBlock", inputs: { message: "${channels.c}" }, dependsOn: ["a", "b"] },
    { ...question(["c"]), id: "later" },
  ];

  test.each<[string, readonly Block[]]>([
    ["with questions", readers],
    ["without questions", readers.slice(0, 1)],
  ])("that fail on what several blocks of a wave wrote leave the run where it is, until they are mended: %s", async (_, more) => {
    const store = memoryStore();
    const workflow: Workflow = {
      name: "flow",
      channels: { c: { reduce: "one" } },
      blocks: [echo("a", { c: 1 }), echo("b", { c: 2 }), ...more],
      outputs: { c: "${blocks.c.outputs.echoed}" },
    };
    const run = await open(store, { one }, workflow).start("flow");
    expect(await thrown(run.settled())).toMatchObject({
      code: "REDUCER_FAILED",
      message: expect.stringContaining("one is enough") as string,
    });
    expect(run.getSnapshot()).toMatchObject({ status: "running", error: { code: "REDUCER_FAILED" } });
    const mended = await open(store, { one: highest }, workflow).open(run.id);
    const result = await mended.resume();
    expect(result.status).toBe(more.length > 1 ? "paused" : "success");
    expect((await mended.state()).channels).toEqual({ c: 2 });
  });

  test("that an executor does not have leave the run as it is", async () => {
    const store = memoryStore();
    const { run: id, pause } = await startAndAsk(store);
    const before = await store.head(id);
    const error = await thrown(open(store, { highest }, { ...flow, name: "other" }).open(id));
    expect(error).toMatchObject({ code: "REDUCER_MISSING", details: { channel: "words", reducer: "words" } });
    expect(await store.head(id)).toEqual(before);
    expect(await (await open(store).open(id)).answer(pause, "x")).toMatchObject({ status: "success" });
  });

  test("belong to runs that are revised, forked, previewed and moved", async () => {
    const workflow: Workflow = {
      ...flow,
      blocks: [
        { ...question([]), writes: { words: "${blocks.q.outputs.input_value}" } },
        { ...question(["q"]), id: "last", inputs: { prompt: "So far: ${channels.words}" } },
      ],
    };
    const executor = open(memoryStore(), undefined, workflow);
    const run = await executor.start("flow");
    const first = run.getSnapshot().pauses[0] ?? (await run.settled()).pauses![0]!;
    await run.answer(first.id, "to be");
    const preview = await run.previewRevise(first.id, "or not");
    expect(preview.asked).toEqual(["last"]);
    await run.revise(first.id, "or not");
    await run.settled();
    expect((await run.state()).channels).toEqual({ best: null, words: { or: 1, not: 1 } });
    const fork = await executor.fork(first.id, { answers: { [first.id]: "once" } });
    await fork.settled();
    expect((await fork.state()).channels).toEqual({ best: null, words: { once: 1 } });
    const there = open(memoryStore(), undefined, workflow);
    const moved = await there.runs.import(await executor.runs.export(run.id));
    expect((await moved.state()).channels).toEqual({ best: null, words: { or: 1, not: 1 } });
  });
});

describe("which reducers there are", () => {
  const text = "name: w\nchannels:\n  best: { reduce: higest }\nblocks: []\n";

  test("is looked at when an executor loads a workflow, which says where an unknown one stands", async () => {
    const workflow = loadWorkflow(text, { source: "w.yaml" });
    expect(await thrown(createExecutor({ store: memoryStore(), reducers: { highest } }).start(workflow))).toMatchObject({
      code: "CHANNEL_INVALID",
      place: { path: "channels.best.reduce", line: 3 },
      message: expect.stringContaining('Did you mean "highest"?') as string,
    });
  });

  test("is looked at by a check that knows them", async () => {
    const codes = async (options: Parameters<typeof checkWorkflow>[1]) =>
      (await checkWorkflow(text, options)).problems.map(({ code }) => code);
    expect(await codes({})).toEqual(["CHANNEL_INVALID"]);
    expect(await codes({ reducers: { higest: highest } })).toEqual([]);
    expect(() => loadWorkflow(text, { reducers: { highest } })).toThrow("highest");
  });

  test("must have names of their own and a schema that can be used", () => {
    const codeOf = (reducers: ExecutorOptions["reducers"] & object): unknown => {
      try {
        return createExecutor({ store: memoryStore(), reducers });
      } catch (error) {
        return (error as { readonly code: string }).code;
      }
    };
    expect(codeOf({ append: highest })).toBe("ID_DUPLICATE");
    expect(codeOf({ "a b": highest })).toBe("ID_INVALID");
    expect(codeOf({ a: { ...highest, schema: { type: "text" } as never } })).toBe("SCHEMA_INVALID");
    expect(codeOf({ a: { ...highest, schema: { type: "string", pattern: "^a" } } })).toBe("SCHEMA_INVALID");
  });
});
