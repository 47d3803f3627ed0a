import { createExecutor, defineBlock, failure, success, type Executor, type Store, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost, runWriter } from "wavepoint/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { compileWorkflow } from "../../../src/core/definition/compile.ts";
import { foldRun, readEntries } from "../../../src/core/journal/read-run.ts";
import type { Services } from "../../../src/core/run/services.ts";
import { readBase, writeBase } from "../../../src/core/journal/states/bases.ts";
import { dropSnapshot, findSnapshot, keepSnapshot } from "../../../src/core/journal/states/snapshots.ts";
import { decodeState, encodeState, encodeSteps } from "../../../src/core/journal/states/state-encoding.ts";
import { COMPLETED } from "../../../src/core/machine/block-status.ts";
import { channelPart, channelValues } from "../../../src/core/machine/channel-scope.ts";
import { FoldedRun } from "../../../src/core/machine/folded-run.ts";
import { initialState } from "../../../src/core/machine/initial-state.ts";
import type { RunState } from "../../../src/core/machine/state.ts";
import type { BaseEntry } from "../../../src/core/model/journal.ts";

beforeAll(() => channelPart.load());

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
  channels: { log: { reduce: "append", default: ["~value"] }, count: { reduce: "sum" }, last: {}, tags: { reduce: "union" } },
  blocks: [
    { id: "odd", type: "Odd", retry: { maxAttempts: 5, delayMs: 1 }, writes: { last: "${blocks.odd.outputs}" } },
    {
      id: "each",
      type: "EchoBlock",
      forEach: "${inputs.list}",
      inputs: { message: "item ${each.value}" },
      writes: { log: "${each.value}", count: 1, tags: ["each", "${each.index}"] },
      repeatWhile: "${blocks.each.metadata.iterations} < 2",
    },
    { id: "form", type: "Form", inputs: { fields: [{ name: "age", type: "integer" }], prompt: "You" }, dependsOn: ["odd"] },
    { id: "sure", type: "ConfirmOperation", inputs: { message: "Sure?" }, dependsOn: ["odd"], writes: { log: "${channels.count}" } },
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
  const services: Partial<Services> = { store, host: fakeHost(), definition: async () => compileWorkflow(EVERYTHING) };
  return services as Services;
}

