import { describe, expect, test } from "vitest";
import {
  createExecutor,
  defineBlock,
  failure,
  success,
  type Block,
  type BlockType,
  type Executor,
  type Run,
  type Store,
  type Workflow,
} from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";
import { stopAt } from "../../crash-points/stop-at.ts";
import { pauseOf } from "../../support/pause-of.ts";

const ask = (id: string, after?: string): Block => ({
  id,
  type: "GetInput",
  inputs: { prompt: `${id}?` },
  ...(after === undefined ? {} : { dependsOn: [after] }),
});
const book = (id: string, of: string, more: Partial<Block> = {}): Block => ({
  id,
  type: "Book",
  inputs: { of },
  compensate: `un${id}`,
  ...more,
});
const unbook = (id: string): Block => ({ id: `un${id}`, type: "Unbook", inputs: { of: `\${blocks.${id}.booked}` } });

/** A hotel, and a question after it; then a flight that there may be or not. */
const trip: Workflow = {
  name: "trip",
  blocks: [
    ask("city"),
    book("hotel", "${blocks.city.input_value}", { dependsOn: ["city"] }),
    ask("sure", "hotel"),
    book("flight", "${blocks.sure.input_value}", { type: "Fly", dependsOn: ["sure"] }),
    ask("done", "flight"),
    unbook("hotel"),
    unbook("flight"),
  ],
  outputs: { hotel: "${blocks.hotel.booked}", flight: "${blocks.flight.booked}" },
};

const calling: Workflow = {
  name: "calling",
  blocks: [
    ask("before"),
    { id: "call", type: "ExecuteWorkflow", dependsOn: ["before"], inputs: { workflow: "trip" } },
    ask("after", "call"),
  ],
};

/** One place of the world for several runs: what was booked and given back there, in order. */
function world(effect?: "once") {
  const ledger: string[] = [];
  const seats = { isFull: false };
  const booked = (what: string) => {
    ledger.push(what);
    return success({ booked: what });
  };
  const blocks = [
    defineBlock({ type: "Book", ...(effect ? { effect } : {}), execute: ({ inputs }) => booked(String(inputs["of"])) }),
    defineBlock({ type: "Fly", execute: () => (seats.isFull ? failure("No seat is left.") : booked("seat")) }),
    defineBlock({ type: "Unbook", execute: ({ inputs }) => booked(`no ${String(inputs["of"])}`) }),
  ];
  return { ledger, seats, blocks };
}

function executorOn(
  store: Store,
  { blocks }: { readonly blocks: readonly BlockType[] },
  more: readonly Workflow[] = [],
  seed = 1,
): Executor {
  const host = fakeHost({ autoAdvance: true, seed });
  return createExecutor({ store, blocks, host, workflows: [trip, calling, ...more], policy: { durability: "sync" } });
}

const reply = async (run: Run, block: string, value: string) => {
  await run.settled();
  return run.answer(await pauseOf(run, block), value);
};

async function atSure(executor: Executor): Promise<Run> {
  const run = await executor.start("trip");
  await reply(run, "city", "Rome");
  return run;
}

