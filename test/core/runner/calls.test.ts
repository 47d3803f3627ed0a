import { describe, expect, test } from "vitest";
import { createExecutor, defineBlock, failure, success, WorkflowError, type Store, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";

const leaf: Workflow = {
  name: "leaf",
  inputs: { what: { type: "string" } },
  blocks: [
    { id: "first", type: "GetInput", inputs: { prompt: "first of ${inputs.what}?" } },
    { id: "second", type: "GetInput", inputs: { prompt: "second of ${inputs.what}?" }, dependsOn: ["first"] },
  ],
  outputs: { pair: "${blocks.first.input_value}${blocks.second.input_value}" },
};
const middle: Workflow = {
  name: "middle",
  blocks: [
    { id: "x", type: "ExecuteWorkflow", inputs: { workflow: "leaf", inputs: { what: "x" } } },
    { id: "y", type: "ExecuteWorkflow", inputs: { workflow: "leaf", inputs: { what: "y" } } },
  ],
  outputs: { both: "${blocks.x.pair}-${blocks.y.pair}" },
};
const top: Workflow = {
  name: "top",
  blocks: [{ id: "call", type: "ExecuteWorkflow", inputs: { workflow: "middle" } }],
  outputs: { r: "${blocks.call.both}", blocks: "${blocks.call.total_blocks}", name: "${blocks.call.workflow}" },
};
const workflows = [top, middle, leaf];
const host = (seed: number) => fakeHost({ autoAdvance: true, seed });

describe("questions of called workflows", () => {
  test("rise through all levels, side by side, and each answer goes down to the one that asked", async () => {
    const executor = createExecutor({ store: memoryStore(), workflows, host: host(1) });
    const run = await executor.start("top");
    let result = await run.settled();
    expect(result.pauses!.map(({ path, prompt, type }) => [path.join("/"), prompt, type])).toEqual([
      ["call/x/first", "first of x?", "GetInput"],
      ["call/y/first", "first of y?", "GetInput"],
    ]);
    result = await run.answer(result.pauses![1]!.id, "c");
    expect(result.pauses!.map(({ path }) => path.join("/"))).toEqual(["call/x/first", "call/y/second"]);
    result = await run.answer(result.pauses![0]!.id, "a");
    expect(result.pauses!.map(({ path }) => path.join("/"))).toEqual(["call/y/second", "call/x/second"]);
    result = await run.answer({ [result.pauses![0]!.id]: "d", [result.pauses![1]!.id]: "b" });
    expect(result).toMatchObject({ status: "success", outputs: { r: "ab-cd", blocks: 2, name: "middle" } });
  });

  test("can be answered in another process, and directly at the run that asks", async () => {
    const store = memoryStore();
    const run = await createExecutor({ store, workflows, host: host(1) }).start("top");
    await run.settled();
    for (let turn = 0; ; turn++) {
      const executor = createExecutor({ store, workflows, host: host(10 + turn) });
      const outer = await executor.open(run.id);
      const view = outer.getSnapshot();
      if (view.status === "completed") break;
      const [pause] = view.pauses;
      const inner = await executor.open(`${run.id}/${pause!.path.slice(0, -1).join("/")}`);
      const own = inner.getSnapshot().pauses[0]!;
      expect(own.prompt).toBe(pause!.prompt);
      await executor.answer(own.id, String(turn));
    }
    await run.refresh();
    expect(run.getSnapshot().outputs).toMatchObject({ r: "02-13" });
  });

  test("are forked with the runs that ask them", async () => {
    const store = memoryStore();
    const executor = createExecutor({ store, workflows, host: host(1) });
    const run = await executor.start("top");
    const asked = await run.settled();
    const firstX = asked.pauses![0]!.id;
    const later = await run.answer(firstX, "a");
    await run.answer({ [asked.pauses![1]!.id]: "c", [later.pauses![1]!.id]: "b" });
    const forked = await executor.resume(firstX, "A", { fork: true });
    expect(forked.status).toBe("paused");
    expect(forked.run).not.toBe(run.id);
    expect(forked.pauses!.map(({ path }) => path.join("/"))).toEqual(["call/y/first", "call/x/second"]);
    const fork = await executor.open(forked.run);
    const afterY = await fork.answer(forked.pauses![0]!.id, "C");
    const end = await fork.answer({ [afterY.pauses![0]!.id]: "B", [afterY.pauses![1]!.id]: "D" });
    expect(end).toMatchObject({ status: "success", outputs: { r: "AB-CD" } });
    await run.refresh();
    const open = run.getSnapshot().pauses;
    expect(open.map(({ path }) => path.join("/"))).toEqual(["call/y/second"]);
    expect(await run.answer(open[0]!.id, "d")).toMatchObject({ outputs: { r: "ab-cd" } });
  });
});

describe("called workflows", () => {
  test("that call themselves fail with the chain", async () => {
    const a: Workflow = { name: "a", blocks: [{ id: "b", type: "ExecuteWorkflow", inputs: { workflow: "b" } }] };
    const b: Workflow = { name: "b", blocks: [{ id: "a", type: "ExecuteWorkflow", inputs: { workflow: "a" } }] };
    const run = await createExecutor({ store: memoryStore(), workflows: [a, b], host: host(1) }).start("a");
    expect(await run.settled()).toMatchObject({ status: "failure", error: { message: expect.stringContaining("a → b → a") } });
  });

  test("may recur as deep as the calling block says", async () => {
    const down: Workflow = {
      name: "down",
      inputs: { n: { type: "integer", default: 0 } },
      blocks: [
        { id: "again", type: "ExecuteWorkflow", maxDepth: 3, continueOnError: true, inputs: { workflow: "down", inputs: { n: 1 } } },
      ],
      outputs: { deepest: "${blocks.again.metadata.failed}" },
    };
    const executor = createExecutor({ store: memoryStore(), workflows: [down], host: host(1) });
    const run = await executor.start("down");
    expect(await run.settled()).toMatchObject({ outputs: { deepest: false } });
    const deepest = await executor.open(`${run.id}/again/again`);
    expect(deepest.getSnapshot().outputs).toEqual({ deepest: true });
    await expect(executor.open(`${run.id}/again/again/again`)).rejects.toMatchObject({ code: "RUN_NOT_FOUND" });
  });

  test("that failed are tried again with their caller, and finished parts are not", async () => {
    const ran: string[] = [];
    let broken = true;
    const work = defineBlock({
      type: "Work",
      execute: ({ block }) => {
        ran.push(block);
        return block === "two" && broken ? failure("not yet") : success({ block });
      },
    });
    const kid: Workflow = {
      name: "kid",
      blocks: [
        { id: "one", type: "Work" },
        { id: "two", type: "Work", dependsOn: ["one"] },
      ],
      outputs: { two: "${blocks.two.block}" },
    };
    const boss: Workflow = {
      name: "boss",
      blocks: [{ id: "call", type: "ExecuteWorkflow", inputs: { workflow: "kid" } }],
      outputs: { two: "${blocks.call.two}" },
    };
    const run = await createExecutor({ store: memoryStore(), workflows: [boss, kid], blocks: [work], host: host(1) }).start("boss");
    expect(await run.settled()).toMatchObject({ status: "failure", error: { message: expect.stringContaining("not yet") } });
    broken = false;
    expect(await run.resume()).toMatchObject({ status: "success", outputs: { two: "two" } });
    expect(ran).toEqual(["one", "two", "two"]);
  });

  test("are deleted with their caller", async () => {
    const executor = createExecutor({ store: memoryStore(), workflows, host: host(1) });
    const run = await executor.start("top");
    await run.settled();
    expect((await executor.runs.list()).items).toHaveLength(4);
    expect((await executor.runs.list({ topLevel: true })).items.map(({ id }) => id)).toEqual([run.id]);
    await executor.runs.delete(run.id);
    expect((await executor.runs.list()).items).toEqual([]);
    expect((await executor.checkpoints.list()).items).toEqual([]);
  });
});

test("a called run goes on with its caller after the executor was closed in the middle of it", async () => {
  const store = memoryStore();
  const ran: string[] = [];
  let reached: () => void = () => {};
  const waits = new Promise<void>((resolve) => (reached = resolve));
  const work = (patient: boolean) =>
    defineBlock({
      type: "Work",
      async execute({ block, host, signal }) {
        ran.push(block);
        if (block === "b") reached();
        if (block === "b" && !patient) await host.sleep(60_000, signal);
        return success({});
      },
    });
  const inner: Workflow = {
    name: "inner",
    blocks: [
      { id: "a", type: "Work" },
      { id: "b", type: "Work", dependsOn: ["a"] },
    ],
  };
  const outer: Workflow = { name: "outer", blocks: [{ id: "call", type: "ExecuteWorkflow", inputs: { workflow: "inner" } }] };
  const options = { store, workflows: [outer, inner], policy: { durability: "sync" } } as const;
  const closed = createExecutor({ ...options, blocks: [work(false)], host: fakeHost() });
  const run = await closed.start("outer");
  await waits;
  await closed.close();
  const again = await createExecutor({ ...options, blocks: [work(true)], host: host(2) }).open(run.id);
  expect(await again.resume()).toMatchObject({ status: "success" });
  expect(ran).toEqual(["a", "b", "b"]);
});

test("a called run is not cancelled where its caller's end could not be stored", async () => {
  const memory = memoryStore();
  const refusing: Store = {
    ...memory,
    commit: async (commit) => {
      if (commit.run === "run_caller" && commit.head.status === "cancelled") throw new WorkflowError("STORE_FAILED", "No.");
      return memory.commit(commit);
    },
  };
  let begin = (): void => {};
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const work = defineBlock({
    type: "Work",
    execute: ({ signal }) => {
      begin();
      return new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));
    },
  });
  const inner: Workflow = { name: "inner", blocks: [{ id: "work", type: "Work" }] };
  const outer: Workflow = { name: "outer", blocks: [{ id: "call", type: "ExecuteWorkflow", inputs: { workflow: "inner" } }] };
  const executor = createExecutor({ store: refusing, workflows: [inner, outer], blocks: [work] });
  const run = await executor.start("outer", {}, { id: "caller" });
  await begun;
  await expect(run.cancel()).rejects.toMatchObject({ code: "STORE_FAILED" });
  await executor.close();
  const { items } = await memory.runs();
  expect(items.map(({ workflow, status }) => [workflow, status]).toSorted()).toEqual([
    ["inner", "running"],
    ["outer", "running"],
  ]);
});

