import { describe, expect, test } from "vitest";
import type { Block, Workflow } from "wavepoint";
import { createExecutor } from "wavepoint";
import { compileWorkflow } from "../../../src/core/definition/compile.ts";
import { initialState } from "../../../src/core/machine/initial-state.ts";
import { StepRecords } from "../../../src/core/machine/step-records.ts";
import { workshop } from "../../support/workshop.ts";
import { pauseOf, setStage, type Stage } from "./stage.ts";

const workflow = (blocks: readonly Block[], outputs: Workflow["outputs"] = {}): Workflow => ({ name: "w", blocks, outputs });
const before: Block = { id: "before", type: "Work" };

async function begin(given: Workflow, stage: Stage = setStage()) {
  const run = await stage.executorOf(given).start("w");
  return { ...stage, run, id: run.id, result: await run.settled() };
}

async function move(stage: Stage, id: string, to: Workflow) {
  const run = await stage.executorOf(to).open(id);
  return { run, result: await run.resume({ definition: "latest" }) };
}

describe("what a move takes along to other places in the plan", () => {
  test("items: those that are done stay done, those that ask go on asking", async () => {
    const each: Block = { id: "each", type: "Ask", forEach: ["a", "b", "c"], inputs: { prompt: "${each.value}?" } };
    const stage = await begin(workflow([each]));
    await stage.run.answer(pauseOf(stage.id, 1), "B");
    const { run } = await move(stage, stage.id, workflow([before, each], { said: "${blocks.each.results}" }));
    await run.answer({ [pauseOf(stage.id, 0)]: "A", [pauseOf(stage.id, 2)]: "C" });
    expect(run.getSnapshot()).toMatchObject({
      status: "completed",
      outputs: { said: [{ answer: "A" }, { answer: "B" }, { answer: "C" }] },
    });
    expect(stage.shop.began).toEqual(["each[0]", "each[1]", "each[2]", "each[1]", "before", "each[0]", "each[2]"]);
  });

  test("items under way cannot get another for_each; those that are done can", async () => {
    const each: Block = { id: "each", type: "Ask", forEach: ["a", "b"] };
    const other: Block = { ...each, forEach: ["a"] };
    const stage = await begin(workflow([each, { id: "end", type: "Ask", dependsOn: ["each"] }]));
    await expect(move(stage, stage.id, workflow([other]))).rejects.toMatchObject({
      code: "DEFINITION_MISMATCH",
      message: expect.stringContaining('"each" is under way, and its for_each is another') as string,
    });
    await stage.run.answer({ [pauseOf(stage.id, 0)]: "A", [pauseOf(stage.id, 1)]: "B" });
    const { result } = await move(stage, stage.id, workflow([other, { id: "end", type: "Ask", dependsOn: ["each"] }]));
    expect(result.status).toBe("paused");
  });

  test("instants and attempts: what sleeps wakes, with the attempts it had", async () => {
    const stage = setStage();
    const blocks: readonly Block[] = [
      { id: "sleep", type: "Sleep", inputs: { ms: 50_000 } },
      { id: "try", type: "Work", inputs: { fails: 1 }, retry: { maxAttempts: 3, delayMs: 60_000 } },
    ];
    const given = workflow(blocks);
    const store = stage.store;
    const held = createExecutor({
      store,
      host: { ...stage.host, sleep: () => new Promise(() => {}) },
      blocks: stage.shop.blocks,
      workflows: [given],
    });
    const started = await held.start("w");
    await new Promise<void>((resolve) => {
      started.subscribe(({ waves }) => {
        if (waves[0]!.blocks.every(({ status }) => status === "waiting")) resolve();
      });
    });
    await held.close();
    const { result, run } = await move(stage, started.id, workflow([before, ...blocks], { tries: "${blocks.try.attempt}" }));
    expect(result).toMatchObject({ status: "success", outputs: { tries: 2 } });
    expect(stage.shop.began).toEqual(["sleep", "try", "before", "sleep", "try#2"]);
    expect((await run.steps()).find(({ block }) => block === "try")).toMatchObject({ attempts: 2 });
  });

  test("skipped blocks, and failures that the run may have", async () => {
    const blocks: readonly Block[] = [
      { id: "no", type: "Work", condition: "1 == 2" },
      { id: "neither", type: "Work", dependsOn: ["no"] },
      { id: "fails", type: "Work", inputs: { fails: 9 }, continueOnError: true },
      { id: "ask", type: "Ask", dependsOn: ["fails", { block: "neither", required: false }] },
    ];
    const stage = await begin(workflow(blocks));
    const strict = blocks.map((block): Block => (block.id === "fails" ? { ...block, continueOnError: false } : block));
    const last: Block = { id: "last", type: "Work", dependsOn: ["ask"], inputs: { fails: 1 } };
    const { run } = await move(stage, stage.id, workflow([last, ...strict.toReversed()], { end: "${blocks.last.attempt}" }));
    expect(await run.answer(pauseOf(stage.id), "x")).toMatchObject({ status: "failure", error: { details: { block: "last" } } });
    stage.shop.mend();
    expect(await run.resume()).toMatchObject({ status: "success", outputs: { end: 1 } });
    expect((await run.steps()).map(({ block, status }) => `${block} ${status}`).toSorted()).toEqual([
      "ask completed",
      "fails failed",
      "last completed",
      "neither skipped",
      "no skipped",
    ]);
  });

  test("answers: one whose block had not looked at it before the process died", async () => {
    const ask: Block = { id: "ask", type: "Ask" };
    const stage = await begin(workflow([ask]));
    const head = (await stage.store.head(stage.id))!;
    const answered = JSON.stringify({ type: "answered", pause: 0, response: "late", at: 5 });
    await stage.store.commit({
      run: stage.id,
      expected: head,
      head: { ...head, revision: head.revision + 1, entries: head.entries + 1, status: "running", pauses: [] },
      entries: [answered],
      durability: "strict",
    });
    const { result } = await move(stage, stage.id, workflow([before, ask], { said: "${blocks.ask.answer}" }));
    expect(result).toMatchObject({ status: "success", outputs: { said: "late" } });
  });

  test("every list and table of a state is known to it", () => {
    const started = { type: "started", version: 1, workflow: "w", definition: "d", inputs: {}, at: 0 } as const;
    const state = initialState("run_x", compileWorkflow(workflow([before])), started);
    const tables = Object.entries(state).filter(
      ([, value]) => [Map, Set, StepRecords].some((table) => value instanceof table) || ArrayBuffer.isView(value),
    );
    const lists = Object.entries(state).filter(([, value]) => Array.isArray(value));
    const byBlock = ["blocks", "items", "unsettled", "records", "pauses"];
    const byUnit = ["units", "round"];
    const byWave = ["waiting", "ran"];
    const byId = ["done", "settledChannels"];
    const byNothing = ["answered", "forgottenEnds", "requested", "resources", "open", "ends", "formerly"];
    // What is new goes by the numbers of blocks, and a move has to take it along, or it does not.
    expect([...tables, ...lists].map(([name]) => name).toSorted()).toEqual(
      [...byBlock, ...byUnit, ...byWave, ...byId, ...byNothing].toSorted(),
    );
  });
});