describe("a fork", () => {
  test("undoes what it did itself, and leaves what was done before it to the run it comes from", async () => {
    const { ledger, seats, ...parts } = world();
    const executor = executorOn(memoryStore(), parts);
    const run = await atSure(executor);
    const fork = await executor.fork(await pauseOf(run, "sure"));
    await reply(fork, "sure", "yes");
    await fork.cancel();
    expect(ledger).toEqual(["Rome", "seat", "no seat"]);
    // The hotel is still booked for the other one.
    seats.isFull = true;
    expect(await reply(run, "sure", "yes")).toMatchObject({ status: "failure" });
    expect(ledger).toEqual(["Rome", "seat", "no seat", "no Rome"]);
  });

  test("that has done nothing undoes nothing", async () => {
    const { ledger, ...parts } = world();
    const executor = executorOn(memoryStore(), parts);
    const run = await atSure(executor);
    const fork = await executor.fork(await pauseOf(run, "sure"));
    expect(await fork.cancel()).toMatchObject({ error: { code: "RUN_CANCELLED" } });
    expect(fork.getSnapshot()).toMatchObject({ status: "cancelled" });
    expect(fork.getSnapshot().compensations).toBeUndefined();
    expect(ledger).toEqual(["Rome"]);
  });

  test("of a fork leaves both their deeds to them", async () => {
    const { ledger, ...parts } = world();
    const store = memoryStore();
    const executor = executorOn(store, parts);
    const run = await atSure(executor);
    const fork = await executor.fork(await pauseOf(run, "sure"));
    await reply(fork, "sure", "yes");
    const second = await executorOn(store, parts, [], 2).fork(await pauseOf(fork, "done"));
    await second.cancel();
    expect(ledger).toEqual(["Rome", "seat"]);
    await fork.cancel();
    await run.cancel();
    expect(ledger).toEqual(["Rome", "seat", "no seat", "no Rome"]);
  });

  test("of a fork at a checkpoint that both share does again what was undone before the first of them", async () => {
    const { ledger, seats, ...parts } = world();
    const store = memoryStore();
    const run = await atSure(executorOn(store, parts));
    seats.isFull = true;
    await reply(run, "sure", "yes");
    const first = await executorOn(store, parts, [], 2).fork(await pauseOf(run, "sure"));
    await first.settled();
    const executor = executorOn(store, parts, [], 3);
    const shared = (await executor.checkpoints.list({ run: first.id, kind: "wave" })).items.at(-1)!;
    expect(ledger).toEqual(["Rome", "no Rome", "Rome"]);
    const second = await executor.fork(shared.id);
    expect(await second.settled()).toMatchObject({ pauses: [{ path: ["sure"] }] });
    expect(ledger.slice(3)).toEqual(["Rome"]);
    await second.cancel();
    await (await executor.open(first.id)).cancel();
    expect(ledger.slice(4)).toEqual(["no Rome", "no Rome"]);
  });

  test("does again what was undone before it was made, and keeps the answers behind that", async () => {
    const { ledger, seats, ...parts } = world();
    const executor = executorOn(memoryStore(), parts);
    const run = await atSure(executor);
    seats.isFull = true;
    await reply(run, "sure", "yes");
    expect(ledger).toEqual(["Rome", "no Rome"]);
    seats.isFull = false;
    const sure = await pauseOf(run, "sure");
    const fork = await executor.fork(sure, { answers: { [sure]: "yes" } });
    expect(await fork.settled()).toMatchObject({ status: "paused", pauses: [{ path: ["done"] }] });
    expect(ledger).toEqual(["Rome", "no Rome", "Rome", "seat"]);
    await fork.cancel();
    expect(ledger.slice(4)).toEqual(["no seat", "no Rome"]);
  });

  test("does so with `effect: once`, too, without a question", async () => {
    const { ledger, seats, ...parts } = world("once");
    const executor = executorOn(memoryStore(), parts);
    const run = await atSure(executor);
    seats.isFull = true;
    await reply(run, "sure", "yes");
    seats.isFull = false;
    const fork = await executor.fork(await pauseOf(run, "sure"));
    expect(await fork.settled()).toMatchObject({ pauses: [{ path: ["sure"] }] });
    expect(await reply(fork, "sure", "yes")).toMatchObject({ pauses: [{ path: ["done"] }] });
    expect(ledger).toEqual(["Rome", "no Rome", "Rome", "seat"]);
  });

  test("does so with an answer that is revised, or other inputs", async () => {
    const { ledger, seats, ...parts } = world();
    const executor = executorOn(memoryStore(), parts);
    const run = await atSure(executor);
    seats.isFull = true;
    await reply(run, "sure", "yes");
    seats.isFull = false;
    const [city, sure] = [await pauseOf(run, "city"), await pauseOf(run, "sure")];
    const fork = await executor.fork(sure, { revise: { [city]: "Oslo" } });
    await fork.settled();
    expect(ledger).toEqual(["Rome", "no Rome", "Oslo"]);
    const anew = await executor.fork(sure, { inputs: {} });
    expect(await anew.settled()).toMatchObject({ pauses: [{ path: ["sure"] }] });
    expect(ledger).toEqual(["Rome", "no Rome", "Oslo", "Rome"]);
  });

  test("takes the outputs that it is given of what was undone", async () => {
    const { ledger, seats, ...parts } = world();
    const executor = executorOn(memoryStore(), parts);
    const run = await atSure(executor);
    seats.isFull = true;
    await reply(run, "sure", "yes");
    seats.isFull = false;
    const fork = await executor.fork(await pauseOf(run, "sure"), { startAt: "sure", outputs: { hotel: { booked: "a tent" } } });
    await reply(fork, "sure", "yes");
    expect(await reply(fork, "done", "yes")).toMatchObject({ outputs: { hotel: "a tent" } });
    expect(ledger).toEqual(["Rome", "no Rome", "seat"]);
  });

  test("counts as done what could not be undone", async () => {
    const { ledger, seats, blocks } = world();
    const stuck = [...blocks.slice(0, 2), defineBlock({ type: "Unbook", execute: () => failure("No one answers.") })];
    const executor = executorOn(memoryStore(), { blocks: stuck });
    const run = await atSure(executor);
    seats.isFull = true;
    expect(await reply(run, "sure", "yes")).toMatchObject({ error: { details: { notUndoneBy: ["unhotel"] } } });
    const fork = await executor.fork(await pauseOf(run, "sure"));
    await fork.settled();
    expect(ledger).toEqual(["Rome"]);
  });

  test("is refused while it is not known what will be undone, and at what undoes", async () => {
    const { ledger: _, seats, blocks } = world();
    const asking: Workflow = { ...trip, name: "asking", blocks: trip.blocks.map((one) => (one.id === "unhotel" ? ask("unhotel") : one)) };
    const executor = executorOn(memoryStore(), { blocks }, [asking]);
    const run = await executor.start("asking");
    await reply(run, "city", "Rome");
    seats.isFull = true;
    expect(await reply(run, "sure", "yes")).toMatchObject({ pauses: [{ path: ["unhotel"] }] });
    const sure = await pauseOf(run, "sure");
    const unhotel = run.getSnapshot().pauses[0]!.id;
    await expect(executor.fork(sure)).rejects.toMatchObject({ code: "RUN_ACTIVE" });
    await run.answer(unhotel, "done");
    await expect(executor.fork(unhotel)).rejects.toMatchObject({ code: "RUN_ENDED" });
    expect((await executor.runs.list()).items).toHaveLength(1);
    await executor.fork(sure);
  });

  test("undoes what it did once, where what it must not do twice stands for something else", async () => {
    const { ledger, ...parts } = world("once");
    const executor = executorOn(memoryStore(), parts);
    const run = await atSure(executor);
    await run.revise(await pauseOf(run, "city"), "Oslo");
    const { pauses } = await run.settled();
    await run.answer(pauses!.find(({ path }) => path[0] === "hotel")!.id, { outcome: "keep" });
    await run.cancel();
    expect(ledger).toEqual(["Rome", "no Rome"]);
  });

  test("leaves what must not run twice, and was done behind its beginning, to the run that did it", async () => {
    const { ledger, ...parts } = world("once");
    const executor = executorOn(memoryStore(), parts);
    const run = await atSure(executor);
    const fork = await executor.fork(await pauseOf(run, "city"));
    await reply(fork, "city", "Rome");
    await fork.cancel();
    expect(ledger).toEqual(["Rome"]);
  });
});

