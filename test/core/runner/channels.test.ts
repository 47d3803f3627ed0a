import { describe, expect, test } from "vitest";
import {
  createExecutor,
  pause,
  success,
  waitUntil,
  type Block,
  type BlockResult,
  type BlockType,
  type Store,
  type Workflow,
} from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";

/** Does with channels what its test says. */
function act(execute: BlockType["execute"], more: Partial<BlockType> = {}): BlockType {
  return { type: "Act", execute, ...more };
}

/** Writes these changes, one after another, and then does something. */
function writing(
  changes: readonly (readonly [name: string, change: unknown])[],
  then: () => BlockResult = () => success({}),
  more: Partial<BlockType> = {},
) {
  return act(({ channels }) => {
    for (const [name, change] of changes) channels.write(name, change);
    return then();
  }, more);
}

const block = (id: string, dependsOn: readonly string[] = [], more: Partial<Block> = {}): Block => ({
  id,
  type: "Act",
  dependsOn,
  ...more,
});
const echo = (id: string, dependsOn: readonly string[] = [], more: Partial<Block> = {}): Block => ({
  id,
  type: "EchoBlock",
  inputs: { message: id },
  dependsOn,
  ...more,
});

function executorFor(flow: Workflow, types: readonly BlockType[] = [], store: Store = memoryStore()) {
  return createExecutor({ store, workflows: [flow], blocks: types, host: fakeHost({ autoAdvance: true }) });
}

const LOG: NonNullable<Workflow["channels"]> = { log: { reduce: "append" } };