describe("checkpoints of a run that moved", () => {
  const blocks: readonly Block[] = [
    { id: "a", type: "Work" },
    { id: "b", type: "Ask", dependsOn: ["a"] },
    { id: "c", type: "Work", dependsOn: ["b"] },
  ];
  const next = workflow([before, ...blocks.slice(0, 2), { id: "d", type: "Work", dependsOn: ["b"] }], { end: "moved" });

  test("from before are read with the old definition, later ones with the new one", async () => {
    const stage = await begin(workflow(blocks));
    const { run } = await move(stage, stage.id, next);
    await run.answer(pauseOf(stage.id), "x");
    const executor = stage.executorOf(next);
    const [old, now] = [
      await executor.checkpoints.get(`chk_${stage.id.slice(4)}.0`),
      await executor.checkpoints.get(`chk_${stage.id.slice(4)}.2`),
    ];
    expect(old).toMatchObject({ completedBlocks: ["a"], totalWaves: 3, definition: (await run.plan(workflow(blocks))).to });
    expect(now).toMatchObject({ completedBlocks: ["a", "before", "b", "d"], totalWaves: 3, definition: (await run.plan()).to });
    expect((await run.state({ superstep: 0 })).values).toEqual({ a: { attempt: 1 } });
  });

  test("from before can be forked, and go on with the old definition; a question that was open later goes on with the new one", async () => {
    const stage = await begin(workflow(blocks, { end: "old" }));
    const { run } = await move(stage, stage.id, next);
    await run.answer(pauseOf(stage.id), "x");
    const executor = stage.executorOf(next);
    const old = await executor.fork(`chk_${stage.id.slice(4)}.0`);
    const { pauses } = await old.settled();
    expect(await old.answer(pauses![0]!.id, "y")).toMatchObject({ status: "success", outdated: true, outputs: { end: "old" } });
    const fork = await executor.resume(pauseOf(stage.id), "y", { fork: true });
    expect(fork).toMatchObject({ status: "success", outputs: { end: "moved" } });
  });

  test("a superstep of which nothing is left to do ends with the move", async () => {
    const stage = await begin(
      workflow([
        { id: "a", type: "Work" },
        { id: "b", type: "Ask" },
      ]),
    );
    const executor = stage.executorOf(workflow([{ id: "a", type: "Work" }], { end: "${blocks.a.attempt}" }));
    const run = await executor.open(stage.id);
    await expect(run.resume({ definition: "latest" })).rejects.toMatchObject({ code: "DEFINITION_MISMATCH" });
    const dropping = createExecutor({
      store: stage.store,
      blocks: workshop().blocks,
      workflows: [workflow([{ id: "a", type: "Work" }], { end: "${blocks.a.attempt}" })],
      migrate: () => ({ blocks: { b: null } }),
    });
    const moved = await dropping.open(stage.id);
    expect(await moved.resume({ definition: "latest" })).toMatchObject({ status: "success", outputs: { end: 1 } });
    expect((await moved.state({ superstep: 0 })).values).toEqual({ a: { attempt: 1 } });
  });
});

