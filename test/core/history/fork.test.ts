import { describe, expect, test } from "vitest";
import {
  createExecutor,
  defineBlock,
  pause,
  success,
  type Block,
  type CheckpointPolicy,
  type Run,
  type Store,
  type Workflow,
} from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";
import { fillIn } from "../../support/fill-in.ts";
import { pauseOf } from "../../support/pause-of.ts";
import { workshop } from "../../support/workshop.ts";

const ask = (id: string, more: Partial<Block> = {}): Block => ({ id, type: "GetInput", inputs: { prompt: `${id}?` }, ...more });

const trip: Workflow = {
  name: "trip",
  inputs: { city: { type: "string" }, days: { type: "integer", default: 2 } },
  blocks: [
    ask("name"),
    { id: "city", type: "Work", dependsOn: ["name"], inputs: { value: "${inputs.city}" } },
    { id: "days", type: "Work", dependsOn: ["name"], inputs: { value: "${inputs.days}" } },
    ask("hotel", { dependsOn: ["city", "days"] }),
    ask("food", { dependsOn: ["city", "days"] }),
  ],
  outputs: {
    all: "${blocks.name.input_value} ${blocks.city.value} ${blocks.days.value} ${blocks.hotel.input_value} ${blocks.food.input_value}",
  },
};

function setUp(policy = {}) {
  const shop = workshop();
  const store = memoryStore();
  const parts = { store, host: fakeHost({ autoAdvance: true }), blocks: shop.blocks, policy };
  return { store, shop, parts, executor: createExecutor({ ...parts, workflows: [trip] }) };
}

const ANSWERS = { name: "Ada", hotel: "Grand", food: "fish" };

