import { createExecutor, defineBlock, failure, success, type Executor, type Store, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";
import { describe, expect, test } from "vitest";
import { compileWorkflow } from "../../../src/core/engine/compile.ts";
import { foldRun, readEntries } from "../../../src/core/engine/read-run.ts";
import type { Services } from "../../../src/core/engine/services.ts";
import { findSnapshot, keepSnapshot, readBase, writeBase } from "../../../src/core/engine/snapshots.ts";
import { encodeState } from "../../../src/core/engine/state-encoding.ts";
import type { RunState } from "../../../src/core/engine/state.ts";
import { transition } from "../../../src/core/engine/transition.ts";
import type { BaseEntry } from "../../../src/core/model/journal.ts";

/** Fails at first, gives what only the rich encoding holds, and asks to run again. */
const odd = defineBlock({
  type: "Odd",
  execute: (context) => {
    if (context.attempt === 1) return failure("not yet");
    if (context.iteration < 3) return context.nextIteration({ round: context.iteration, when: new Date(7) });
    return success({
      map: new Map([["a", new Set([1n])]]),
      bytes: new Uint8Array([0, 255]),
      none: undefined,
      nan: Number.NaN,
      "~value": 1,
    });
  },
});

const INNER: Workflow = {
  name: "inner",
  blocks: [{ id: "ask", type: "AskChoice", inputs: { question: "Which?", choices: ["a", "b"] } }],
  outputs: { choice: "${blocks.ask.choice}" },
};

const EVERYTHING: Workflow = {
  name: "everything",
  inputs: { list: { type: "array", default: ["x", "y", null, { "~map": [1] }] } },
  blocks: [
    { id: "odd", type: "Odd", retry: { maxAttempts: 5, delayMs: 1 } },
    { id: "each", type: "EchoBlock", forEach: "${inputs.list}", inputs: { message: "item ${each.value}" } },
    { id: "form", type: "Form", inputs: { fields: [{ name: "age", type: "integer" }], prompt: "You" }, dependsOn: ["odd"] },
    { id: "sure", type: "ConfirmOperation", inputs: { message: "Sure?" }, dependsOn: ["odd"] },
    { id: "never", type: "EchoBlock", inputs: { message: "no" }, condition: false, dependsOn: ["each"] },
    { id: "wait", type: "Wait", inputs: { duration_ms: 5 }, dependsOn: ["sure"] },
    { id: "call", type: "ExecuteWorkflow", inputs: { workflow: "inner" }, dependsOn: ["wait"] },
    { id: "broken", type: "Nothing", continueOnError: true, dependsOn: ["call"] },
  ],
  outputs: { choice: "${blocks.call.choice}", nan: "${blocks.odd.nan}" },
};

const broken = defineBlock({ type: "Nothing", execute: () => failure("no", { half: true }) });

function executorOn(store: Store): Executor {
  return createExecutor({ store, workflows: [EVERYTHING, INNER], blocks: [odd, broken], host: fakeHost({ autoAdvance: true }) });
}

async function storeEverything(store: Store): Promise<string> {
  const executor = executorOn(store);
  const run = await executor.start("everything");
  await run.settled();
  const [form, sure] = run.getSnapshot().pauses;
  await run.answer(sure!.id, "yes");
  await run.answer(form!.id, { age: 3 });
  const result = await run.answer(run.getSnapshot().pauses[0]!.id, "b");
  expect(result).toMatchObject({ status: "success", outputs: { choice: "b" } });
  return run.id;
}

/** As much of an executor as folding a run asks for. */
function servicesOn(store: Store): Services {
  const services: Partial<Services> = { store, definition: async () => compileWorkflow(EVERYTHING) };
  return services as Services;
}

/** What a state says; whoever reads the entries counts their length. */
function known(state: RunState): unknown {
  return encodeState({ ...state, size: 0 });
}

describe("D19: a base or a snapshot and what follows it", () => {
  test("give the state that all entries give, wherever the journal is cut", async () => {
    const store = memoryStore();
    const id = await storeEverything(store);
    const services = servicesOn(store);
    const { entries: count } = (await store.head(id))!;
    expect(count).toBeGreaterThan(20);
    const whole = known(await foldRun(services, id, count));
    for (let cut = 1; cut <= count; cut++) {
      const { at, text } = await writeBase(await foldRun(services, id, cut));
      expect(at).toBe(cut);
      const state = await readBase(services, id, JSON.parse(text) as BaseEntry);
      for (const entry of await readEntries(services, id, cut, count)) transition(state, entry);
      expect(known(state), `cut at ${cut}`).toEqual(whole);
    }
  });

  test("so does a snapshot, whose steps are read when somebody asks for them", async () => {
    const store = memoryStore();
    const id = await storeEverything(store);
    const services = servicesOn(store);
    const { entries: count } = (await store.head(id))!;
    const whole = known(await foldRun(services, id, count));
    for (let cut = 1; cut <= count; cut++) {
      const folded = await foldRun(services, id, cut);
      await keepSnapshot(services, folded);
      const found = await findSnapshot(services, id, cut);
      expect(found?.entries).toBe(cut);
      for (const entry of await readEntries(services, id, cut, count)) transition(found!, entry);
      expect(known(found!), `cut at ${cut}`).toEqual(whole);
      const again = await findSnapshot(services, id, cut);
      const steps = EVERYTHING.blocks.map((_, block) => [again!.records.get(block), folded.records.get(block)] as const);
      for (const [read, recorded] of steps.toReversed()) expect(read, `cut at ${cut}`).toEqual(recorded);
    }
  });

  test("a snapshot in which anything was changed, lost or moved is left out", async () => {
    const store = memoryStore();
    const id = await storeEverything(store);
    const services = servicesOn(store);
    const { entries: count } = (await store.head(id))!;
    await keepSnapshot(services, await foldRun(services, id, count));
    const [{ key, text }] = (await store.notes(id, "snapshot.")) as [{ key: string; text: string }];
    const start = text.indexOf("\t");
    expect(text.slice(start)).toContain("item x");
    const changes = [
      text.replace("item x", "item X"),
      text.replace("item x", "x item"),
      text.slice(0, -1),
      text.slice(0, start),
      `${text}\t[]`,
      `${text}0`,
    ];
    for (const changed of changes) {
      await store.putNote(id, key, changed);
      expect(changed).not.toBe(text);
      expect(await findSnapshot(services, id, count), changed.slice(start)).toBeUndefined();
    }
    await store.putNote(id, key, text);
    expect(await findSnapshot(services, id, count)).toBeDefined();
  });

  test("D6: are refused where no run could have come to such a state", async () => {
    const store = memoryStore();
    const id = await storeEverything(store);
    const services = servicesOn(store);
    const { text } = await writeBase(await foldRun(services, id, 12));
    const changes: ((state: Record<string, unknown>) => void)[] = [
      (state) => (state["unsettled"] = { "~numbers": [0, 0, 0, 0, 0] }),
      (state) => (state["blocks"] = { "~bytes": "AQEBAQEBAQE=" }),
      (state) => (state["records"] = []),
      (state) => (state["wave"] = 4),
      (state) => (state["entries"] = 13),
      (state) => (state["started"] = undefined),
    ];
    for (const change of changes) {
      const entry = JSON.parse(text) as BaseEntry;
      change(entry.state as Record<string, unknown>);
      await expect(readBase(services, id, entry), String(change)).rejects.toMatchObject({ code: "RUN_CORRUPT" });
    }
  });
});

describe("a block that runs again and again", () => {
  const rounds = 600;
  const again = defineBlock({
    type: "Again",
    execute: (context) => (context.iteration < rounds ? context.nextIteration("x".repeat(1_000)) : success({ rounds: context.iteration })),
  });
  const workflow: Workflow = {
    name: "rounds",
    blocks: [
      { id: "again", type: "Again", maxIterations: rounds },
      { id: "ok", type: "ConfirmOperation", inputs: { message: "${blocks.again.rounds} rounds?" }, dependsOn: ["again"] },
    ],
    outputs: { ok: "${blocks.ok.confirmed}" },
  };

  test("leaves snapshots, and without them everything is the same", async () => {
    const store = memoryStore();
    const options = { store, workflows: [workflow], blocks: [again], host: fakeHost({ autoAdvance: true }) };
    const run = await createExecutor(options).start("rounds");
    await run.settled();
    const notes = await store.notes(run.id, "snapshot.");
    expect(notes.length).toBeGreaterThan(0);
    const looks = async (): Promise<unknown> => {
      const other = await createExecutor(options).open(run.id);
      return [other.getSnapshot(), await other.steps(), await other.state({ superstep: 300 }), await other.state()];
    };
    const withSnapshots = await looks();
    for (const { key } of notes) await store.putNote(run.id, key, "{ not even JSON");
    expect(await looks()).toEqual(withSnapshots);
    for (const { key } of notes) await store.putNote(run.id, key, undefined);
    expect(await looks()).toEqual(withSnapshots);
    const [pause] = run.getSnapshot().pauses;
    expect(await createExecutor(options).answer(pause!.id, "yes")).toMatchObject({ status: "success", outputs: { ok: true } });
  });
});
