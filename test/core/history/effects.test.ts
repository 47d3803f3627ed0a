import { describe, expect, test } from "vitest";
import { createExecutor, defineBlock, success, type Block, type Run, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";
import { fillIn } from "../../support/fill-in.ts";
import { pauseOf } from "../../support/pause-of.ts";

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

/** Answers the question that asks whether something shall run again. */
const decide = async (run: Run, outcome: "again" | "keep") => {
  const { pauses } = await run.settled();
  return run.answer(pauses!.find(({ path }) => path.at(-1) === "pay")!.id, { outcome });
};

describe("changing an answer behind which something happened that must not happen twice", () => {
  test("asks before it happens again", async () => {
    const { executor, paid } = setUp();
    const run = await executor.start("order");
    await fillIn(run, { amount: "5", note: "hi" }, { until: "done" });
    const amount = await pauseOf(run, "amount");
    const preview = await run.previewRevise(amount, "6");
    expect(preview).toMatchObject({ once: ["pay"], effects: ["pay"] });
    expect(preview.kept).toEqual(expect.arrayContaining(["note", "mail"]));
    const asked = await run.revise(amount, "6");
    const choices = [
      { const: "again", title: "Do it again" },
      { const: "keep", title: "Leave it as it is" },
    ];
    expect(asked.pauses![0]!.schema.properties!["outcome"]).toMatchObject({ oneOf: choices });
    expect(asked).toMatchObject({ status: "paused", pauses: [{ path: ["pay"], prompt: expect.stringContaining("must not run twice") }] });
    expect(paid).toEqual(["5"]);
    expect(await decide(run, "again")).toMatchObject({ pauses: [{ path: ["done"] }] });
    expect(paid).toEqual(["5", "6"]);
  });

  test("keeps what it gave, where that is the answer", async () => {
    const { executor, paid } = setUp();
    const run = await executor.start("order");
    await fillIn(run, { amount: "5", note: "hi" }, { until: "done" });
    await run.revise(await pauseOf(run, "amount"), "6");
    expect(await decide(run, "keep")).toMatchObject({ pauses: [{ path: ["done"] }] });
    expect((await run.state()).values["pay"]).toEqual({ paid: "5" });
    expect(paid).toEqual(["5"]);
    // What it is given now is what it has been kept for.
    await run.revise(await pauseOf(run, "note"), "ho");
    expect(run.getSnapshot().pauses).toMatchObject([{ path: ["done"] }]);
  });

  test("keeps a secret that it gave", async () => {
    const seen: unknown[] = [];
    const blocks = [
      defineBlock({ type: "Open", effect: "once", execute: async () => success({ token: "a-token-of-the-account" }) }),
      defineBlock({
        type: "Use",
        execute: ({ inputs }) => {
          seen.push(inputs["token"]);
          return success({});
        },
      }),
    ];
    const account: Workflow = {
      name: "account",
      blocks: [
        ask("name"),
        { id: "pay", type: "Open", dependsOn: ["name"], inputs: { name: "${blocks.name.input_value}" } },
        ask("go", { dependsOn: ["pay"] }),
        { id: "use", type: "Use", dependsOn: ["go"], inputs: { token: "${blocks.pay.token}" } },
      ],
    };
    const executor = createExecutor({ store: memoryStore(), host: fakeHost({ autoAdvance: true }), workflows: [account], blocks });
    const run = await executor.start("account");
    await fillIn(run, { name: "Ada" }, { until: "go" });
    await run.revise(await pauseOf(run, "name"), "Eve");
    expect(await decide(run, "keep")).toMatchObject({ pauses: [{ path: ["go"] }] });
    await run.answer(await pauseOf(run, "go"), "yes");
    expect(seen).toEqual(["a-token-of-the-account"]);
  });

  test("asks nothing where it is given the same", async () => {
    const { executor, paid } = setUp();
    const run = await executor.start("order");
    await fillIn(run, { amount: "5", note: "hi" }, { until: "done" });
    const note = await pauseOf(run, "note");
    expect(await run.previewRevise(note, "ho")).toMatchObject({ once: [], effects: ["mail"], uncertain: [] });
    expect(await run.revise(note, "ho")).toMatchObject({ pauses: [{ path: ["done"] }] });
    await run.revise(await pauseOf(run, "amount"), "6");
    // Back to what was paid: nothing is left to ask.
    expect(await run.revise(await pauseOf(run, "amount"), "5")).toMatchObject({ pauses: [{ path: ["done"] }] });
    expect(paid).toEqual(["5"]);
  });

  test("asks where that turns out on the way, in called workflows too", async () => {
    const { executor, paid } = setUp();
    for (const [name, question] of [
      ["later", "amount"],
      ["calling", "part/amount"],
    ] as const) {
      paid.length = 0;
      const run = await executor.start(name);
      await fillIn(run, { before: "x", amount: "5" }, { until: name === "later" ? "done" : "part/done" });
      const amount = await pauseOf(run, question);
      const preview = await run.previewRevise(amount, "6");
      expect(preview.uncertain.map((path) => path.split("/").at(-1))).toContain("pay");
      const asked = await run.revise(amount, "6");
      expect(asked.pauses!.map(({ path }) => path.at(-1))).toContain("pay");
      expect(paid).toEqual(["5!"]);
      await decide(run, "again");
      expect(paid).toEqual(["5!", "6!"]);
    }
  });

  test("fails the block where the question is declined, and asks again when the run is resumed", async () => {
    const { executor, paid } = setUp();
    const run = await executor.start("order");
    await fillIn(run, { amount: "5", note: "hi" }, { until: "done" });
    const { pauses } = await run.revise(await pauseOf(run, "amount"), "6");
    expect(await run.decline(pauses![0]!.id)).toMatchObject({ status: "failure", error: { code: "PAUSE_DECLINED" } });
    expect(await run.resume()).toMatchObject({ status: "paused", pauses: [{ path: ["pay"] }] });
    expect(paid).toEqual(["5"]);
  });

  test("is known in a fork from before it, in another store too", async () => {
    const { executor, paid, elsewhere } = setUp();
    const run = await executor.start("order");
    await fillIn(run, { amount: "5", note: "hi" }, { until: "done" });
    const amount = await pauseOf(run, "amount");
    const fork = await executor.fork(amount);
    const moved = await elsewhere().runs.import(await executor.runs.export(fork.id));
    await executor.runs.delete(run.id);
    for (const one of [fork, moved]) {
      const { pauses } = await one.settled();
      for (const { id, path } of pauses!) await one.answer(id, path[0] === "amount" ? "6" : "hi");
      expect(await one.settled()).toMatchObject({ status: "paused", pauses: [{ path: ["pay"] }] });
      expect(paid).toEqual(["5"]);
    }
  });

  test.each([true, false])("knows however many revisions later whether it happened: %s", async (hasHappened) => {
    const { executor, paid } = setUp();
    const run = await executor.start("deep");
    await fillIn(run, { kind: "k", amount: "5" }, { until: hasHappened ? "done" : "amount" });
    for (let i = 0; i < 25; i++) {
      expect(await run.revise(await pauseOf(run, "kind"), `kind ${i}`)).toMatchObject({ pauses: [{ path: ["amount"] }] });
    }
    const result = await run.answer(run.getSnapshot().pauses[0]!.id, "6");
    expect(result).toMatchObject({ pauses: [{ path: [hasHappened ? "pay" : "done"] }] });
    expect(paid).toEqual([hasHappened ? "5" : "6"]);
  });
});

test("what was said of an outcome is no answer to change", async () => {
  const { executor, paid } = setUp();
  const run = await executor.start("order");
  await fillIn(run, { amount: "5", note: "hi" }, { until: "done" });
  const { pauses } = await run.revise(await pauseOf(run, "amount"), "6");
  const said = pauses![0]!.id;
  await run.answer(said, { outcome: "keep" });
  expect(await run.revise(said, { outcome: "again" })).toMatchObject({ status: "failure", error: { code: "PAUSE_ALREADY_ANSWERED" } });
  await expect(run.previewRevise(said, { outcome: "again" })).rejects.toMatchObject({ code: "PAUSE_ALREADY_ANSWERED" });
  expect(paid).toEqual(["5"]);
});