describe("a fork", () => {
  test("shares the past up to a checkpoint and goes on by itself", async () => {
    const { executor, shop } = setUp();
    const run = await executor.start("trip", { city: "Porto" });
    await fillIn(run, ANSWERS);
    const fork = await executor.fork(await pauseOf(run, "hotel"));
    expect(await fork.settled()).toMatchObject({ status: "paused", pauses: [{ path: ["hotel"] }, { path: ["food"] }] });
    expect(fork.getSnapshot().fork).toEqual({ run: run.id, checkpoint: await pauseOf(run, "hotel") });
    const listed = (await executor.checkpoints.list({ run: fork.id })).items;
    expect(listed.map(({ kind }) => kind).toSorted()).toEqual(["pause", "pause", "pause", "wave", "wave"]);
    for (const { id } of listed) expect(await executor.checkpoints.get(id)).toMatchObject({ run: fork.id });
    expect(await fillIn(fork, { hotel: "Small", food: "soup" })).toEqual(["hotel", "food"]);
    expect(await fork.settled()).toMatchObject({ outputs: { all: "Ada Porto 2 Small soup" } });
    expect(await run.settled()).toMatchObject({ outputs: { all: "Ada Porto 2 Grand fish" } });
    expect(shop.began).toEqual(["city", "days"]);
  });

  test("begins where the run is stored, while it goes on here", async () => {
    const turns = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, 10));
    let goOn!: () => void;
    const wanted = new Promise<void>((resolve) => (goOn = resolve));
    const slow = defineBlock({
      type: "Slow",
      execute: () => pause({ prompt: "Slow?" }),
      async resume() {
        await wanted;
        return success({});
      },
    });
    const store = memoryStore();
    let isWatched = false;
    const head: Store["head"] = async (id) => {
      const stored = await store.head(id);
      if (!isWatched) return stored;
      goOn();
      await turns();
      return stored;
    };
    const commit: Store["commit"] = async (given) => {
      if (isWatched && given.expected) await turns().then(turns);
      return store.commit(given);
    };
    const executor = createExecutor({
      store: Object.assign(Object.create(store) as Store, { head, commit }),
      host: fakeHost({ autoAdvance: true }),
      blocks: [slow],
      workflows: [{ name: "flow", blocks: [{ id: "slow", type: "Slow" }, ask("food")] }],
    });
    const run = await executor.start("flow");
    await run.settled();
    const answered = run.answer(await pauseOf(run, "slow"), "yes");
    await turns();
    const food = await pauseOf(run, "food");
    isWatched = true;
    const fork = await executor.fork(food);
    expect(await fork.settled()).toMatchObject({ status: "paused" });
    await answered;
  });

  test("at a question that was asked beside another one begins where it was open last: what was answered before stays", async () => {
    const { executor } = setUp();
    const run = await executor.start("trip", { city: "Porto" });
    await run.settled();
    await run.answer(await pauseOf(run, "name"), "Ada");
    const [hotel, food] = [await pauseOf(run, "hotel"), await pauseOf(run, "food")];
    await run.answer(hotel, "Grand");
    const atOpen = await executor.fork(food);
    expect(await atOpen.settled()).toMatchObject({ status: "paused", pauses: [{ path: ["food"] }] });
    await run.answer(food, "fish");
    const atAnswered = await executor.fork(food, { answers: { [food]: "soup" } });
    expect(await atAnswered.settled()).toMatchObject({ outputs: { all: "Ada Porto 2 Grand soup" } });
    const atFirst = await executor.fork(hotel);
    expect(await atFirst.settled()).toMatchObject({ status: "paused", pauses: [{ path: ["hotel"] }, { path: ["food"] }] });
  });

  test("at the end of any superstep lists what can be loaded, where a crash came in the middle of one", async () => {
    let isHeld = (block: string): boolean => block === "slow";
    const again = defineBlock({
      type: "Again",
      async execute({ iteration, nextIteration, block, signal }) {
        if (isHeld(block)) await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));
        return iteration < 3 ? nextIteration(iteration) : success({});
      },
    });
    const looped: Workflow = { name: "looped", blocks: [{ id: "quick", type: "Again" }, { id: "slow", type: "Again" }, ask("end")] };
    const store = memoryStore();
    const open = () => createExecutor({ store, workflows: [looped], blocks: [again] });
    const first = open();
    const { id } = await first.start("looped");
    await expect.poll(async () => (await store.read(id)).length).toBe(3);
    await first.close();
    isHeld = () => false;
    const later = open();
    await (await later.open(id)).resume();
    isHeld = () => true;
    for (const wave of (await later.checkpoints.list({ run: id, kind: "wave" })).items) {
      const fork = await later.fork(wave.id);
      for (const listed of (await later.checkpoints.list({ run: fork.id })).items) await later.checkpoints.get(listed.id);
    }
    await later.close();
  });

  test("is given answers by the ids of the pauses of its source", async () => {
    const { executor } = setUp();
    const run = await executor.start("trip", { city: "Porto" });
    await fillIn(run, ANSWERS);
    const [hotel, food] = [await pauseOf(run, "hotel"), await pauseOf(run, "food")];
    const fork = await executor.fork(hotel, { answers: { [hotel]: "Small", [food]: "soup" } });
    expect(await fork.settled()).toMatchObject({ outputs: { all: "Ada Porto 2 Small soup" } });
  });

  test("refuses answers that do not fit, or to what is not asked there, before anything is made", async () => {
    const { executor, store } = setUp();
    const run = await executor.start("trip", { city: "Porto" });
    await fillIn(run, ANSWERS);
    const [name, hotel] = [await pauseOf(run, "name"), await pauseOf(run, "hotel")];
    const refused = [
      { pause: hotel, answer: 7, code: "RESPONSE_INVALID" },
      { pause: name, answer: "Bob", code: "PAUSE_ALREADY_ANSWERED" },
      { pause: "pause_other.0", answer: "Bob", code: "CHECKPOINT_NOT_FOUND" },
    ];
    for (const { pause, answer, code } of refused) {
      await expect(executor.fork(hotel, { answers: { [pause]: answer } })).rejects.toMatchObject({ code });
    }
    await expect(executor.fork(name, { answers: { [hotel]: "x" } })).rejects.toMatchObject({ code: "CHECKPOINT_NOT_FOUND" });
    await expect(executor.fork("chk_nowhere.0")).rejects.toMatchObject({ code: "CHECKPOINT_NOT_FOUND" });
    expect((await store.runs()).items).toHaveLength(1);
  });

  test("revises answers of which one depends on another, in any order", async () => {
    const { executor } = setUp();
    const steps: Workflow = {
      name: "steps",
      blocks: [
        ask("a"),
        ask("b", { dependsOn: ["a"] }),
        ask("c", { dependsOn: ["b"], inputs: { prompt: "c of ${blocks.a.input_value}?" } }),
        ask("d", { dependsOn: ["c"] }),
      ],
      outputs: { all: "${blocks.a.input_value}${blocks.b.input_value}${blocks.c.input_value}${blocks.d.input_value}" },
    };
    const run = await executor.start(steps);
    await fillIn(run, { a: "1", b: "2", c: "3" }, { until: "d" });
    const [a, b, d] = [await pauseOf(run, "a"), await pauseOf(run, "b"), await pauseOf(run, "d")];
    for (const revise of [
      { [a]: "one", [b]: "two" },
      { [b]: "two", [a]: "one" },
    ]) {
      const fork = await executor.fork(d, { revise });
      expect(await fork.settled()).toMatchObject({ pauses: [{ path: ["c"], earlier: { response: "3", state: "needs_review" } }] });
      await fillIn(fork, { c: "three", d: "four" });
      expect(await fork.settled()).toMatchObject({ outputs: { all: "onetwothreefour" } });
    }
  });

  test("answers an open question that is revised, one of a called workflow too; what was never answered there has nothing to revise", async () => {
    const { executor } = setUp();
    const run = await executor.start({
      name: "calls",
      blocks: [{ id: "part", type: "ExecuteWorkflow", inputs: { workflow: "trip", inputs: { city: "Porto" } } }],
    });
    const { pauses } = await run.settled();
    const [asked] = (await executor.runs.list()).items.filter(({ id }) => id !== run.id);
    for (const id of [pauses![0]!.id, asked!.pauses[0]!.id]) {
      const fork = await executor.fork(pauses![0]!.id, { revise: { [id]: "Ada" } });
      expect(await fork.settled()).toMatchObject({ pauses: [{ path: ["part", "hotel"] }, { path: ["part", "food"] }] });
    }
    await fillIn(run, ANSWERS, { until: "part/food" });
    const called = await executor.open(asked!.id);
    const food = run.getSnapshot().pauses[0]!.id;
    const [name, hotel] = [await pauseOf(called, "name"), await pauseOf(called, "hotel")];
    for (const id of [food, await pauseOf(called, "food"), hotel]) {
      const made = executor.fork(pauses![0]!.id, { revise: { [id]: "fish" } });
      await expect(made).rejects.toMatchObject({ code: "CHECKPOINT_NOT_FOUND" });
    }
    const answered = await executor.fork(food, { revise: { [name]: "Bob", [hotel]: "Tent" } });
    await fillIn(answered, { food: "soup" });
    expect(await answered.state()).toMatchObject({ values: { part: { all: "Bob Porto 2 Tent soup" } } });
  });

  test("with other inputs runs again what comes out otherwise, and keeps the answers up to the checkpoint", async () => {
    const { executor, shop } = setUp();
    const run = await executor.start("trip", { city: "Porto" });
    await fillIn(run, ANSWERS);
    const fork = await executor.fork(await pauseOf(run, "hotel"), { inputs: { city: "Rome" } });
    expect(await fork.settled()).toMatchObject({ status: "paused", pauses: [{ path: ["hotel"] }, { path: ["food"] }] });
    expect(shop.began).toEqual(["city", "days", "city"]);
    await fillIn(fork, ANSWERS);
    expect(await fork.settled()).toMatchObject({ outputs: { all: "Ada Rome 2 Grand fish" } });
    await expect(executor.fork(await pauseOf(run, "hotel"), { inputs: { city: 1 } })).rejects.toMatchObject({ code: "INPUT_INVALID" });
  });

  test("with other inputs takes other answers to what was answered before, too", async () => {
    const { executor } = setUp();
    const run = await executor.start("trip", { city: "Porto" });
    await fillIn(run, ANSWERS);
    const [name, hotel] = [await pauseOf(run, "name"), await pauseOf(run, "hotel")];
    const fork = await executor.fork(hotel, { inputs: { city: "Rome", days: 3 }, answers: { [name]: "Bob", [hotel]: "Tent" } });
    expect(await fillIn(fork, { food: "pasta" })).toEqual(["food"]);
    expect(await fork.settled()).toMatchObject({ outputs: { all: "Bob Rome 3 Tent pasta" } });
  });

  test("with the latest definition keeps what that has unchanged", async () => {
    const { executor, shop, parts } = setUp();
    const run = await executor.start("trip", { city: "Porto" });
    await fillIn(run, ANSWERS, { until: "hotel" });
    const blocks = trip.blocks.map((block) => (block.id === "days" ? { ...block, inputs: { value: "${inputs.days} days" } } : block));
    const newer = createExecutor({ ...parts, workflows: [{ ...trip, blocks }] });
    const fork = await newer.fork((await run.settled()).pauses![0]!.id, { definition: "latest" });
    await fillIn(fork, ANSWERS);
    expect(await fork.settled()).toMatchObject({ outputs: { all: "Ada Porto 2 days Grand fish" } });
    expect(shop.began).toEqual(["city", "days", "days"]);
  });

  test("has other inputs as it was given them, in another process too, values that JSON lacks included", async () => {
    const rich: Workflow = {
      name: "rich",
      inputs: { about: { type: "object" } },
      blocks: [ask("name"), { id: "told", type: "Work", dependsOn: ["name"], inputs: { value: "${inputs.about}" } }],
      outputs: { told: "${blocks.told.value}" },
    };
    const { executor, parts } = setUp();
    const run = await executor.start(rich, { about: { on: new Date(1) } } as never);
    await run.settled();
    const fork = await executor.fork(run.getSnapshot().pauses[0]!.id, { inputs: { about: { on: new Date(2) } } as never });
    await fork.settled();
    const later = await createExecutor(parts).open(fork.id);
    await fillIn(later, { name: "Ada" });
    expect((await later.settled()).outputs).toEqual({ told: { on: new Date(2) } });
  });

  test("of history that is no longer kept is refused, and of what waits is made", async () => {
    const { executor, parts } = setUp({ retention: "latest" });
    const run = await executor.start("trip", { city: "Porto" });
    await fillIn(run, ANSWERS, { until: "hotel" });
    const name = await pauseOf(run, "name");
    await expect(executor.fork(name)).rejects.toMatchObject({ code: "CHECKPOINT_PRUNED" });
    const hotel = await pauseOf(run, "hotel");
    const fork = await executor.fork(hotel, { answers: { [hotel]: "Small" } });
    expect(await fork.settled()).toMatchObject({ status: "paused", pauses: [{ path: ["food"] }] });
    const read = await createExecutor({ ...parts, workflows: [trip] }).open(fork.id);
    expect(await fillIn(read, { food: "soup" })).toEqual(["food"]);
    expect(await read.settled()).toMatchObject({ outputs: { all: "Ada Porto 2 Small soup" } });
  });

  test("of a run that is written at its end is stored at once", async () => {
    const { executor, store } = setUp({ durability: "exit", retention: "latest" });
    const run = await executor.start("trip", { city: "Porto" });
    await fillIn(run, ANSWERS, { until: "hotel" });
    const fork = await executor.fork(await pauseOf(run, "hotel"));
    expect(await store.head(fork.id)).toMatchObject({ status: "paused", fork: { run: run.id } });
  });
});

