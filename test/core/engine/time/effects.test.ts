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

const deep: Workflow = {
  name: "deep",
  blocks: [
    ask("kind"),
    ask("amount", { dependsOn: ["kind"], inputs: { prompt: "How much for ${blocks.kind.input_value}?" } }),
    { id: "pay", type: "Pay", dependsOn: ["amount"], inputs: { amount: "${blocks.amount.input_value}" } },
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
  const parts = { host: fakeHost({ autoAdvance: true }), workflows: [order, later, deep, calling], blocks };
  const executor = createExecutor({ ...parts, store });
  return { executor, store, paid, elsewhere: () => createExecutor({ ...parts, store: memoryStore() }) };
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

  test("stops before it where what the revised run did cannot be looked up any more: that run was deleted, or is in another store", async () => {
    const { executor, paid, elsewhere } = setUp();
    const run = await executor.start("order");
    await fillIn(run, { amount: "5", note: "hi", done: "ok" });
    const back = await (await (await run.back()).back()).back();
    const moved = await elsewhere().runs.import(await executor.runs.export(back.id));
    for (const { id } of (await executor.runs.list()).items) if (id !== back.id) await executor.runs.delete(id);
    for (const one of [moved, back]) {
      const { pauses } = await one.settled();
      const note = pauses!.find(({ path }) => path[0] === "note")!;
      await one.answer(note.id, "hi");
      const amount = one.getSnapshot().pauses[0]!;
      expect(await one.answer(amount.id, "6")).toMatchObject({
        status: "failure",
        error: { code: "EFFECT_UNCONFIRMED", message: expect.stringContaining("may have run") },
      });
      expect(paid).toEqual(["5"]);
    }
    expect((await back.resume({ confirm: true })).status).toBe("paused");
    expect(paid).toEqual(["5", "6"]);
  });

  test("stops in a workflow that is called anew, where the run it called before is gone", async () => {
    const { executor, paid } = setUp();
    const run = await executor.start("calling");
    await fillIn(run, { before: "x", amount: "5", done: "ok" });
    const back = await (await (await run.back()).back()).back();
    const { pauses } = await back.settled();
    for (const { id, parent } of (await executor.runs.list()).items) if (id !== back.id && !parent) await executor.runs.delete(id);
    expect(pauses!.map(({ path }) => path)).toEqual([["before"]]);
    await expect(fillIn(back, { before: "y", amount: "5" })).rejects.toThrow("may have run");
    expect(back.getSnapshot()).toMatchObject({ status: "failed", error: { code: "CHILD_FAILED" } });
    expect(paid).toEqual(["5!"]);
  });

  test.each([true, false])("knows however many revisions later whether it happened: %s", async (hasHappened) => {
    const { executor, paid } = setUp();
    let run = await executor.start("deep");
    await fillIn(run, { kind: "k", amount: "5" }, { until: hasHappened ? "done" : "amount" });
    for (let i = 0; i < 25; i++) {
      run = await run.revise(await pauseOf(run, "kind"), `kind ${i}`);
      expect(await run.settled()).toMatchObject({ pauses: [{ path: ["amount"] }] });
    }
    const result = await run.answer(run.getSnapshot().pauses[0]!.id, "6");
    expect(result.error?.code).toBe(hasHappened ? "EFFECT_UNCONFIRMED" : undefined);
    expect(paid).toEqual([hasHappened ? "5" : "6"]);
  });
});