test("a called run that is deleted before its caller took its end is called anew, and asks anew", async () => {
  const inside = memoryStore();
  const outer: Workflow = {
    name: "outer",
    blocks: [{ id: "call", type: "ExecuteWorkflow", inputs: { workflow: "leaf", inputs: { what: "x" } } }],
  };
  const single: Workflow = { ...leaf, blocks: leaf.blocks.slice(0, 1), outputs: { one: "${blocks.first.input_value}" } };
  const run = await createExecutor({ store: inside, workflows: [outer, single], host: host(1) }).start("outer");
  const { pauses } = await run.settled();
  const kid = (await inside.runs({})).items.find(({ id }) => id !== run.id)!;
  // The caller notes the answer and dies before it takes the end of the called run.
  const store: Store = {
    ...inside,
    async commit(commit) {
      if (commit.run === run.id && (await inside.head(run.id))!.pauses.length === 0) throw new WorkflowError("STORE_LOST", "It is gone.");
      return inside.commit(commit);
    },
  };
  await createExecutor({ store, workflows: [outer, single], host: host(2) })
    .answer(pauses![0]!.id, "a")
    .catch(() => {});
  expect(await inside.head(run.id)).toMatchObject({ status: "running", pauses: [] });
  await inside.delete(kid.id);
  const again = await createExecutor({ store: inside, workflows: [outer, single], host: host(3) }).open(run.id);
  const asked = await again.resume();
  expect(asked.pauses?.map(({ path }) => path)).toEqual([["call", "first"]]);
  expect(await again.answer(asked.pauses![0]!.id, "b")).toMatchObject({ status: "success" });
});

