import { expect, test } from "vitest";
import { createExecutor, defineBlock, failure, pause, success, type Block, type Executor, type Store, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";

const WAVES = 8;

/** Seed 1, example 3: a pipeline of which each block is a wave. */
const pipeline: Workflow = {
  name: "long-pipeline",
  blocks: Array.from({ length: WAVES }, (_, i): Block => ({ id: `wave${i}`, type: "Work", dependsOn: i === 0 ? [] : [`wave${i - 1}`] })),
};

test("a pipeline that dies after wave 5: another process lists its checkpoints, newest first, and goes on from the newest with wave 6", async () => {
  const store = memoryStore();
  const did: string[] = [];
  let isDying = true;
  const work = defineBlock({
    type: "Work",
    async execute({ block }) {
      did.push(block);
      // The process is gone while the sixth wave executes.
      if (block === "wave6" && isDying) await new Promise(() => {});
      return success({});
    },
  });
  const host = fakeHost();
  const dying = createExecutor({ store, workflows: [pipeline], blocks: [work], host, policy: { durability: "sync" } });
  const run = await dying.start("long-pipeline");
  await expect.poll(() => did.length).toBe(7);
  isDying = false;
  // What a dead process held is free.
  const left: Store = { ...store, claim: async () => async () => {} };
  const other = createExecutor({ store: left, workflows: [pipeline], blocks: [work], host: fakeHost({ seed: 2 }) });
  const { items } = await other.checkpoints.list({ workflow: "long-pipeline" });
  expect(items.map(({ id, kind, workflow }) => [id.slice(-2), kind, workflow])).toEqual(
    [5, 4, 3, 2, 1, 0].map((wave) => [`.${wave}`, "wave", "long-pipeline"]),
  );
  did.length = 0;
  expect(await other.resume(items[0]!.id)).toMatchObject({ status: "success", run: run.id });
  expect(did).toEqual(["wave6", "wave7"]);
});

const approval: Workflow = {
  name: "interactive-approval",
  inputs: { project: { type: "string" } },
  blocks: [
    { id: "test", type: "EchoBlock", inputs: { message: "tested" } },
    { id: "confirm", type: "ConfirmOperation", dependsOn: ["test"], inputs: { message: "Deploy ${inputs.project}?" } },
    { id: "deploy", type: "EchoBlock", dependsOn: ["confirm"], condition: "${blocks.confirm.confirmed}", inputs: { message: "deployed" } },
    { id: "tell", type: "EchoBlock", dependsOn: ["deploy"], inputs: { message: "done" } },
  ],
};

test("an approval: its result, its row, its details, its answer, and how it is cleared away", async () => {
  const host = fakeHost();
  const executor = createExecutor({ store: memoryStore(), workflows: [approval, pipeline], host });
  const run = await executor.start("interactive-approval", { project: "shop" });
  const paused = await run.settled();
  expect(paused).toMatchObject({ status: "paused", pauses: [{ prompt: "Deploy shop?" }] });
  const { id } = paused.pauses![0]!;
  expect((await executor.checkpoints.list({ kind: "pause" })).items).toMatchObject([
    { id, workflow: "interactive-approval", createdAt: host.now(), kind: "pause", prompt: "Deploy shop?", status: "open" },
  ]);
  expect((await executor.checkpoints.list({ workflow: "long-pipeline" })).items).toEqual([]);
  expect(await executor.checkpoints.get(id)).toMatchObject({
    workflow: "interactive-approval",
    createdAt: host.now(),
    progressPercentage: 25,
    pausedBlock: "confirm",
    context: { inputs: { project: "shop" }, blocks: { test: { outputs: { echoed: "tested" } } } },
  });
  expect(await executor.resume(id, "yes")).toMatchObject({ status: "success" });
  expect((await run.context()).blocks["confirm"]).toMatchObject({ outputs: { confirmed: true, response: "yes" } });
  expect(await executor.checkpoints.delete(id)).toBe(true);
  expect(await executor.checkpoints.delete(id)).toBe(false);
  await expect(executor.checkpoints.get(id)).rejects.toMatchObject({ code: "CHECKPOINT_NOT_FOUND" });
});

test("a missing checkpoint and a damaged one have errors of their own, and other runs stay readable", async () => {
  const store = memoryStore();
  const open = (on: Store): Executor => createExecutor({ store: on, workflows: [approval], host: fakeHost() });
  const [hurt, whole] = [await open(store).start("interactive-approval", { project: "a" }, { id: "hurt" }), "whole"];
  const { pauses } = await hurt.settled();
  await (await open(store).start("interactive-approval", { project: "b" }, { id: whole })).settled();
  const damaged: Store = { ...store, read: async (run, range) => (run === hurt.id ? ["{"] : store.read(run, range)) };
  await expect(open(damaged).checkpoints.get("pause_none.0")).rejects.toMatchObject({ code: "CHECKPOINT_NOT_FOUND" });
  await expect(open(damaged).checkpoints.get(pauses![0]!.id)).rejects.toMatchObject({ code: expect.stringMatching(/CORRUPT/) });
  expect((await (await open(damaged).open(whole)).settled()).status).toBe("paused");
});

test.each([
  ["completes", "success"],
  ["fails", "failure"],
] as const)("a block that could ask %s without asking, and so after its answer", async (what, status) => {
  const end = () => (what === "fails" ? failure("It cannot go on.") : success({ what }));
  const maybe = defineBlock({
    type: "Maybe",
    execute: ({ inputs }) => (inputs["ask"] ? pause({ prompt: "Sure?", metadata: { asked: "so" } }) : end()),
    resume({ response, pause: asked }) {
      expect([response, asked.metadata]).toEqual(["ok", { asked: "so" }]);
      return end();
    },
  });
  const flow: Workflow = {
    name: "flow",
    inputs: { ask: { type: "boolean" } },
    blocks: [{ id: "maybe", type: "Maybe", inputs: { ask: "${inputs.ask}" } }],
  };
  const executor = createExecutor({ store: memoryStore(), workflows: [flow], blocks: [maybe], host: fakeHost() });
  expect((await (await executor.start("flow", { ask: false })).settled()).status).toBe(status);
  const run = await executor.start("flow", { ask: true });
  const { pauses } = await run.settled();
  expect((await run.answer(pauses![0]!.id, "ok")).status).toBe(status);
  expect(await executor.checkpoints.get(pauses![0]!.id)).toMatchObject({ pausedBlock: "maybe" });
});

test("a called workflow that asks once more asks its caller once more, by another checkpoint", async () => {
  const child: Workflow = {
    name: "child",
    blocks: [
      { id: "one", type: "GetInput", inputs: { prompt: "One?" } },
      { id: "two", type: "GetInput", dependsOn: ["one"], inputs: { prompt: "Two?" } },
    ],
    outputs: { both: "${blocks.one.input_value} ${blocks.two.input_value}" },
  };
  const parent: Workflow = {
    name: "parent",
    blocks: [{ id: "call", type: "ExecuteWorkflow", inputs: { workflow: "child" } }],
    outputs: { both: "${blocks.call.both}" },
  };
  const executor = createExecutor({ store: memoryStore(), workflows: [parent, child], host: fakeHost() });
  const run = await executor.start("parent");
  const first = (await run.settled()).pauses![0]!;
  const second = (await run.answer(first.id, "1")).pauses![0]!;
  expect([first.prompt, second.prompt, first.id === second.id]).toEqual(["One?", "Two?", false]);
  expect(await run.answer(second.id, "2")).toMatchObject({ outputs: { both: "1 2" } });
});