describe("channels of blocks of the host", () => {
  test("are seen by other blocks from the next wave on, and by the block itself at once", async () => {
    const seen: unknown[] = [];
    const type = act(({ block: id, channels }) => {
      seen.push([id, channels.get("log")]);
      channels.write("log", id);
      seen.push([id, channels.get("log")]);
      return success({});
    });
    const run = await executorFor({ name: "flow", channels: LOG, blocks: [block("a"), block("b"), block("c", ["a"])] }, [type]).start(
      "flow",
    );
    await run.settled();
    expect(seen).toEqual([
      ["a", []],
      ["a", ["a"]],
      ["b", []],
      ["b", ["b"]],
      ["c", ["a", "b"]],
      ["c", ["a", "b", "c"]],
    ]);
    expect((await run.state()).channels).toEqual({ log: ["a", "b", "c"] });
  });

  test("are read with what earlier iterations of the block wrote, as a machine with states does", async () => {
    const type = act(({ channels, nextIteration }) => {
      const state = channels.get("order");
      if (state === "NEW") {
        channels.write("order", "VALIDATED");
        return nextIteration();
      }
      if (state === "VALIDATED") {
        channels.write("order", "PAID");
        return nextIteration();
      }
      return success({ state });
    });
    const flow: Workflow = { name: "flow", channels: { order: { type: "string", default: "NEW" } }, blocks: [block("a")] };
    const run = await executorFor(flow, [type]).start("flow");
    expect(await run.settled()).toMatchObject({ status: "success" });
    expect(await run.steps()).toMatchObject([{ iteration: 1 }, { iteration: 2 }, { iteration: 3, outputs: { state: "PAID" } }]);
    expect((await run.state()).channels).toEqual({ order: "PAID" });
  });

  test("do not change where the block fails, and a retry begins anew", async () => {
    let tries = 0;
    const type = act(({ channels }) => {
      channels.write("log", `try ${(tries += 1)}`);
      if (tries < 3) throw new Error("no");
      return success({});
    });
    const flow: Workflow = { name: "flow", channels: LOG, blocks: [block("a", [], { retry: { maxAttempts: 3 } })] };
    const run = await executorFor(flow, [type]).start("flow");
    await run.settled();
    expect((await run.state()).channels).toEqual({ log: ["try 3"] });
  });

  test("take no change that does not fit, or of a channel that is not declared", async () => {
    const write = async (name: string, change: unknown) => {
      const type = writing([[name, change]]);
      const channels: NonNullable<Workflow["channels"]> = {
        n: { type: "integer", reduce: "sum" },
        some: { reduce: "append", schema: { items: { type: "string" } } },
        tags: { reduce: "union", schema: { items: { type: "string" } } },
        profile: { reduce: "merge", schema: { properties: { age: { type: "number" } } } },
      };
      const result = await (await executorFor({ name: "flow", channels, blocks: [block("a")] }, [type]).start("flow")).settled();
      return result.status === "failure" ? `${result.error.code} ${result.error.message}` : result.status;
    };
    expect(await write("n", 1)).toBe("success");
    expect(await write("n", 1.5)).toMatch(/^CHANNEL_INVALID .*"a".*"n" must be an integer, not 1\.5/);
    expect(await write("some", 7)).toMatch(/^CHANNEL_INVALID .*"some"/);
    expect(await write("tags", ["x", 7])).toMatch(/^CHANNEL_INVALID .*"tags"/);
    expect(await write("profile", { age: "old" })).toMatch(/^CHANNEL_INVALID .*"profile".*"age"/);
    expect(await write("profiel", {})).toMatch(/^CHANNEL_UNKNOWN .*Did you mean "profile"\?/);
  });

  test("lose nothing silently: a block that writes and then asks, or waits, fails", async () => {
    const codeOf = async (type: BlockType) => {
      const result = await (await executorFor({ name: "flow", channels: LOG, blocks: [block("a")] }, [type]).start("flow")).settled();
      return result.status === "failure" ? result.error.code : result.status;
    };
    const asking = writing([["log", 1]], () => pause({ prompt: "?" }), { resume: () => success({}) });
    expect(await codeOf(asking)).toBe("CHANNEL_INVALID");
    expect(await codeOf(writing([["log", 1]], () => waitUntil(1)))).toBe("CHANNEL_INVALID");
  });

  test("show values that do not change when the channel does", async () => {
    const seen: unknown[] = [];
    const type = act(({ channels, iteration, nextIteration }) => {
      const value = channels.get("log") as unknown[];
      seen.push(value);
      expect(() => value.push("more")).toThrow(TypeError);
      channels.write("log", iteration);
      return iteration < 3 ? nextIteration() : success({});
    });
    await (await executorFor({ name: "flow", channels: LOG, blocks: [block("a")] }, [type]).start("flow")).settled();
    expect(seen).toEqual([[], [1], [1, 2]]);
  });

  test("hold what JSON cannot, across a reload", async () => {
    const store = memoryStore();
    const type = writing([
      ["log", new Date(5)],
      ["seen", new Set([1])],
    ]);
    const flow: Workflow = {
      name: "flow",
      channels: { ...LOG, seen: {} },
      blocks: [block("a"), { id: "q", type: "GetInput", inputs: { prompt: "?" }, dependsOn: ["a"] }],
    };
    const first = await (await executorFor(flow, [type], store).start("flow")).settled();
    if (first.status !== "paused") throw new Error(first.status);
    const run = await executorFor(flow, [type], store).open(first.run);
    const kept = { log: [expect.any(Date)], seen: new Set([1]) };
    expect((await run.state()).channels).toMatchObject(kept);
    expect(await run.answer(first.pauses[0]!.id, "x")).toMatchObject({ status: "success" });
    expect((await run.state()).channels).toMatchObject(kept);
  });
});