test("a run that was cancelled while a called run asked has ended, and its checkpoint can be forked", async () => {
  const first = { id: "a", type: "GetInput", inputs: { prompt: "a?" } };
  const both: Workflow = {
    name: "both",
    blocks: [first, { id: "call", type: "ExecuteWorkflow", inputs: { workflow: "leaf", inputs: { what: "x" } } }],
  };
  const executor = createExecutor({ store: memoryStore(), workflows: [both, leaf], host: host(1) });
  const run = await executor.start("both");
  const { pauses } = await run.settled();
  await run.answer(pauses!.find(({ path }) => path[0] === "a")!.id, "yes");
  await run.cancel();
  expect(await run.back()).toMatchObject({ status: "failure", error: { code: "RUN_ENDED" } });
  const fork = await executor.fork(pauses!.find(({ path }) => path[0] === "a")!.id);
  expect((await fork.settled()).pauses?.map(({ path }) => path.join("/"))).toEqual(["a", "call/first"]);
});

test("a run that is cancelled while it looks for the one it calls calls none", async () => {
  const inside = memoryStore();
  let cancel = (): void => {};
  let found = (): void => {};
  const looked = new Promise<void>((resolve) => (cancel = resolve));
  const search = new Promise<void>((resolve) => (found = resolve));
  const store: Store = {
    ...inside,
    async head(id) {
      if (!id.endsWith("outer")) {
        cancel();
        await search;
      }
      return inside.head(id);
    },
  };
  const run = await createExecutor({ store, workflows: [top, middle, leaf], host: host(1) }).start("top", {}, { id: "outer" });
  await looked;
  const cancelled = run.cancel();
  await expect.poll(() => run.getSnapshot().status).toBe("cancelled");
  found();
  expect(await cancelled).toMatchObject({ status: "failure", error: { code: "RUN_CANCELLED" } });
  expect(run.getSnapshot().error).toMatchObject({ code: "RUN_CANCELLED" });
  expect((await inside.runs()).items.map(({ id, status }) => [id, status])).toEqual([["run_outer", "cancelled"]]);
});