describe("a fork at a question of a called run", () => {
  test("does again what that run has undone since, and its caller goes on with it", async () => {
    const { ledger, seats, ...parts } = world();
    const executor = executorOn(memoryStore(), parts);
    const run = await executor.start("calling");
    await reply(run, "before", "yes");
    await run.settled();
    await run.answer(run.getSnapshot().pauses[0]!.id, "Rome");
    const sure = run.getSnapshot().pauses[0]!.id;
    await run.cancel();
    expect(ledger).toEqual(["Rome", "no Rome"]);
    seats.isFull = false;
    const fork = await executor.fork(sure, { answers: { [sure]: "yes" } });
    expect(await fork.settled()).toMatchObject({ status: "paused", pauses: [{ path: ["call", "done"] }] });
    expect(ledger).toEqual(["Rome", "no Rome", "Rome", "seat"]);
    await fork.answer(fork.getSnapshot().pauses[0]!.id, "yes");
    expect(await reply(fork, "after", "yes")).toMatchObject({ status: "success" });
    const other = await executor.fork(sure);
    expect(await other.settled()).toMatchObject({ pauses: [{ path: ["call", "sure"] }] });
    expect(ledger.slice(4)).toEqual(["Rome"]);
    await other.cancel();
    expect(ledger.slice(4)).toEqual(["Rome", "no Rome"]);
  });

  test("leaves what a called run did that had completed to that one, also where it runs again", async () => {
    const { ledger, seats, ...parts } = world();
    const executor = executorOn(memoryStore(), parts);
    const run = await executor.start("calling");
    await reply(run, "before", "yes");
    for (const value of ["Rome", "yes", "yes"]) await run.answer((await run.settled()).pauses![0]!.id, value);
    const fork = await executor.fork(await pauseOf(run, "after"));
    await fork.settled();
    seats.isFull = true;
    await fork.revise(await pauseOf(fork, "call/sure"), "no");
    expect(await fork.settled()).toMatchObject({ status: "failure" });
    expect(ledger).toEqual(["Rome", "seat"]);
  });

  test("calls anew what its caller undid", async () => {
    const { ledger, ...parts } = world();
    const undoing: Workflow = {
      ...calling,
      name: "undoing",
      blocks: [
        ...calling.blocks.map((one) => (one.id === "call" ? { ...one, compensate: "uncall" } : one)),
        { id: "uncall", type: "Unbook", inputs: { of: "trip" } },
      ],
    };
    const executor = executorOn(memoryStore(), parts, [undoing]);
    const run = await executor.start("undoing");
    await reply(run, "before", "yes");
    for (const value of ["Rome", "yes", "yes"]) await run.answer((await run.settled()).pauses![0]!.id, value);
    const after = await pauseOf(run, "after");
    await run.cancel();
    expect(ledger).toEqual(["Rome", "seat", "no trip"]);
    const fork = await executor.fork(after);
    expect(await fork.settled()).toMatchObject({ pauses: [{ path: ["call", "city"] }] });
  });
});

