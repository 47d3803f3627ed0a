import { describe, expect, test } from "vitest";
import { createExecutor, defineBlock, success, type Block, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";
import { fillIn } from "../../../support/fill-in.ts";
import { pauseOf } from "../../../support/pause-of.ts";

const ask = (id: string, more: Partial<Block> = {}): Block => ({ id, type: "GetInput", inputs: { prompt: `${id}?` }, ...more });

const order: Workflow = {
  name: "order",
  blocks: [
    ask("amount"),
    ask("note"),
    { id: "pay", type: "Pay", dependsOn: ["amount", "note"], inputs: { amount: "${blocks.amount.input_value}" } },
    { id: "mail", type: "Mail", dependsOn: ["pay"], inputs: { note: "${blocks.note.input_value}" } },
    ask("done", { dependsOn: ["mail"] }),
  ],
};

/** What is paid is only known while it runs. */
const later: Workflow = {
  name: "later",
  blocks: [
    ask("amount"),
    { id: "rate", type: "Rate", dependsOn: ["amount"], inputs: { of: "${blocks.amount.input_value}" } },
    { id: "pay", type: "Pay", dependsOn: ["rate"], inputs: { amount: "${blocks.rate.value}" } },
    ask("done", { dependsOn: ["pay"] }),
  ],
};

const calling: Workflow = {
  name: "calling",
  blocks: [ask("before"), { id: "part", type: "ExecuteWorkflow", dependsOn: ["before"], inputs: { workflow: "later" } }],
};

function setUp() {
  const paid: unknown[] = [];
  const blocks = [
    defineBlock({
      type: "Pay",
      effect: "once",
      execute: ({ inputs }) => {
        paid.push(inputs["amount"]);
        return success({ paid: inputs["amount"] });
      },
    }),
    defineBlock({ type: "Mail", effect: "repeatable", execute: () => success({}) }),
    defineBlock({ type: "Rate", execute: ({ inputs }) => success({ value: `${String(inputs["of"])}!` }) }),
  ];
  const store = memoryStore();
  const executor = createExecutor({ store, host: fakeHost({ autoAdvance: true }), workflows: [order, later, calling], blocks });
  return { executor, store, paid };
}

describe("revising past what must not happen twice", () => {
  test("needs a confirmation where it would happen again", async () => {
    const { executor, paid, store } = setUp();
    const run = await executor.start("order");
    await fillIn(run, { amount: "5", note: "hi", done: "ok" });
    const amount = await pauseOf(run, "amount");
    expect(await run.previewRevise(amount, "6")).toMatchObject({ once: ["pay"], effects: ["pay"], kept: ["note", "mail", "done"] });
    await expect(run.revise(amount, "6")).rejects.toMatchObject({ code: "EFFECT_UNCONFIRMED", details: { blocks: ["pay"] } });
    expect((await store.runs()).items).toHaveLength(1);
    const revised = await run.revise(amount, "6", { confirm: true });
    expect((await revised.settled()).status).toBe("success");
    expect(paid).toEqual(["5", "6"]);
  });

  test("needs none where it comes out the same", async () => {
    const { executor, paid } = setUp();
    const run = await executor.start("order");
    await fillIn(run, { amount: "5", note: "hi", done: "ok" });
    const note = await pauseOf(run, "note");
    expect(await run.previewRevise(note, "ho")).toMatchObject({ once: [], effects: ["mail"], uncertain: [] });
    expect((await (await run.revise(note, "ho")).settled()).status).toBe("success");
    expect(paid).toEqual(["5"]);
  });

  test("stops before it where that turns out on the way, and goes on once confirmed", async () => {
    const { executor, paid } = setUp();
    const run = await executor.start("later");
    await fillIn(run, { amount: "5", done: "ok" });
    const amount = await pauseOf(run, "amount");
    expect(await run.previewRevise(amount, "6")).toMatchObject({ once: [], effects: ["pay"], uncertain: ["pay"] });
    const revised = await run.revise(amount, "6");
    expect(await revised.settled()).toMatchObject({ status: "failure", error: { code: "EFFECT_UNCONFIRMED" } });
    expect(await revised.resume()).toMatchObject({ status: "failure", error: { code: "EFFECT_UNCONFIRMED" } });
    expect(paid).toEqual(["5!"]);
    expect((await revised.resume({ confirm: true })).status).toBe("success");
    expect(paid).toEqual(["5!", "6!"]);
  });

  test("stops in called workflows too", async () => {
    const { executor, paid } = setUp();
    const run = await executor.start("calling");
    await fillIn(run, { before: "x", amount: "5", done: "ok" });
    const revised = await run.revise(await pauseOf(run, "part/amount"), "6");
    expect(await revised.settled()).toMatchObject({ status: "failure", error: { code: "CHILD_FAILED" } });
    expect(paid).toEqual(["5!"]);
    expect((await revised.resume({ confirm: true })).status).toBe("success");
    expect(paid).toEqual(["5!", "6!"]);
  });

  test("is not tried again by a retry policy", async () => {
    const { executor, paid } = setUp();
    const blocks = later.blocks.map((block) => (block.id === "pay" ? { ...block, retry: { maxAttempts: 3, delayMs: 1 } } : block));
    const run = await executor.start({ ...later, name: "tried", blocks });
    await fillIn(run, { amount: "5", done: "ok" });
    const revised = await run.revise(await pauseOf(run, "amount"), "6");
    expect(await revised.settled()).toMatchObject({ status: "failure", error: { code: "EFFECT_UNCONFIRMED" } });
    expect(paid).toEqual(["5!"]);
  });
});
