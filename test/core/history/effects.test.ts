import { describe, expect, test } from "vitest";
import { createExecutor, defineBlock, success, type Block, type BlockType, type Run, type Workflow } from "wavepoint";
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

function setUp(more: readonly Workflow[] = [], types: readonly BlockType[] = []) {
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
    ...types,
  ];
  const store = memoryStore();
  const parts = { host: fakeHost({ autoAdvance: true }), workflows: [order, later, deep, calling, ...more], blocks };
  const executor = createExecutor({ ...parts, store });
  const forgetful = () => createExecutor({ ...parts, store, policy: { retention: "latest" } });
  return { executor, store, paid, forgetful, elsewhere: () => createExecutor({ ...parts, store: memoryStore() }) };
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

describe("a fork of a run in which nothing asks", () => {
  const silent: Workflow = {
    name: "silent",
    inputs: { amount: { type: "string" } },
    blocks: [
      { id: "rate", type: "Rate", inputs: { of: "${inputs.amount}" } },
      { id: "pay", type: "Pay", dependsOn: ["rate"], inputs: { amount: "${blocks.rate.value}" } },
    ],
    outputs: { paid: "${blocks.pay.paid}" },
  };
  const paidOnce = async () => {
    const setup = setUp();
    const run = await setup.executor.start(silent, { amount: "5" });
    expect(await run.settled()).toMatchObject({ status: "success", outputs: { paid: "5!" } });
    const before = `chk_${run.id.slice("run_".length)}.0`;
    return { ...setup, before };
  };

  test("does not do again what was done with the same inputs", async () => {
    const { executor, paid, before } = await paidOnce();
    for (const options of [{}, { startAt: "pay" }]) {
      const fork = await executor.fork(before, options);
      expect(await fork.settled()).toMatchObject({ status: "success", outputs: { paid: "5!" } });
    }
    expect(paid).toEqual(["5!"]);
  });

  test.each([
    { outcome: "again", gave: "6" },
    { outcome: "keep", gave: "5!" },
  ] as const)("asks before it does it again with other inputs, and follows the answer: $outcome", async ({ outcome, gave }) => {
    const { executor, paid, before } = await paidOnce();
    const fork = await executor.fork(before, { startAt: "pay", outputs: { rate: { value: "6" } } });
    expect(await fork.settled()).toMatchObject({ status: "paused", pauses: [{ path: ["pay"] }] });
    expect(paid).toEqual(["5!"]);
    expect(await decide(fork, outcome)).toMatchObject({ status: "success", outputs: { paid: gave } });
    expect(paid).toEqual(outcome === "again" ? ["5!", "6"] : ["5!"]);
  });
});

