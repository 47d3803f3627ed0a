import { describe, expect, test } from "vitest";
import { createExecutor, defineBlock, success, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";

function counting() {
  const ran: string[] = [];
  const block = defineBlock({
    type: "Count",
    execute: ({ block: id }) => {
      ran.push(id);
      return success({ id });
    },
  });
  return { block, ran };
}

const chain: Workflow = {
  name: "chain",
  blocks: [
    { id: "a", type: "Count" },
    { id: "b", type: "Count", dependsOn: ["a"] },
    { id: "c", type: "Count", dependsOn: ["b"] },
  ],
  outputs: { c: "${blocks.c.id}" },
};

const approval: Workflow = {
  name: "approval",
  blocks: [
    { id: "prep", type: "Count" },
    { id: "ask", type: "ConfirmOperation", inputs: { message: "Ship?" }, dependsOn: ["prep"] },
    { id: "side", type: "Count", dependsOn: ["prep"] },
    { id: "act", type: "Count", dependsOn: ["ask"], condition: "${blocks.ask.confirmed}" },
  ],
  outputs: { confirmed: "${blocks.ask.confirmed}" },
};

function setUp() {
  const { block, ran } = counting();
  const store = memoryStore();
  const executor = createExecutor({ store, workflows: [chain, approval], blocks: [block], host: fakeHost({ autoAdvance: true }) });
  return { executor, store, ran, block };
}

describe("checkpoints", () => {
  test("are made after each wave and at each pause, listed newest first", async () => {
    const { executor } = setUp();
    const run = await executor.start("approval");
    const { pauses } = await run.settled();
    await run.answer(pauses![0]!.id, "yes");
    const { items } = await executor.checkpoints.list({ run: run.id });
    expect(items.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["wave", "wave", "wave", "pause"]));
    expect(items).toHaveLength(4);
    expect(items.every(({ id, kind }) => id.startsWith(kind === "wave" ? "chk_" : "pause_"))).toBe(true);
    expect((await executor.checkpoints.list({ kind: "pause", workflow: "approval" })).items).toHaveLength(1);
    expect((await executor.checkpoints.list({ workflow: "chain" })).items).toEqual([]);
  });

  test("tell the state they hold", async () => {
    const { executor } = setUp();
    const run = await executor.start("approval");
    const { pauses } = await run.settled();
    const id = pauses![0]!.id;
    const expected = {
      id,
      kind: "pause",
      completedBlocks: ["prep", "side"],
      currentWave: 1,
      totalWaves: 3,
      progressPercentage: 50,
      pausedBlock: "ask",
      pausePrompt: expect.stringContaining("Ship?"),
    };
    expect(await executor.checkpoints.get(id)).toMatchObject(expected);
    await run.answer(id, "yes");
    expect(await executor.checkpoints.get(id)).toMatchObject(expected);
    const [last] = (await executor.checkpoints.list({ kind: "wave" })).items;
    expect(await executor.checkpoints.get(last!.id)).toMatchObject({
      completedBlocks: ["prep", "ask", "side", "act"],
      progressPercentage: 100,
      pauses: [],
    });
  });

  test("of an older state go on only as a fork, which leaves the old run as it is", async () => {
    const { executor, ran } = setUp();
    const run = await executor.start("chain");
    await run.settled();
    const oldest = (await executor.checkpoints.list({ run: run.id })).items.at(-1)!;
    expect(await executor.resume(oldest.id)).toMatchObject({ status: "failure", error: { code: "CHECKPOINT_STALE" } });
    ran.length = 0;
    const forked = await executor.resume(oldest.id, undefined, { fork: true });
    expect(forked).toMatchObject({ status: "success", outputs: { c: "c" } });
    expect(ran).toEqual(["b", "c"]);
    const { items } = await executor.runs.list();
    expect(items.map(({ id }) => id).toSorted()).toEqual([run.id, forked.run].toSorted());
    expect(items.find(({ id }) => id === forked.run)!.fork).toEqual({ run: run.id, checkpoint: oldest.id });
    expect((await executor.checkpoints.list({ run: forked.run })).items).toHaveLength(3);
  });

  test("of the newest state of a finished run give the run as it stands", async () => {
    const { executor, ran } = setUp();
    const run = await executor.start("chain");
    await run.settled();
    const [newest] = (await executor.checkpoints.list({ run: run.id })).items;
    ran.length = 0;
    expect(await executor.resume(newest!.id)).toMatchObject({ status: "success", run: run.id });
    expect(ran).toEqual([]);
  });

  test("that ask need an answer, and take the same answer twice but not another one", async () => {
    const { executor } = setUp();
    const run = await executor.start("approval");
    const { pauses } = await run.settled();
    const id = pauses![0]!.id;
    expect(await executor.resume(id)).toMatchObject({
      status: "failure",
      error: { code: "RESPONSE_REQUIRED", message: expect.stringContaining("Ship?") },
    });
    expect(await executor.resume(id, "")).toMatchObject({ status: "failure", error: { code: "RESPONSE_INVALID" } });
    expect(await executor.resume(id, "yes")).toMatchObject({ status: "success", outputs: { confirmed: true } });
    expect(await executor.resume(id, "yes")).toMatchObject({ status: "success" });
    expect(await executor.resume(id, "no")).toMatchObject({ status: "failure", error: { code: "PAUSE_ALREADY_ANSWERED" } });
    expect(await executor.resume(id, "no", { fork: true })).toMatchObject({ status: "success", outputs: { confirmed: false } });
    expect(run.getSnapshot().outputs).toEqual({ confirmed: true });
    const [wave] = (await executor.checkpoints.list({ kind: "wave", run: run.id })).items;
    await expect(executor.resume(wave!.id, "yes")).rejects.toMatchObject({ code: "RESPONSE_UNEXPECTED" });
  });

  test("that ask make no fork for a wrong answer", async () => {
    const { executor } = setUp();
    const run = await executor.start("approval");
    const { pauses } = await run.settled();
    const id = pauses![0]!.id;
    expect(await executor.resume(id, "", { fork: true })).toMatchObject({
      status: "failure",
      run: run.id,
      error: { code: "RESPONSE_INVALID" },
    });
    await run.answer(id, "yes");
    expect(await executor.resume(id, 7, { fork: true })).toMatchObject({ status: "failure", error: { code: "RESPONSE_INVALID" } });
    expect((await executor.runs.list()).items.map((head) => head.id)).toEqual([run.id]);
  });

  test("of an open pause, when deleted, give the run up; others just go", async () => {
    const { executor } = setUp();
    const run = await executor.start("approval");
    const { pauses } = await run.settled();
    const [wave] = (await executor.checkpoints.list({ run: run.id, kind: "wave" })).items;
    expect(await executor.checkpoints.delete(wave!.id)).toBe(true);
    expect(await executor.checkpoints.delete(wave!.id)).toBe(false);
    await expect(executor.checkpoints.get(wave!.id)).rejects.toMatchObject({ code: "CHECKPOINT_NOT_FOUND" });
    expect(await executor.checkpoints.delete(pauses![0]!.id)).toBe(true);
    await run.refresh();
    expect(run.getSnapshot()).toMatchObject({ status: "cancelled", pauses: [] });
    await expect(executor.resume(pauses![0]!.id, "yes")).rejects.toMatchObject({
      code: "CHECKPOINT_NOT_FOUND",
      message: expect.stringContaining("not found"),
    });
    expect((await executor.checkpoints.list({ run: run.id })).items).toEqual([]);
  });

  test("that do not exist have another error than runs that do not exist", async () => {
    const { executor } = setUp();
    for (const id of ["nonsense", "chk_none.0", "pause_none.0", "../x"]) {
      await expect(executor.resume(id, "x")).rejects.toMatchObject({ code: "CHECKPOINT_NOT_FOUND" });
      await expect(executor.checkpoints.get(id)).rejects.toMatchObject({ code: "CHECKPOINT_NOT_FOUND" });
    }
    await expect(executor.open("run_none")).rejects.toMatchObject({ code: "RUN_NOT_FOUND" });
    await expect(executor.open("__proto__")).rejects.toMatchObject({ code: "STORE_KEY_INVALID" });
  });

  test("of a run that executes cannot be deleted, nor can the run", async () => {
    const host = fakeHost();
    const { block } = counting();
    const slow: Workflow = {
      name: "slow",
      blocks: [
        { id: "a", type: "Count" },
        { id: "b", type: "EchoBlock", inputs: { message: "x", delay_ms: 50 }, dependsOn: ["a"] },
      ],
    };
    const executor = createExecutor({ store: memoryStore(), workflows: [slow], blocks: [block], host });
    const run = await executor.start("slow");
    await expect.poll(async () => (await executor.checkpoints.list()).items.length).toBe(1);
    const [wave] = (await executor.checkpoints.list()).items;
    await expect(executor.checkpoints.delete(wave!.id)).rejects.toMatchObject({ code: "RUN_ACTIVE" });
    await expect(executor.runs.delete(run.id)).rejects.toMatchObject({ code: "RUN_ACTIVE" });
    await host.advance(50);
    await run.settled();
    await executor.runs.delete(run.id);
    await expect(run.refresh()).rejects.toMatchObject({ code: "RUN_NOT_FOUND" });
  });
});
