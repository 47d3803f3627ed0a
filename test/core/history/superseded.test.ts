import { describe, expect, test } from "vitest";
import { createExecutor, type Block, type ListedCheckpoint, type Run, type Store, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost, faultyStore } from "wavepoint/testing";
import { isSuperseded, noteSuperseded } from "../../../src/core/machine/fold-revised.ts";
import type { RunState } from "../../../src/core/machine/state.ts";

const ask = (id: string, ...dependsOn: readonly string[]): Block => ({ id, type: "GetInput", inputs: { prompt: `${id}?` }, dependsOn });
const CHAIN: Workflow = { name: "chain", blocks: [ask("one"), ask("two", "one"), ask("three", "two"), ask("four", "three")] };

function setUp(store: Store, ...workflows: readonly Workflow[]) {
  return createExecutor({ store, workflows, host: fakeHost({ autoAdvance: true }) });
}

/** Answers the open questions with these texts, one after another. */
async function give(run: Run, ...texts: readonly string[]): Promise<void> {
  for (const text of texts) await run.answer(run.getSnapshot().pauses[0]!.id, text);
}

/** The checkpoints of a run, oldest first, as `wave` or the question, with a minus before those that are superseded. */
function named(items: readonly ListedCheckpoint[]): string {
  return items
    .toReversed()
    .map(({ kind, prompt, superseded }) => `${superseded ? "-" : ""}${prompt ?? kind}`)
    .join(" ");
}

async function started(flow: Workflow, store: Store = memoryStore(), ...others: readonly Workflow[]) {
  const executor = setUp(store, flow, ...others);
  const run = await executor.start(flow.name);
  await run.settled();
  const list = async () => named((await executor.checkpoints.list({ run: run.id })).items);
  return { executor, run, list, store };
}