describe("a fork from before a call in which something happened that must not happen twice", () => {
  const pay: Workflow = {
    name: "pay",
    inputs: { amount: { type: "string" } },
    blocks: [
      { id: "rate", type: "Rate", inputs: { of: "${inputs.amount}" } },
      { id: "pay", type: "Pay", dependsOn: ["rate"], inputs: { amount: "${blocks.rate.value}" } },
    ],
    outputs: { paid: "${blocks.pay.paid}" },
  };
  const call = (workflow: string): Block => ({
    id: "part",
    type: "ExecuteWorkflow",
    dependsOn: ["amount"],
    inputs: { workflow, inputs: { amount: "${blocks.amount.input_value}" } },
  });
  const direct: Workflow = { name: "direct", blocks: [ask("amount"), call("pay"), ask("done", { dependsOn: ["part"] })] };
  const between: Workflow = {
    name: "between",
    inputs: { amount: { type: "string" } },
    blocks: [{ id: "inner", type: "ExecuteWorkflow", inputs: { workflow: "pay", inputs: { amount: "${inputs.amount}" } } }],
  };
  const twoDown: Workflow = { name: "two_down", blocks: [ask("amount"), call("between"), ask("done", { dependsOn: ["part"] })] };
  const paidIn = async (workflow: Workflow) => {
    const setup = setUp([pay, direct, between, twoDown]);
    const run = await setup.executor.start(workflow.name);
    await fillIn(run, { amount: "5" }, { until: "done" });
    expect(setup.paid).toEqual(["5!"]);
    return { ...setup, run, amount: await pauseOf(run, "amount") };
  };

  test.each([direct, twoDown])("does not do it again with the same inputs: $name", async (workflow) => {
    const { executor, paid, run, amount, elsewhere } = await paidIn(workflow);
    const fork = await executor.fork(amount);
    const exported = await executor.runs.export(fork.id);
    await executor.runs.delete(run.id);
    expect(await fork.answer(fork.getSnapshot().pauses[0]!.id, "5")).toMatchObject({ status: "paused", pauses: [{ path: ["done"] }] });
    const moved = await elsewhere().runs.import(exported);
    expect(await moved.answer(moved.getSnapshot().pauses[0]!.id, "5")).toMatchObject({ pauses: [{ path: ["done"] }] });
    expect(paid).toEqual(["5!"]);
  });

  test.each([direct, twoDown])("asks before it does it again with other inputs: $name", async (workflow) => {
    const { executor, paid, amount } = await paidIn(workflow);
    const fork = await executor.fork(amount, { answers: { [amount]: "6" } });
    expect(await fork.settled()).toMatchObject({ status: "paused", pauses: [{ prompt: expect.stringContaining("must not run twice") }] });
    expect(paid).toEqual(["5!"]);
    expect(await decide(fork, "again")).toMatchObject({ pauses: [{ path: ["done"] }] });
    expect(paid).toEqual(["5!", "6!"]);
  });

  test("knows it in a fork of the fork, and after an answer was changed", async () => {
    const { executor, paid, amount } = await paidIn(direct);
    const fork = await executor.fork(await pauseOf(await executor.fork(amount), "amount"));
    await fork.answer(fork.getSnapshot().pauses[0]!.id, "5");
    expect(await fork.revise(await pauseOf(fork, "amount"), "6")).toMatchObject({ pauses: [{ path: ["part", "pay"] }] });
    expect(await fork.revise(await pauseOf(fork, "amount"), "5")).toMatchObject({ pauses: [{ path: ["done"] }] });
    expect(paid).toEqual(["5!"]);
  });

  test("lets no one else execute what the fork has yet to call", async () => {
    const { executor, paid, amount } = await paidIn(direct);
    await executor.fork(amount);
    expect(await executor.recover()).toEqual({ runs: [], failed: [] });
    expect(paid).toEqual(["5!"]);
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

describe("a fork from before something was added that must not happen twice", () => {
  const plan = defineBlock({
    type: "Plan",
    channels: {},
    execute({ add }) {
      add([
        { id: "pay", type: "Pay", inputs: { amount: "${blocks.amount.input_value}" } },
        { id: "tips", type: "Pay", dependsOn: ["pay"], forEach: ["a", "b"], inputs: { amount: "${each.value}" } },
        ask("done", { dependsOn: ["tips"] }),
      ]);
      return success({});
    },
  });
  const growing: Workflow = {
    name: "growing",
    blocks: [ask("amount"), ask("note"), { id: "plan", type: "Plan", dependsOn: ["amount", "note"] }],
  };
  const paidOnce = async () => {
    const setup = setUp([growing], [plan]);
    const run = await setup.executor.start("growing");
    await fillIn(run, { amount: "5", note: "hi" }, { until: "done" });
    expect(setup.paid).toEqual(["5", "a", "b"]);
    return { ...setup, run, amount: await pauseOf(run, "amount") };
  };

  test("keeps what came of it with the same inputs, in forks of it and in other stores", async () => {
    const { executor, paid, run, amount, elsewhere } = await paidOnce();
    const fork = await executor.fork(amount);
    const ofFork = await executor.fork(fork.getSnapshot().pauses[0]!.id);
    const moved = await elsewhere().runs.import(await executor.runs.export(ofFork.id), { accept: true });
    await executor.runs.delete(run.id);
    for (const one of [fork, ofFork, moved]) await fillIn(one, { amount: "5", note: "hi" }, { until: "done" });
    expect(paid).toEqual(["5", "a", "b"]);
  });

  test("asks with other inputs", async () => {
    const { executor, paid, amount } = await paidOnce();
    const fork = await executor.fork(amount);
    await fillIn(fork, { amount: "6", note: "hi" }, { until: "pay" });
    expect(paid).toEqual(["5", "a", "b"]);
    expect(await decide(fork, "again")).toMatchObject({ pauses: [{ path: ["done"] }] });
    expect(paid).toEqual(["5", "a", "b", "6"]);
  });

  test("knows it where little of its past is kept", async () => {
    const { executor, paid, amount, forgetful } = await paidOnce();
    const { id } = await executor.fork(amount);
    for (const answer of ["amount", "note"]) {
      const fork = await forgetful().open(id);
      await fork.answer(fork.getSnapshot().pauses[0]!.id, answer === "amount" ? "5" : "hi");
    }
    expect((await forgetful().open(id)).getSnapshot().pauses).toMatchObject([{ path: ["done"] }]);
    expect(paid).toEqual(["5", "a", "b"]);
  });
});

describe("a fork from before something that must not happen twice", () => {
  test("asks what became of it where nothing says so", async () => {
    let hasBegun = (): void => {};
    const begun = new Promise<void>((resolve) => (hasBegun = resolve));
    const charge = defineBlock({
      type: "Charge",
      effect: "once",
      execute: () => {
        hasBegun();
        return new Promise<never>(() => {});
      },
    });
    const flow: Workflow = { name: "flow", blocks: [ask("sure"), { id: "charge", type: "Charge", dependsOn: ["sure"] }] };
    const { executor, store } = setUp([flow], [charge]);
    const run = await executor.start("flow");
    await run.settled();
    const sure = run.getSnapshot().pauses[0]!.id;
    void run.answer(sure, "yes");
    await begun;
    const fork = await createExecutor({ store, blocks: [charge] }).fork(sure, { answers: { [sure]: "yes" } });
    const { pauses } = await fork.settled();
    expect(pauses).toMatchObject([{ path: ["charge"], title: "This was interrupted. Was it done?" }]);
    expect(await fork.answer(pauses![0]!.id, { outcome: "done" })).toMatchObject({ status: "success" });
    void run.cancel();
  });

  test("does it again where it was undone since", async () => {
    const refund = defineBlock({ type: "Refund", execute: () => success({}) });
    const flow: Workflow = {
      name: "flow",
      blocks: [
        ask("amount"),
        { id: "pay", type: "Pay", dependsOn: ["amount"], inputs: { amount: "${blocks.amount.input_value}" }, compensate: "refund" },
        ask("done", { dependsOn: ["pay"] }),
        { id: "refund", type: "Refund" },
      ],
    };
    const { executor, paid } = setUp([flow], [refund]);
    const run = await executor.start("flow");
    await fillIn(run, { amount: "5" }, { until: "done" });
    await run.cancel();
    const fork = await executor.fork(await pauseOf(run, "amount"));
    await fillIn(fork, { amount: "5" }, { until: "done" });
    expect(paid).toEqual(["5", "5"]);
  });
});