describe("the reducers", () => {
  test.each<[string, NonNullable<Workflow["channels"]>, readonly unknown[], unknown]>([
    ["replace", { c: { default: "a" } }, ["b", null], null],
    ["append", { c: { reduce: "append", default: [0] } }, [1, [2]], [0, 1, [2]]],
    ["sum", { c: { reduce: "sum" } }, [1, 2.5], 3.5],
    ["merge", { c: { reduce: "merge", default: { a: 1, b: 1 } } }, [{ b: 2 }, { c: 3 }], { a: 1, b: 2, c: 3 }],
    ["union", { c: { reduce: "union", default: ["a"] } }, ["a", ["b", "a"], { d: 1 }, { d: 1 }], ["a", "b", { d: 1 }]],
  ])("%s", async (_, channels, changes, value) => {
    const type = writing(changes.map((change) => ["c", change]));
    const flow: Workflow = { name: "flow", channels, blocks: [block("a")], outputs: { c: "${channels.c}" } };
    const result = await (await executorFor(flow, [type]).start("flow")).settled();
    expect(result).toMatchObject({ status: "success", outputs: { c: value } });
  });
});

describe("channels of a workflow", () => {
  test("stand wherever expressions do", async () => {
    const flow: Workflow = {
      name: "flow",
      label: "has ${channels.names}",
      channels: { names: { reduce: "append", default: ["x", "y"] }, n: { reduce: "sum" } },
      blocks: [
        echo("a", [], { writes: { names: "${blocks.a.outputs.echoed}", n: 2 } }),
        echo("each", ["a"], {
          forEach: "${channels.names}",
          inputs: { message: "${each.value} ${channels.n}" },
          writes: { n: "${each.index}" },
        }),
        echo("no", ["each"], { condition: "${channels.n} > 5" }),
        echo("first", ["each"], { inputs: { message: "${channels.names[0]}" } }),
      ],
      outputs: { results: "${blocks.each.outputs.results}", n: "${channels.n}", first: "${blocks.first.outputs.echoed}" },
    };
    const run = await executorFor(flow).start("flow");
    expect(await run.settled()).toMatchObject({
      outputs: { results: [{ echoed: "x 2" }, { echoed: "y 2" }, { echoed: "a 2" }], n: 5, first: "x" },
    });
    expect(run.getSnapshot().waves[2]?.blocks).toMatchObject([{ id: "no", status: "skipped" }, { id: "first" }]);
    const executor = executorFor(flow);
    const other = await executor.start("flow");
    await other.settled();
    expect((await executor.runs.list()).items).toMatchObject([{ label: 'has ["x","y","a"]' }]);
  });

  test("begin with what start gives", async () => {
    const flow: Workflow = {
      name: "flow",
      channels: { log: { reduce: "append", default: ["default"] } },
      blocks: [echo("a", [], { writes: { log: "a" } })],
      outputs: { log: "${channels.log}" },
    };
    const executor = executorFor(flow);
    const start = async (channels: never) => (await executor.start("flow", {}, { channels })).settled();
    expect(await start({ log: ["given"] } as never)).toMatchObject({ outputs: { log: ["given", "a"] } });
    await expect(start({ log: 7 } as never)).rejects.toMatchObject({ code: "CHANNEL_INVALID" });
    await expect(start({ lok: [] } as never)).rejects.toMatchObject({ code: "CHANNEL_UNKNOWN", details: { suggestion: "log" } });
    await expect(start({ log: [{ password: "hunter22" }] } as never)).rejects.toMatchObject({ code: "SECRET_MISPLACED" });
  });

  test("are not seen by a called workflow, which has its own", async () => {
    const inner: Workflow = {
      name: "inner",
      channels: { n: { reduce: "sum", default: 10 } },
      blocks: [echo("x", [], { writes: { n: 1 } })],
      outputs: { n: "${channels.n}" },
    };
    const outer: Workflow = {
      name: "outer",
      channels: { n: { reduce: "sum" } },
      blocks: [{ id: "call", type: "ExecuteWorkflow", inputs: { workflow: "inner" }, writes: { n: "${blocks.call.outputs.n}" } }],
      outputs: { n: "${channels.n}" },
    };
    const executor = createExecutor({ store: memoryStore(), workflows: [inner, outer] });
    expect(await (await executor.start("outer")).settled()).toMatchObject({ outputs: { n: 11 } });
  });
});

