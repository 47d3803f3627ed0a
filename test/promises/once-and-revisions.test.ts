import { afterEach, describe, expect, test } from "vitest";
import { createExecutor, type Executor, type Run } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";
import { openIn, PAYMENT } from "../support/orders.ts";
import { pauseOf } from "../support/pause-of.ts";
import { putService, type PutService } from "../support/put-service.ts";
import { sharedStore } from "../support/shared-store.ts";

const executors: Executor[] = [];
afterEach(async () => {
  await Promise.all(executors.splice(0).map((executor) => executor.close()));
});

/** Two tabs on one run; in the first one the payment is under way, and goes on when `release` is called. */
async function payInFirstTab() {
  const open = sharedStore(memoryStore());
  const host = fakeHost({ autoAdvance: true });
  let tellBegun = (): void => {};
  let release = (): void => {};
  const begun = new Promise<void>((resolve) => (tellBegun = resolve));
  const released = new Promise<void>((resolve) => (release = resolve));
  const service = putService(async () => {
    tellBegun();
    await released;
  });
  const tab = (blocks: PutService["blocks"]): Executor => {
    const executor = createExecutor({ store: open(), host, workflows: [PAYMENT], blocks });
    executors.push(executor);
    return executor;
  };
  const one = await tab(service.blocks).start("payment", {}, { id: "one" });
  await one.settled();
  await one.answer(await pauseOf(one, "note"), "hello");
  const paying = one.answer(await pauseOf(one, "amount"), "5");
  await begun;
  const other = await tab(service.blocks).open(one.id);
  return { store: open(), one, other, paying, release, service };
}

/** Changes an answer in the second tab while the first one pays, and lets the payment end. */
async function reviseMeanwhile(question: string, answer: string) {
  const tabs = await payInFirstTab();
  const { store, one, other, release, paying } = tabs;
  const before = (await store.head(one.id))!.revision;
  const revising = other.revise(await pauseOf(other, question), answer);
  await expect.poll(async () => (await store.head(one.id))!.revision).toBeGreaterThan(before);
  release();
  const results = await Promise.all([revising, paying]);
  for (const result of results) expect(result.status).toBe("paused");
  await Promise.all([one.refresh(), other.refresh()]);
  return tabs;
}

/** Gives the answer to the question that stands beside the payment. */
async function tell(run: Run, outcome: "again" | "keep"): Promise<void> {
  const pause = run.getSnapshot().pauses.find(({ path }) => path[0] === "pay")!;
  expect(pause.schema).toMatchObject({ properties: { outcome: { oneOf: [{ const: "again" }, { const: "keep" }] } } });
  expect((await run.answer(pause.id, { outcome })).status).toBe("paused");
}

describe("D21: one tab pays while another one changes an answer", () => {
  test("on which the payment does not depend: it is kept, and made once", async () => {
    const { one, other, service } = await reviseMeanwhile("note", "other words");
    for (const run of [one, other]) expect(openIn(run)).toEqual(["sure"]);
    expect(service.puts.map(({ value }) => value)).toEqual(["5"]);
    const result = await other.answer(await pauseOf(other, "sure"), "yes");
    expect(result).toMatchObject({ status: "success", outputs: { paid: "5", note: "other words" } });
    expect(service.puts).toHaveLength(1);
  });

  test("on which it does depend: what was paid is said, and a person is asked before it is paid again", async () => {
    const { one, other, service } = await reviseMeanwhile("amount", "6");
    for (const run of [one, other]) expect(openIn(run)).toEqual(["pay"]);
    expect(service.puts.map(({ value }) => value)).toEqual(["5"]);
    await tell(other, "again");
    expect(service.firsts().map(({ value }) => value)).toEqual(["5", "6"]);
    expect(service.puts).toHaveLength(2);
    expect(service.mixedKeys()).toEqual([]);
    expect(await other.answer(await pauseOf(other, "sure"), "yes")).toMatchObject({ status: "success", outputs: { paid: "6" } });
  });

  test("and a person who keeps what was paid pays nothing more", async () => {
    const { other, service } = await reviseMeanwhile("amount", "6");
    await tell(other, "keep");
    expect(await other.answer(await pauseOf(other, "sure"), "yes")).toMatchObject({ status: "success", outputs: { paid: "5" } });
    expect(service.puts).toHaveLength(1);
  });

  test("there and back: the payment stands as it was, and nothing is asked", async () => {
    const { one, other, service } = await reviseMeanwhile("amount", "6");
    expect(await other.revise(await pauseOf(other, "amount"), "5")).toMatchObject({ status: "paused" });
    await one.refresh();
    for (const run of [one, other]) expect(openIn(run)).toEqual(["sure"]);
    expect(service.puts).toHaveLength(1);
  });
});
