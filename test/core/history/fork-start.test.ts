import { describe, expect, test } from "vitest";
import { createExecutor, defineBlock, isWorkflowError, success, type Block, type ForkOptions, type Store, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";
import { everyStopPoint, stopAt } from "../../crash-points/stop-at.ts";
import { fillIn } from "../../support/fill-in.ts";
import { pauseOf } from "../../support/pause-of.ts";

const step = (id: string, dependsOn: readonly string[] = [], more: Partial<Block> = {}): Block => ({
  id,
  type: "Step",
  dependsOn,
  ...more,
});

/** Beside the chain that leads to `report` stands `aside`. */
const chain: Workflow = {
  name: "chain",
  blocks: [
    step("fetch"),
    step("aside"),
    step("parse", ["fetch"], { inputs: { of: "${blocks.fetch.text}" } }),
    step("count", ["parse"], { inputs: { of: "${blocks.parse.text}" } }),
    step("report", ["count", "aside"], { inputs: { of: "${blocks.count.text} ${blocks.aside.text}" } }),
  ],
  outputs: { report: "${blocks.report.text}", parsed: "${blocks.parse.text}" },
};

const asking: Workflow = {
  name: "asking",
  blocks: [
    { id: "name", type: "GetInput", inputs: { prompt: "Name?" } },
    step("price", ["name"], { inputs: { of: "${blocks.name.input_value}" } }),
    { id: "pay", type: "Pay", dependsOn: ["price"], inputs: { of: "${blocks.price.text}" } },
    { id: "sure", type: "GetInput", dependsOn: ["pay"], inputs: { prompt: "Sure?" } },
  ],
  outputs: { paid: "${blocks.pay.text}", sure: "${blocks.sure.input_value}" },
};

const logging: Workflow = {
  name: "logging",
  channels: { log: { reduce: "append" }, sum: { reduce: "sum", type: "number" } },
  blocks: ["a", "b", "c"].map((id, i, ids) =>
    step(
      id,
      ids.slice(i - 1, i).filter(() => i > 0),
      { type: "Note", inputs: { of: "${channels.log}" }, writes: { log: id, sum: 1 } },
    ),
  ),
  outputs: { log: "${channels.log}", sum: "${channels.sum}" },
};

function setUp({
  store = memoryStore(),
  policy = {},
  seed = 1,
}: { readonly store?: Store; readonly policy?: object; readonly seed?: number } = {}) {
  const began: string[] = [];
  const type = (name: string, more: object = {}) =>
    defineBlock({
      type: name,
      outputs: { jsonSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] } },
      pure: true,
      ...more,
      execute({ block, inputs }) {
        began.push(block);
        return success({ text: `${block}(${String((inputs as { readonly of?: unknown }).of ?? "")})` });
      },
    });
  const grow = defineBlock({
    type: "Grow",
    execute: ({ add }) => {
      add([step("grown")]);
      return success({});
    },
  });
  const blocks = [type("Step"), type("Pay", { effect: "once", pure: false }), type("Note"), grow];
  const workflows = [chain, asking, logging];
  return { began, store, executor: createExecutor({ store, policy, workflows, blocks, host: fakeHost({ seed, autoAdvance: true }) }) };
}

/** The checkpoint after so many waves of a run. */
const wave = (run: { readonly id: string }, number: number): string => `chk_${run.id.slice(4)}.${number}`;

async function completed(setup: ReturnType<typeof setUp>, workflow: string | Workflow = "chain") {
  const run = await setup.executor.start(workflow as string);
  await run.settled();
  setup.began.length = 0;
  return run;
}