describe.each(["latest", "windowed"] as const)("a fork of a run that keeps little of its past, retention %s,", (retention) => {
  const inner: Workflow = { name: "inner", blocks: [ask("one"), ask("side"), ask("two", { dependsOn: ["one", "side"] })] };
  const outer: Workflow = {
    name: "outer",
    blocks: [
      ask("a"),
      { id: "part", type: "ExecuteWorkflow", dependsOn: ["a"], inputs: { workflow: "inner" } },
      ask("z", { dependsOn: ["part"] }),
    ],
    outputs: { z: "${blocks.z.input_value}" },
  };
  const policy: CheckpointPolicy = { retention, ...(retention === "windowed" ? { window: 1 } : {}) };
  const openIn = (run: Run): string[] => run.getSnapshot().pauses.map(({ path }) => path.join("/"));
  const idOf = (run: Run, path: string): string => run.getSnapshot().pauses.find((pause) => pause.path.join("/") === path)!.id;

  test("at a question of a called workflow goes on to the end, and can be opened all the way", async () => {
    const store = memoryStore();
    const parts = { store, workflows: [inner, outer], policy };
    const executor = createExecutor(parts);
    const run = await executor.start("outer");
    await fillIn(run, { a: "1" }, { until: "part/one" });
    await run.answer(idOf(run, "part/one"), "2");
    const fork = await executor.fork(idOf(run, "part/side"));
    await fork.settled();
    for (const answers of [{ "part/side": "3" }, { "part/one": "2" }, { "part/two": "4" }, { z: "5" }] as const) {
      const [[path, answer]] = Object.entries(answers) as [[string, string]];
      if (openIn(fork).includes(path)) await fork.answer(idOf(fork, path), answer);
      const again = await createExecutor(parts).open(fork.id);
      await again.resume();
      expect(openIn(again)).toEqual(openIn(fork));
    }
    expect(fork.getSnapshot()).toMatchObject({ status: "completed", outputs: { z: "5" } });
  });
});