describe("a checkpoint with an answer that was changed since", () => {
  test("is listed as superseded, those before it and after the change are not", async () => {
    const { run, list, executor, store } = await started(CHAIN);
    await give(run, "1", "2");
    expect(await list()).toBe("one? wave two? wave three?");
    await run.revise((await run.answers())[1]!.pause!, "other");
    expect(await list()).toBe("one? wave -two? -wave three? wave");
    await run.revise((await run.answers())[0]!.pause!, "new");
    expect(await list()).toBe("-one? -wave -two? -wave three? -wave wave");
    // Another process reads the same.
    const other = setUp(store, CHAIN);
    expect(named((await other.checkpoints.list({ run: run.id })).items)).toBe(await list());
    const { items } = await executor.checkpoints.list({ run: run.id });
    for (const { id, superseded } of items) expect((await executor.checkpoints.get(id)).superseded).toBe(superseded);
  });

  test("loads, forks, and resumes as stale", async () => {
    const { run, executor } = await started(CHAIN);
    await give(run, "1", "2");
    await run.revise((await run.answers())[0]!.pause!, "new");
    const old = (await executor.checkpoints.list({ run: run.id, kind: "wave" })).items.find(({ superseded }) => superseded)!;
    expect((await executor.checkpoints.get(old.id)).context.blocks["one"]!.outputs).toEqual({ input_value: "1" });
    expect(await executor.resume(old.id)).toMatchObject({ status: "failure", error: { code: "CHECKPOINT_STALE" } });
    const fork = await executor.fork(old.id);
    expect((await fork.answers()).map(({ answer }) => answer)).toContain("1");
  });

  test("is one too where the question is asked again by moving back", async () => {
    const { run, list } = await started(CHAIN);
    await give(run, "1", "2");
    await run.back();
    expect(await list()).toBe("one? wave -two? -wave -three? two?");
  });

  test("stands in another branch only where it does not hold the changed answer", async () => {
    const flow: Workflow = { name: "fork", blocks: [ask("left"), ask("right")] };
    const { run, list } = await started(flow);
    await give(run, "1");
    expect(await list()).toBe("left? right?");
    await run.revise((await run.answers())[0]!.pause!, "2");
    // The question on the right is open all the time: it waits beside the new answer.
    expect(await list()).toBe("-left? right?");
  });

  test("is one in the run that called, and in the run that was called", async () => {
    const inner: Workflow = { name: "inner", blocks: [ask("a"), ask("b", "a")], outputs: { a: "${blocks.a.outputs.input_value}" } };
    const outer: Workflow = {
      name: "outer",
      blocks: [
        ask("first"),
        { id: "call", type: "ExecuteWorkflow", inputs: { workflow: "inner" }, dependsOn: ["first"] },
        ask("last", "call"),
      ],
    };
    const { run, executor, list } = await started(outer, memoryStore(), inner);
    await give(run, "1", "2", "3");
    expect(await list()).toBe("first? wave a? wave b? last?");
    const { pause } = (await run.answers()).find(({ path }) => path.join("/") === "call/a")!;
    await run.revise(pause!, "other");
    // The call came to its end twice. The last question is the same, and stays open.
    expect(await list()).toBe("first? wave a? -wave -b? wave last?");
    const child = run.getSnapshot().waves[1]!.blocks[0]!.child!;
    expect(named((await executor.checkpoints.list({ run: child })).items)).toBe("-a? -wave -b? -wave wave");
  });

  test("is one in a called run that is given other inputs", async () => {
    const inner: Workflow = { name: "inner", inputs: { x: { type: "string" } }, blocks: [ask("a"), ask("b", "a")] };
    const outer: Workflow = {
      name: "outer",
      blocks: [
        ask("first"),
        {
          id: "call",
          type: "ExecuteWorkflow",
          inputs: { workflow: "inner", inputs: { x: "${blocks.first.outputs.input_value}" } },
          dependsOn: ["first"],
        },
      ],
    };
    const { run, executor } = await started(outer, memoryStore(), inner);
    await give(run, "1", "2");
    const child = run.getSnapshot().waves[1]!.blocks[0]!.child!;
    await run.revise((await run.answers())[0]!.pause!, "other");
    await run.settled();
    const names = named((await executor.checkpoints.list({ run: child })).items);
    expect(names).toMatch(/^-?a\? -wave b\?/);
    expect(names.split(" ").at(-1)).not.toContain("-");
  });
});

test("runs without a change are not read for a list of waves", async () => {
  const store = memoryStore();
  const quick: Workflow = { name: "quick", blocks: [{ id: "say", type: "EchoBlock", inputs: { message: "x" } }] };
  const executor = setUp(store, quick);
  for (let i = 0; i < 5; i++) await (await executor.start("quick")).settled();
  const watched = faultyStore(store);
  let journals = 0;
  const reads: Store = {
    ...watched,
    read: (...range) => {
      journals += 1;
      return watched.read(...range);
    },
  };
  const { items } = await setUp(reads, quick).checkpoints.list({});
  expect([items.length, journals]).toEqual([5, 0]);
});

test("stretches of a journal that touch are one, and those apart stay apart", () => {
  const state = { entries: 0, superseded: undefined } as unknown as RunState;
  const note = (from: number, entries: number): void => {
    state.entries = entries;
    noteSuperseded(state, from);
  };
  note(2, 5);
  expect(state.superseded).toEqual([[2, 4]]);
  expect([2, 3, 4, 5].map((entries) => isSuperseded(state, entries))).toEqual([false, true, true, false]);
  note(6, 9);
  expect(state.superseded).toEqual([
    [2, 4],
    [6, 8],
  ]);
  note(8, 12);
  expect(state.superseded).toEqual([
    [2, 4],
    [6, 11],
  ]);
  note(3, 14);
  expect(state.superseded).toEqual([[2, 13]]);
  for (let i = 0; i < 1_000; i++) note(13 + i, 15 + i);
  expect(state.superseded).toEqual([[2, 1_013]]);
});
