import { expect, test } from "vitest";
import { createExecutor, defineBlock, success, type Block, type Executor, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { failAt, fakeHost, faultyStore } from "wavepoint/testing";
import { fillIn } from "../../../support/fill-in.ts";
import { pauseOf } from "../../../support/pause-of.ts";

const DAY = 86_400_000;

const ask = (id: string, more: Partial<Block> = {}): Block => ({ id, type: "GetInput", inputs: { prompt: `${id}?` }, ...more });

const order: Workflow = {
  name: "order",
  blocks: [
    ask("amount"),
    { id: "pay", type: "Pay", dependsOn: ["amount"], inputs: { amount: "${blocks.amount.input_value}" } },
    ask("note", { dependsOn: ["pay"] }),
    ask("done", { dependsOn: ["note"] }),
  ],
};
const batch: Workflow = {
  name: "batch",
  blocks: ["one", "two", "three"].map((id) => ({ id, type: "ExecuteWorkflow", inputs: { workflow: "order" } })),
};

function setUp() {
  const paid: unknown[] = [];
  const pay = defineBlock({
    type: "Pay",
    execute: ({ inputs }) => {
      paid.push(inputs["amount"]);
      return success({});
    },
  });
  const store = memoryStore();
  const host = fakeHost({ autoAdvance: true });
  const open = (on = store): Executor =>
    createExecutor({ store: on, host, blocks: [pay], workflows: [order, batch], policy: { autoCleanup: false } });
  return { store, host, open, paid };
}

/** Three runs of one line: the first one paid 5, the second one took that back and paid 6, the third one waits. */
async function changeTwice({ open, host }: ReturnType<typeof setUp>) {
  const executor = open();
  const first = await executor.start("order");
  await fillIn(first, { amount: "5", note: "n", done: "d" });
  const second = await first.revise(await pauseOf(first, "amount"), "6");
  await fillIn(second, { note: "n", done: "d" });
  await host.advance(5 * DAY);
  const third = await second.back();
  return { executor, first, second, third };
}

test("D13: a cleanup leaves alone what a revision of a revision takes over from", async () => {
  const place = setUp();
  const { first, second, third } = await changeTwice(place);
  expect(await place.open().cleanup({ ttlMs: DAY })).toMatchObject({ runs: 0 });
  for (const { id } of [first, second, third]) expect(await place.store.head(id)).toBeDefined();
  expect(await fillIn(await place.open().open(third.id), { done: "d" })).toEqual(["done"]);
  await place.host.advance(2 * DAY);
  expect(await place.open().cleanup({ ttlMs: DAY })).toMatchObject({ runs: 3 });
});

test("D13: a cleanup leaves alone what a fork of a revision takes over from", async () => {
  const { open, store, host } = setUp();
  const executor = open();
  const first = await executor.start("order");
  await fillIn(first, { amount: "5", note: "n", done: "d" });
  await host.advance(5 * DAY);
  const back = await first.back();
  await back.settled();
  const fork = await executor.fork(await pauseOf(back, "done"));
  await fork.settled();
  await back.cancel();
  await host.advance(DAY / 2);
  expect(await open().cleanup({ ttlMs: DAY })).toMatchObject({ runs: 0 });
  for (const { id } of [first, back, fork]) expect(await store.head(id)).toBeDefined();
});

test("D13: a cleanup leaves alone what a revision that failed would take over from once it is resumed", async () => {
  const place = setUp();
  const { executor, first, second, third } = await changeTwice(place);
  for (const run of [third, second]) {
    await run.settled();
    await executor.runs.delete(run.id);
  }
  const back = await first.back();
  await back.decline((await back.settled()).pauses![0]!.id);
  expect(back.getSnapshot().status).toBe("failed");
  expect(await place.open().cleanup({ ttlMs: DAY })).toMatchObject({ runs: 0 });
  expect(await place.store.head(first.id)).toBeDefined();
});

test("a run goes with all it called, or not at all while one of those executes", async () => {
  const { open, store, host } = setUp();
  const run = await open().start("batch");
  await run.settled();
  await host.advance(5 * DAY);
  const release = (await store.claim((await open().open(`${run.id}/three`)).id))!;
  await expect(open().runs.delete(run.id)).rejects.toMatchObject({ code: "RUN_ACTIVE" });
  expect(await open().cleanup({ ttlMs: DAY, keepPaused: false })).toMatchObject({ runs: 0, done: true });
  expect((await store.runs()).items).toHaveLength(4);
  await release();
  expect(await open().cleanup({ ttlMs: DAY, keepPaused: false })).toMatchObject({ runs: 4 });
});

test("D4: a crash in the middle of a deletion leaves no run that misses what it called", async () => {
  for (let write = 1; write <= 3; write++) {
    const { open, store } = setUp();
    const run = await open().start("batch");
    await run.settled();
    await expect(open(faultyStore(store, failAt(write, { times: "forever" }))).runs.delete(run.id)).rejects.toMatchObject({
      code: "STORE_FAILED",
    });
    expect((await store.runs()).items).toHaveLength(5 - write);
    expect((await store.head(run.id)) === undefined).toBe(write > 1);
  }
});