describe("a journal with a move that cannot be", () => {
  test.each([
    ["to a definition that is not stored", { definition: "0".repeat(64) }],
    ["that loses a block that has begun", { definition: "lost" }],
    ["that gives a block to another type", { definition: "type" }],
    ["before something that has begun could", { definition: "open" }],
    ["with new ids that are none", { definition: "lost", blocks: { a: 7 } }],
    ["that says nothing", {}],
  ])("is refused: %s", async (_, entry: { readonly definition?: string }) => {
    const stage = await begin(workflow([{ id: "a", type: "Ask" }]));
    const targets = {
      lost: workflow([before]),
      type: workflow([{ id: "a", type: "Work" }]),
      open: workflow([before, { id: "a", type: "Ask", dependsOn: ["before"] }]),
    };
    const target = Object.hasOwn(targets, entry.definition ?? "") ? targets[entry.definition as keyof typeof targets] : undefined;
    if (target) await stage.executorOf(target).load(target);
    const definition = target ? (await stage.run.plan(target)).to : entry.definition;
    const head = (await stage.store.head(stage.id))!;
    const moved = JSON.stringify({ type: "moved", ...entry, definition, at: 5 });
    const next = { ...head, revision: head.revision + 1, entries: head.entries + 1 };
    await stage.store.commit({ run: stage.id, expected: head, head: next, entries: [moved], durability: "strict" });
    await expect(stage.executorOf().open(stage.id)).rejects.toMatchObject({ code: "RUN_CORRUPT" });
    expect((await stage.store.read(stage.id)).at(-1)).toBe(moved);
  });
});