/** What a state says; the length of entries is counted where they are read. */
function known({ plan, state }: FoldedRun): unknown {
  const { records } = state;
  return [
    encodeState(new FoldedRun(plan, state)),
    Array.from({ length: records.stretches }, (_, stretch) => encodeSteps(records, stretch)),
  ];
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
      const found = await readBase(services, id, JSON.parse(text) as BaseEntry);
      for (const entry of await readEntries(services, id, cut, count)) found.apply(entry);
      expect(known(found), `cut at ${cut}`).toEqual(whole);
    }
  });

  const asking: Workflow = {
    name: "asking",
    channels: { log: { reduce: "append" }, n: { reduce: "sum" } },
    blocks: [
      { id: "a", type: "EchoBlock", inputs: { message: "a" }, writes: { log: "a", n: 1 }, repeatWhile: "${channels.n} < 3" },
      { id: "b", type: "EchoBlock", inputs: { message: "b" }, writes: { log: "b", n: "${channels.n}" }, dependsOn: ["a"] },
      { id: "q", type: "GetInput", inputs: { prompt: "${channels.n}?" }, dependsOn: ["b"] },
    ],
  };
  const { blocks, ...rest } = asking;

  test.each<[string, Workflow]>([
    ["which may be taken back", asking],
    ["which is joined for good", { ...rest, name: "silent", blocks: blocks.slice(0, 2) }],
  ])("have what channels hold, %s", async (_, workflow) => {
    const store = memoryStore();
    const run = await createExecutor({ store, workflows: [workflow], host: fakeHost({ autoAdvance: true }) }).start(workflow.name);
    await run.settled();
    const services = { ...servicesOn(store), definition: async () => compileWorkflow(workflow) } as Services;
    const { entries: count } = (await store.head(run.id))!;
    const held = { log: ["a", "a", "a", "b"], n: 6 };
    expect(channelValues(await foldRun(services, run.id, count))).toEqual(held);
    for (let cut = 1; cut <= count; cut++) {
      const { text } = await writeBase(await foldRun(services, run.id, cut));
      const found = await readBase(services, run.id, JSON.parse(text) as BaseEntry);
      for (const entry of await readEntries(services, run.id, cut, count)) found.apply(entry);
      expect(channelValues(found), `cut at ${cut}`).toEqual(held);
    }
  });

  test("so does a snapshot, whose steps are read on demand", async () => {
    const store = memoryStore();
    const id = await storeEverything(store);
    const services = servicesOn(store);
    const { entries: count } = (await store.head(id))!;
    const whole = known(await foldRun(services, id, count));
    for (let cut = 1; cut <= count; cut++) {
      const folded = await foldRun(services, id, cut);
      await keepSnapshot(services, folded);
      const found = await findSnapshot(services, id, cut);
      expect(found?.state.entries).toBe(cut);
      for (const entry of await readEntries(services, id, cut, count)) found!.apply(entry);
      expect(known(found!), `cut at ${cut}`).toEqual(whole);
      const again = await findSnapshot(services, id, cut);
      const steps = EVERYTHING.blocks.map((_, block) => [again!.state.records.get(block), folded.state.records.get(block)] as const);
      for (const [read, recorded] of steps.toReversed()) expect(read, `cut at ${cut}`).toEqual(recorded);
    }
  });

  test("a snapshot in which anything was changed, lost or moved is left out", async () => {
    const store = memoryStore();
    const id = await storeEverything(store);
    const services = servicesOn(store);
    const { entries: count } = (await store.head(id))!;
    await keepSnapshot(services, await foldRun(services, id, count));
    const notes = await store.notes(id, "snapshot.");
    expect(notes.map(({ key }) => key)).toEqual(["snapshot.0", "snapshot.state"]);
    for (const { key, text } of notes) {
      expect(text).toContain("item x");
      const changes = [
        text.replace("item x", "item X"),
        text.replace("item x", "x item"),
        text.slice(0, -1),
        `${text} `,
        text.slice(1),
        "",
      ];
      for (const changed of [...changes, undefined]) {
        await store.putNote(id, key, changed);
        expect(changed).not.toBe(text);
        expect(await findSnapshot(services, id, count), changed).toBeUndefined();
      }
      await store.putNote(id, key, text);
    }
    expect(await findSnapshot(services, id, count)).toBeDefined();
    expect(await findSnapshot(services, id, count - 1)).toBeUndefined();
  });

  test("D6: are refused where no run could have come to such a state", async () => {
    const store = memoryStore();
    const id = await storeEverything(store);
    const services = servicesOn(store);
    const { text } = await writeBase(await foldRun(services, id, 12));
    const changes: ((state: Record<string, unknown>) => void)[] = [
      (state) => (state["unsettled"] = { "~numbers": [0, 5] }),
      (state) => (state["blocks"] = { "~codes": [1, 8] }),
      (state) => (state["blocks"] = { "~codes": [0, 1e9] }),
      (state) => (state["ends"] = { length: 1e9 }),
      (state) => (state["ends"] = [1]),
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

describe("D19: the snapshots of a run of many blocks", () => {
  const COUNT = 2_500;
  const wide: Workflow = { name: "wide", blocks: Array.from({ length: COUNT }, (_, i) => ({ id: `b${i}`, type: "Noop" })) };
  const compiled = compileWorkflow(wide);

  /** A run in which each block but the last ones has given its number. */
  function widely(): { readonly run: FoldedRun; readonly state: RunState } {
    const started = { type: "started", at: 0, version: 1, workflow: "wide", definition: "hash", inputs: {} } as const;
    const state = initialState("run_wide", compiled, started);
    for (let block = 0; block < COUNT - 3; block++) {
      state.blocks[block] = COMPLETED;
      state.records.set(block, { at: block, ms: 1, outputs: { block } });
    }
    state.unsettled[0] = 3;
    state.entries = COUNT - 2;
    return { run: new FoldedRun(new Map([["hash", compiled]]), state), state };
  }

  async function storeOfRun(): Promise<Store> {
    const store = memoryStore();
    await runWriter(store, "run_wide").commit(["{}"]);
    return store;
  }

  test("write what changed since the one before, and read what was written", async () => {
    const store = await storeOfRun();
    const written: string[] = [];
    const putNote: Store["putNote"] = async (id, key, text) => {
      written.push(key);
      await store.putNote(id, key, text);
    };
    const services: Services = { ...servicesOn({ ...store, putNote }), definition: async () => compiled };
    const { run, state } = widely();
    await keepSnapshot(services, run);
    expect(written.splice(0)).toEqual(["snapshot.0", "snapshot.1", "snapshot.2", "snapshot.state"]);
    state.entries += 1;
    state.records.set(5, { at: 5, ms: 1, outputs: { block: "another" } });
    await keepSnapshot(services, run);
    expect(written.splice(0)).toEqual(["snapshot.0", "snapshot.state"]);
    const outputs = ({ state: { records } }: FoldedRun): unknown[] =>
      [5, 6, 1_500, COUNT - 4, COUNT - 1].map((block) => records.get(block)?.outputs?.["block"]);
    const found = await findSnapshot(services, "run_wide", COUNT);
    expect(outputs(found!)).toEqual(["another", 6, 1_500, COUNT - 4, undefined]);
    found!.apply({ type: "completed", block: `b${COUNT - 1}`, at: 9, outputs: { block: "last" } });
    await keepSnapshot(services, found!);
    expect(written.splice(0)).toEqual(["snapshot.2", "snapshot.state"]);
    expect(outputs((await findSnapshot(services, "run_wide", COUNT))!)).toEqual(["another", 6, 1_500, COUNT - 4, "last"]);
  });

  test("are left out where anything far behind in a long text was changed, lost or moved", async () => {
    const store = await storeOfRun();
    const services: Services = { ...servicesOn(store), definition: async () => compiled };
    const { run, state } = widely();
    // Characters of one to four bytes, so that what is summed at a time ends in the middle of some.
    for (let block = 0; block < 1_000; block++)
      state.records.set(block, { at: block, ms: 1, outputs: { text: `n${block} aé€😀`.repeat(20) } });
    await keepSnapshot(services, run);
    expect((await findSnapshot(services, "run_wide", COUNT))?.state.records.get(999)?.outputs).toEqual({ text: "n999 aé€😀".repeat(20) });
    const [note] = await store.notes("run_wide", "snapshot.0");
    const { key, text } = note!;
    const last = text.lastIndexOf("n999");
    expect(last).toBeGreaterThan(2 * 65_536);
    const changes = [
      text.replaceAll("n998", "n997"),
      `${text.slice(0, last)}N999${text.slice(last + 4)}`,
      `${text.slice(0, last)}99n9${text.slice(last + 4)}`,
      `${text.slice(0, last)}${text.slice(last + 1)}`,
      `${text.slice(0, last)}${text.slice(last).replace("é", "è")}`,
      `${text} `,
    ];
    for (const changed of changes) {
      await store.putNote("run_wide", key, changed);
      expect(changed).not.toBe(text);
      expect(await findSnapshot(services, "run_wide", COUNT), changed.slice(last, last + 10)).toBeUndefined();
    }
    await store.putNote("run_wide", key, text);
    expect(await findSnapshot(services, "run_wide", COUNT)).toBeDefined();
  });

  test("are gone once the run has ended", async () => {
    const store = await storeOfRun();
    const services: Services = { ...servicesOn(store), definition: async () => compiled };
    const { run } = widely();
    await keepSnapshot(services, run);
    await dropSnapshot(services, run);
    expect(await store.notes("run_wide", "snapshot.")).toEqual([]);
  });

  test("refuse steps that the state cannot have, when they are read", async () => {
    const { run } = widely();
    const steps = Array.from({ length: 3 }, (_, stretch) => JSON.stringify(encodeSteps(run.state.records, stretch)));
    const services: Services = { ...servicesOn(memoryStore()), definition: async () => compiled };
    const encoded = JSON.parse(JSON.stringify(encodeState(run))) as unknown;
    const [first, ...others] = steps as [string, ...string[]];
    const read = (text: string): Promise<FoldedRun> =>
      decodeState(services, encoded, { id: "run_wide", compiled, steps: [text, ...others] });
    expect((await read(first)).state.records.get(0)?.outputs).toEqual({ block: 0 });
    const forged = [
      "[]",
      "{}",
      "no JSON",
      first.replace('"at":0', '"at":null'),
      first.replace('{"at":0,"ms":1,"outputs":{"block":0}}', "null"),
      first.replace('{"block":0}', "[0]"),
      first.replace('"outputs":{"block":0}', '"__proto__":{}'),
      `${first.slice(0, -1)},{"at":1,"ms":1,"outputs":{}}]`,
    ];
    for (const text of forged) {
      expect(text).not.toBe(first);
      const { records } = (await read(text)).state;
      expect(records.get(1_500)?.outputs).toEqual({ block: 1_500 });
      expect(() => records.get(0), text.slice(0, 60)).toThrow(expect.objectContaining({ code: "RUN_CORRUPT" }));
    }
    await expect(decodeState(services, encoded, { id: "run_wide", compiled, steps: [] })).rejects.toThrow(TypeError);
    await expect(decodeState(services, encoded, { id: "run_wide", compiled, steps: [...steps, "[]"] })).rejects.toThrow(TypeError);
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