describe("repeat_while", () => {
  const counting = (more: Partial<Block>): Workflow => ({
    name: "flow",
    channels: { n: { reduce: "sum" } },
    blocks: [echo("t", [], { inputs: { message: "${channels.n}" }, writes: { n: 1 }, ...more }), echo("z", ["t"])],
    outputs: { n: "${channels.n}", last: "${blocks.t.outputs.echoed}", count: "${blocks.t.metadata.iterations}" },
  });

  test("runs a block again, its inputs resolved anew, while what depends on it waits", async () => {
    const run = await executorFor(counting({ repeatWhile: "${channels.n} < 3" })).start("flow");
    expect(await run.settled()).toMatchObject({ outputs: { n: 3, last: "2", count: 3 } });
    expect((await run.steps()).map(({ block: id }) => id)).toEqual(["t", "t", "t", "z"]);
  });

  test("sees the block's own outputs and how often it ran", async () => {
    const outputs = async (repeatWhile: string) =>
      (await (await executorFor(counting({ repeatWhile })).start("flow")).settled()) as unknown;
    expect(await outputs('${blocks.t.outputs.echoed} != "3"')).toMatchObject({ outputs: { count: 4 } });
    expect(await outputs("${blocks.t.metadata.iterations} < 2")).toMatchObject({ outputs: { count: 2 } });
  });

  test("fails the block at max_iterations", async () => {
    const result = await (await executorFor(counting({ repeatWhile: true, maxIterations: 5 })).start("flow")).settled();
    expect(result).toMatchObject({ status: "failure", error: { code: "LIMIT_EXCEEDED", details: { block: "t", limit: 5 } } });
  });

  test("repeats each item of a list by itself", async () => {
    const flow: Workflow = {
      name: "flow",
      channels: { log: { reduce: "append" } },
      blocks: [
        echo("t", [], {
          forEach: [1, 3, 2],
          inputs: { message: "x" },
          writes: { log: "${each.value}" },
          repeatWhile: "${blocks.t.metadata.iterations} < ${each.value}",
        }),
      ],
      outputs: { log: "${channels.log}", count: "${blocks.t.metadata.iterations}" },
    };
    // By iteration, and within one by the place in the list.
    expect(await (await executorFor(flow).start("flow")).settled()).toMatchObject({ outputs: { log: [1, 3, 2, 3, 2, 3], count: 3 } });
  });
});