test("a fork that does again what was undone is whole or not there where its process dies at any write", async () => {
  const prepared = async (store: Store) => {
    const { ledger, ...parts } = world();
    const run = await atSure(executorOn(store, parts));
    const sure = await pauseOf(run, "sure");
    await run.cancel();
    ledger.length = 0;
    return { ledger, parts, sure };
  };
  const through = async (executor: Executor, sure: string) => {
    const fork = await executor.fork(sure, { answers: { [sure]: "yes" } });
    await fork.settled();
    return fork.cancel();
  };
  const first = memoryStore();
  const counting = stopAt(first);
  const { parts, sure } = await prepared(first);
  await through(executorOn(counting.store, parts, [], 2), sure);
  expect(counting.writes()).toBeGreaterThan(6);
  for (let write = 1; write <= counting.writes(); write++) {
    for (const when of ["before", "after"] as const) {
      const store = memoryStore();
      const source = await prepared(store);
      await through(executorOn(stopAt(store, { write, when }).store, source.parts, [], 2), source.sure).catch(() => undefined);
      const executor = executorOn(store, source.parts, [], 3);
      const made = (await executor.runs.list()).items.find(({ fork }) => fork !== undefined);
      if (made) {
        const run = await executor.open(made.id);
        await run.resume().catch(() => undefined);
        await run.settled();
        await run.cancel();
      }
      const once = source.ledger.filter((line, i) => source.ledger.indexOf(line) === i);
      const done = once.filter((line) => !line.startsWith("no "));
      expect(once, `${write} ${when}`).toEqual([...done, ...done.toReversed().map((line) => `no ${line}`)]);
    }
  }
});