describe("a fork that begins at a block", () => {
  test("runs it and what depends on it once more, and nothing before it", async () => {
    const setup = setUp();
    const run = await completed(setup);
    const fork = await setup.executor.fork(wave(run, 3), { startAt: "count" });
    expect(await fork.settled()).toMatchObject({ outputs: { report: "report(count(parse(fetch())) aside())" } });
    expect(setup.began).toEqual(["count", "report"]);
    expect((await run.steps()).length).toBe(5);
  });

  test("goes on with outputs that it is given for blocks that have not run", async () => {
    const setup = setUp();
    const run = await completed(setup);
    const fork = await setup.executor.fork(wave(run, 0), { startAt: "count", outputs: { parse: { text: "given" } } });
    expect(await fork.settled()).toMatchObject({ outputs: { report: "report(count(given) aside())", parsed: "given" } });
    expect(setup.began).toEqual(["count", "report"]);
    const steps = await fork.steps();
    expect(steps.map(({ block, attempts }) => `${block} ${attempts ?? ""}`)).toContain("parse 0");
    expect(fork.getSnapshot().waves[1]!.blocks).toMatchObject([{ id: "parse", status: "completed", attempts: 0 }]);
    const entries = (await setup.store.read(fork.id)).map((entry) => JSON.parse(entry) as { readonly type: string });
    expect(entries.filter(({ type }) => type === "supplied")).toMatchObject([{ block: "parse", outputs: { text: "given" } }]);
  });

  test("takes other outputs in the place of those that a block had, and runs what depends on it", async () => {
    const setup = setUp();
    const run = await completed(setup);
    const fork = await setup.executor
      .fork(wave(run, 3), { startAt: "count", outputs: { fetch: { text: "other" }, aside: { text: "x" } } })
      .catch((e: unknown) => e);
    expect(fork).toMatchObject({ code: "OUTPUT_INVALID", details: { block: "aside" } });
    const made = await setup.executor.fork(wave(run, 3), { startAt: "report", outputs: { count: { text: "7" }, aside: { text: "x" } } });
    expect(await made.settled()).toMatchObject({ outputs: { report: "report(7 x)" } });
    expect(setup.began).toEqual(["report"]);
    const parsed = await setup.executor.fork(wave(run, 3), { startAt: "count", outputs: { parse: { text: "p" } } });
    expect(await parsed.settled()).toMatchObject({ outputs: { report: "report(count(p) aside())" } });
  });

  test("leaves out what is before it and is not needed, and runs what stands beside it", async () => {
    const setup = setUp();
    const beside: Workflow = {
      ...chain,
      name: "beside",
      blocks: [{ id: "first", type: "GetInput", inputs: { prompt: "?" } }, ...chain.blocks],
    };
    const run = await setup.executor.start(beside);
    const [pause] = (await run.settled()).pauses!;
    setup.began.length = 0;
    const fork = await setup.executor.fork(pause!.id, {
      startAt: "report",
      outputs: { count: { text: "1" } },
      answers: { [pause!.id]: "x" },
    });
    expect(await fork.settled()).toMatchObject({ outputs: { report: "report(1 aside())" } });
    expect(setup.began).toEqual(["report"]);
    const steps = Object.fromEntries((await fork.steps()).map(({ block, status, skipped }) => [block, skipped?.kind ?? status]));
    expect(steps).toMatchObject({ first: "completed", fetch: "completed", parse: "passed-over", count: "completed", report: "completed" });
  });

  test("takes the place of an open question", async () => {
    const setup = setUp();
    const run = await setup.executor.start("asking");
    const [name] = (await run.settled()).pauses!;
    const fork = await setup.executor.fork(name!.id, { startAt: "price", outputs: { name: { input_value: "Ada" } } });
    expect(await fork.settled()).toMatchObject({ status: "paused", pauses: [{ path: ["sure"] }] });
    await fillIn(fork, { sure: "yes" });
    expect(await fork.settled()).toMatchObject({ outputs: { paid: "pay(price(Ada))", sure: "yes" } });
    expect(run.getSnapshot().pauses).toHaveLength(1);
  });

  test("asks before it does again what must not run twice", async () => {
    const setup = setUp();
    const run = await setup.executor.start("asking");
    await fillIn(run, { name: "Ada", sure: "yes" });
    setup.began.length = 0;
    const sure = await pauseOf(run, "sure");
    const same = await setup.executor.fork(sure, { startAt: "pay" });
    expect(await same.settled()).toMatchObject({ pauses: [{ path: ["sure"] }] });
    expect(setup.began).toEqual([]);
    for (const checkpoint of [sure, wave(run, 0)]) {
      const fork = await setup.executor.fork(checkpoint, { startAt: "pay", outputs: { price: { text: "9" } } });
      const [asked] = (await fork.settled()).pauses!;
      expect(asked).toMatchObject({ path: ["pay"], title: "This is already done. Shall it be done again?" });
      await fork.answer(asked!.id, { outcome: "again" });
      await fillIn(fork, { sure: "no" });
      expect(await fork.settled()).toMatchObject({ outputs: { paid: "pay(9)", sure: "no" } });
    }
    expect(setup.began).toEqual(["pay", "pay"]);
  });

  test("begins with what channels are given", async () => {
    const setup = setUp();
    const run = await completed(setup, "logging");
    const fork = await setup.executor.fork(wave(run, 2), { startAt: "c", channels: { log: ["x"], sum: 40 } });
    expect(await fork.settled()).toMatchObject({ outputs: { log: ["x", "c"], sum: 41 } });
    const early = await setup.executor.fork(wave(run, 0), { startAt: "c", outputs: { b: { text: "" } }, channels: { sum: 10 } });
    expect(await early.settled()).toMatchObject({ outputs: { log: ["a", "c"], sum: 11 } });
    const unknown = setup.executor.fork(wave(run, 2), { startAt: "c", channels: { log: [] } });
    await expect(unknown).rejects.toMatchObject({ code: "CHANNEL_INVALID", details: { block: "c", channel: "sum" } });
  });

  test("keeps what others wrote to channels where answers can be changed", async () => {
    const setup = setUp();
    const ask: Block = { id: "ask", type: "GetInput", dependsOn: ["c"], inputs: { prompt: "?" } };
    const run = await setup.executor.start({ ...logging, name: "logged", blocks: [...logging.blocks, ask] });
    const [pause] = (await run.settled()).pauses!;
    for (const [options, log, sum] of [
      [{ startAt: "c" }, ["a", "b", "c"], 3],
      [{ startAt: "b", channels: { log: ["x"] } }, ["x", "b", "c"], 3],
    ] as const) {
      const fork = await setup.executor.fork(pause!.id, options as ForkOptions);
      await fillIn(fork, { ask: "yes" });
      expect(await fork.settled()).toMatchObject({ outputs: { log, sum } });
    }
  });

  test("begins at a block that was added, and not where it is not there yet", async () => {
    const setup = setUp();
    const growing: Workflow = {
      name: "growing",
      blocks: [step("seed"), { id: "grow", type: "Grow", dependsOn: ["seed"] }, step("end", ["grow"])],
    };
    const run = await setup.executor.start(growing);
    await run.settled();
    setup.began.length = 0;
    const last = (await setup.executor.checkpoints.list({ run: run.id })).items[0]!.id;
    const fork = await setup.executor.fork(last, { startAt: "grown" });
    expect(await fork.settled()).toMatchObject({ status: "success" });
    expect(setup.began).toEqual(["grown"]);
    await expect(setup.executor.fork(wave(run, 0), { startAt: "grown" })).rejects.toMatchObject({
      code: "REFERENCE_UNKNOWN",
      message: expect.stringContaining("was added later"),
    });
    const again = await setup.executor.fork(last, { startAt: "grow" });
    expect(await again.settled()).toMatchObject({ status: "success" });
    expect(setup.began.toSorted()).toEqual(["end", "grown", "grown"]);
  });

  test("is refused before anything is made where it cannot begin so", async () => {
    const setup = setUp();
    const run = await completed(setup);
    const logged = await completed(setup, "logging");
    const each: Workflow = { name: "each", blocks: [step("list", [], { forEach: ["x"] }), step("then", ["list"])] };
    const listed = await completed(setup, each);
    const made = (await setup.store.runs()).items.length;
    const refused: readonly (readonly [checkpoint: string, options: ForkOptions, code: string, says: string])[] = [
      [wave(run, 0), { startAt: "cuont" }, "REFERENCE_UNKNOWN", 'no block "cuont"'],
      [wave(run, 0), { startAt: "count", outputs: { prase: {} } }, "REFERENCE_UNKNOWN", 'no block "prase"'],
      [wave(run, 0), { startAt: "count", outputs: { report: { text: "" } } }, "OUTPUT_INVALID", 'is not before "count"'],
      [wave(run, 0), { startAt: "count", outputs: { count: { text: "" } } }, "OUTPUT_INVALID", 'is not before "count"'],
      [wave(run, 0), { startAt: "count", outputs: { parse: { text: 7 } } } as never, "OUTPUT_INVALID", 'outputs of block "parse"'],
      [wave(run, 0), { startAt: "count", outputs: { parse: "x" } } as never, "OUTPUT_INVALID", 'outputs of block "parse"'],
      [wave(run, 0), { startAt: "count" }, "OUTPUT_INVALID", '"parse", which "count" needs'],
      [wave(listed, 0), { startAt: "then", outputs: { list: {} } }, "OUTPUT_INVALID", "for each of its items"],
      [wave(logged, 0), { startAt: "b", channels: { lgo: [] } }, "CHANNEL_UNKNOWN", 'no channel "lgo"'],
      [wave(logged, 0), { startAt: "b", channels: { sum: "x" } }, "CHANNEL_INVALID", 'channel "sum" must be'],
      [wave(logged, 0), { startAt: "b", channels: { log: [new Date(1)] } } as never, "CHANNEL_INVALID", "plain JSON"],
      [wave(run, 0), { outputs: {} }, "KEY_UNKNOWN", "only with startAt"],
      [wave(run, 0), { startAt: "parse", inputs: {} }, "KEY_UNKNOWN", "inputs with startAt"],
    ];
    for (const [checkpoint, options, code, says] of refused) {
      const error: unknown = await setup.executor.fork(checkpoint, options).catch((thrown: unknown) => thrown);
      expect({ options, error: isWorkflowError(error) && error.code }).toEqual({ options, error: code });
      expect((error as Error).message).toContain(says);
    }
    expect((await setup.store.runs()).items).toHaveLength(made);
  });

  test.each([{}, { retention: "latest" }])("is read as it was written, moved to another store too: %j", async (policy) => {
    const setup = setUp({ policy });
    const run = await setup.executor.start("asking");
    const [name] = (await run.settled()).pauses!;
    const fork = await setup.executor.fork(name!.id, {
      startAt: "price",
      outputs: { name: { input_value: "Ada", at: new Date(5) as never } },
    });
    await fork.settled();
    const away = setUp({ policy });
    const moved = await away.executor.runs.import(await setup.executor.runs.export(fork.id));
    const read = setUp({ store: setup.store, policy });
    for (const other of [await away.executor.open(moved.id), await read.executor.open(fork.id)]) {
      expect((await other.steps()).map(({ block, attempts }) => `${block} ${attempts ?? ""}`)).toContain("name 0");
      expect((await other.state()).values["name"]).toEqual({ input_value: "Ada", at: new Date(5) });
      await fillIn(other, { sure: "yes" });
      expect(await other.settled()).toMatchObject({ outputs: { paid: "pay(price(Ada))" } });
    }
  });

  test("is whole or not there where its process dies at any write, and goes on", async () => {
    const options: ForkOptions = { startAt: "count", outputs: { parse: { text: "given" } } };
    const begin = async (): Promise<readonly [Store, string]> => {
      const store = memoryStore();
      const setup = setUp({ store });
      const run = await completed(setup);
      return [store, wave(run, 0)];
    };
    const counting = async (): Promise<number> => {
      const [store, checkpoint] = await begin();
      const stopping = stopAt(store);
      await (await setUp({ store: stopping.store, seed: 2 }).executor.fork(checkpoint, options)).settled();
      return stopping.writes();
    };
    let goneOn = 0;
    for (const point of everyStopPoint(await counting())) {
      const [store, checkpoint] = await begin();
      const stopping = stopAt(store, point);
      const { executor } = setUp({ store: stopping.store, seed: 2 });
      await executor.fork(checkpoint, options).then(
        (fork) => fork.settled().catch(() => {}),
        () => {},
      );
      await stopping.quiet();
      await executor.close().catch(() => {});
      const later = setUp({ store, seed: 3 });
      for (const { id, fork } of (await store.runs()).items) {
        if (!fork) continue;
        const made = await later.executor.open(id);
        const result = await (made.getSnapshot().status === "completed" ? made.settled() : made.resume());
        expect(result).toMatchObject({ outputs: { report: "report(count(given) aside())" } });
        expect((await made.steps()).find(({ block }) => block === "parse")).toMatchObject({ attempts: 0, outputs: { text: "given" } });
        goneOn++;
      }
    }
    expect(goneOn).toBeGreaterThan(2);
  });
});