test("D3: a question that waited where the kept past of a run begins is found there, and forked, once it is answered", async () => {
  const both: Workflow = { name: "both", blocks: [ask("one"), ask("side"), ask("two", { dependsOn: ["one", "side"] })] };
  const store = memoryStore();
  const run = await createExecutor({ store, workflows: [both], policy: { retention: "latest" } }).start("both");
  await run.settled();
  await run.answer(await pauseOf(run, "one"), "1");
  const executor = createExecutor({ store, policy: { retention: "windowed", window: 9 } });
  const later = await executor.open(run.id);
  const side = await pauseOf(later, "side");
  await later.answer(side, "2");
  const { items } = await executor.checkpoints.list();
  expect(items.map(({ id }) => id)).toContain(side);
  for (const { id } of items) await expect(executor.checkpoints.get(id)).resolves.toMatchObject({ id });
  const fork = await executor.fork(side, { answers: { [side]: "3" } });
  expect(await fork.settled()).toMatchObject({ pauses: [{ path: ["two"] }] });
  expect((await fork.state()).values).toMatchObject({ one: { input_value: "1" }, side: { input_value: "3" } });
});

test("D3: a question that waited when a run was cancelled is found and forked, though the run keeps nothing older", async () => {
  const beside: Workflow = { name: "beside", blocks: [ask("one"), ask("side"), ask("two", { dependsOn: ["one", "side"] })] };
  const executor = createExecutor({ store: memoryStore(), workflows: [beside], policy: { retention: "latest" } });
  const run = await executor.start("beside");
  await run.settled();
  await run.answer(await pauseOf(run, "one"), "1");
  const side = await pauseOf(run, "side");
  await run.cancel();
  const { items } = await executor.checkpoints.list();
  expect(items.map(({ id }) => id)).toContain(side);
  for (const { id } of items) await expect(executor.checkpoints.get(id)).resolves.toMatchObject({ id });
  const fork = await executor.fork(side, { answers: { [side]: "2" } });
  expect(await fork.settled()).toMatchObject({ pauses: [{ path: ["two"] }] });
  expect((await fork.state()).values).toMatchObject({ one: { input_value: "1" }, side: { input_value: "2" } });
});