describe("what is shown of channels", () => {
  const flow: Workflow = {
    name: "flow",
    channels: { log: { reduce: "append" }, n: { reduce: "sum", default: 5 } },
    blocks: [
      echo("a", [], { writes: { log: "a" } }),
      {
        id: "q",
        type: "GetInput",
        inputs: { prompt: "So far ${channels.log}" },
        dependsOn: ["a"],
        writes: { log: "${blocks.q.outputs.input_value}" },
      },
      echo("beside", ["a"], { writes: { n: 1 } }),
    ],
  };

  test("is in views, which stay the same where nothing was written", async () => {
    const run = await executorFor(flow).start("flow");
    const result = await run.settled();
    if (result.status !== "paused") throw new Error(result.status);
    const { channels } = run.getSnapshot();
    expect(channels).toEqual({ log: ["a"], n: 6 });
    const { id } = result.pauses[0]!;
    await run.saveDraft(id, "typing");
    expect(run.getSnapshot().channels).toBe(channels);
    await run.answer(id, "b");
    expect(run.getSnapshot().channels).toEqual({ log: ["a", "b"], n: 6 });
  });

  test("is in the state at each superstep, in checkpoints and in what differs between them", async () => {
    const executor = executorFor(flow);
    const run = await executor.start("flow");
    const result = await run.settled();
    if (result.status !== "paused") throw new Error(result.status);
    await run.answer(result.pauses[0]!.id, "b");
    expect((await run.state({ superstep: 0 })).channels).toEqual({ log: ["a"], n: 5 });
    expect((await run.state()).channels).toEqual({ log: ["a", "b"], n: 6 });
    const { items } = await executor.checkpoints.list({ run: run.id, kind: "wave" });
    const [last, first] = items.map(({ id }) => id) as [string, string];
    expect((await executor.checkpoints.get(first)).context.channels).toEqual({ log: ["a"], n: 5 });
    expect((await executor.checkpoints.diff(first, last)).channels).toEqual([
      { path: "log[1]", after: "b" },
      { path: "n", before: 5, after: 6 },
    ]);
  });

  test("goes along into a fork, and into another store", async () => {
    const executor = executorFor(flow);
    const run = await executor.start("flow");
    const result = await run.settled();
    if (result.status !== "paused") throw new Error(result.status);
    const fork = await executor.fork(result.pauses[0]!.id, { answers: { [result.pauses[0]!.id]: "c" } });
    await fork.settled();
    expect((await fork.state()).channels).toEqual({ log: ["a", "c"], n: 6 });
    expect((await run.state()).channels).toEqual({ log: ["a"], n: 6 });
    const other = executorFor(flow);
    const moved = await other.runs.import(await executor.runs.export(run.id));
    expect((await moved.state()).channels).toEqual({ log: ["a"], n: 6 });
  });

  test.each(["latest", "windowed"] as const)("holds where the past is not kept: %s", async (retention) => {
    const store = memoryStore();
    const executor = (): ReturnType<typeof createExecutor> =>
      createExecutor({ store, workflows: [flow], policy: { retention, ...(retention === "windowed" ? { window: 1 } : {}) } });
    const first = await (await executor().start("flow")).settled();
    if (first.status !== "paused") throw new Error(first.status);
    const run = await executor().open(first.run);
    await run.answer(first.pauses[0]!.id, "b");
    expect((await (await executor().open(first.run)).state()).channels).toEqual({ log: ["a", "b"], n: 6 });
  });
});

describe("on_revise, of a question that reads a channel", () => {
  const flow = (onRevise: Block["onRevise"] & string, prompt: string): Workflow => ({
    name: "flow",
    channels: { log: { reduce: "append" }, copies: { reduce: "append" } },
    blocks: [
      { id: "first", type: "GetInput", inputs: { prompt: "First?" }, writes: { log: "${blocks.first.outputs.input_value}" } },
      echo("between", ["first"]),
      {
        id: "second",
        type: "GetInput",
        inputs: { prompt },
        dependsOn: ["between"],
        onRevise,
        writes: { copies: "${channels.log}" },
      },
      { id: "last", type: "GetInput", inputs: { prompt: "Sure?" }, dependsOn: ["second"] },
    ],
  });

  test.each<[Block["onRevise"] & string, prompt: string, asked: string, earlier: string | undefined]>([
    ["keep", "Second?", "Sure?", undefined],
    ["review", "Second?", "Second?", "two"],
    ["ask_again", "Second?", "Second?", undefined],
    ["keep", "After ${channels.log}?", 'After ["uno"]?', "two"],
  ])("%s: %s", async (onRevise, prompt, asked, earlier) => {
    const run = await executorFor(flow(onRevise, prompt)).start("flow");
    const first = (await run.settled()).pauses![0]!.id;
    await run.answer(first, "one");
    await run.answer(run.getSnapshot().pauses[0]!.id, "two");
    await run.revise(first, "uno");
    const [pause] = run.getSnapshot().pauses;
    expect([pause!.prompt, pause!.earlier?.response]).toEqual([asked, earlier]);
    if (asked !== "Sure?") await run.answer(pause!.id, "two");
    expect((await run.state()).channels).toEqual({ log: ["uno"], copies: [["uno"]] });
  });
});
