import { describe, expect, test } from "vitest";
import { createExecutor, defineBlock, failure, pause, success, type Block, type Executor, type Store, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";

/** Takes 20 milliseconds, asks for a checkpoint, and completes. */
const marks = defineBlock({
  type: "Marks",
  async execute({ inputs, checkpoint, host }) {
    await host.sleep(20);
    checkpoint((inputs as { metadata?: { readonly [name: string]: unknown } }).metadata);
    return success({ value: 1 });
  },
});
/** Asks for a checkpoint in each of three executions. */
const loops = defineBlock({
  type: "Loops",
  execute({ iteration, checkpoint, nextIteration }) {
    checkpoint({ stage: `turn ${iteration}` });
    return iteration < 3 ? nextIteration() : success({ iteration });
  },
});
const fails = defineBlock({
  type: "Fails",
  execute({ checkpoint }) {
    checkpoint({ stage: "never" });
    return failure({ code: "BLOCK_FAILED", message: "No." });
  },
});
const asksAfter = defineBlock({
  type: "AsksAfter",
  execute({ checkpoint }) {
    checkpoint();
    return pause({ prompt: "Go on?" });
  },
  resume: () => success({}),
});

const BLOCKS = [marks, loops, fails, asksAfter];
const flow = (...blocks: readonly Block[]): Workflow => ({ name: "flow", blocks });
const echo = (id: string, dependsOn: readonly string[]): Block => ({ id, type: "EchoBlock", dependsOn, inputs: { message: id } });

function executorOn(store: Store = memoryStore(), policy: Parameters<typeof createExecutor>[0]["policy"] = {}): Executor {
  return createExecutor({ store, blocks: BLOCKS, policy, host: fakeHost({ autoAdvance: true }) });
}

async function requested(executor: Executor, run: string) {
  return (await executor.checkpoints.list({ run, kind: "requested" })).items;
}

describe("a checkpoint that a block asks for", () => {
  test("is made once the block has completed, with what the block says and what the engine adds", async () => {
    const executor = executorOn();
    const run = await executor.start(
      flow({ id: "a", type: "Marks", inputs: { metadata: { stage: "done" } } }, echo("b", ["a"])),
      {},
      { id: "one" },
    );
    await run.settled();
    const metadata = { stage: "done", block: "a", iteration: 1, elapsed_ms: 20 };
    expect(await requested(executor, run.id)).toEqual([
      { id: "chk_one.r0", run: run.id, workflow: "flow", kind: "requested", createdAt: expect.any(Number), metadata },
    ]);
    expect(await executor.checkpoints.get("chk_one.r0")).toMatchObject({ kind: "requested", metadata, completedBlocks: ["a"] });
    const fork = await executor.fork("chk_one.r0");
    expect(await fork.settled()).toMatchObject({ status: "success" });
    expect((await fork.steps()).map(({ block }) => block)).toEqual(["a", "b"]);
    expect((await requested(executor, fork.id)).map(({ id }) => id)).toEqual([`chk_${fork.id.slice(4)}.r0`]);
  });

  test("is made by each iteration, and by each item", async () => {
    const executor = executorOn();
    const run = await executor.start(flow({ id: "a", type: "Loops" }, { id: "b", type: "Marks", forEach: [1, 2] }));
    await run.settled();
    const all = (await requested(executor, run.id)).map(({ metadata }) => metadata).toReversed();
    expect(all).toHaveLength(5);
    expect(all).toEqual(
      expect.arrayContaining([
        ...[1, 2, 3].map((iteration) => ({ stage: `turn ${iteration}`, block: "a", iteration, elapsed_ms: expect.any(Number) })),
        ...[0, 1].map((item) => ({ block: "b", item, iteration: 1, elapsed_ms: 20 })),
      ]),
    );
  });

  test("goes on from its iteration in a fork", async () => {
    const executor = executorOn();
    const run = await executor.start(flow({ id: "a", type: "Loops" }), {}, { id: "one" });
    await run.settled();
    expect(await executor.checkpoints.get("chk_one.r1")).toMatchObject({
      metadata: { stage: "turn 2", iteration: 2 },
      completedBlocks: [],
    });
    const fork = await executor.fork("chk_one.r1");
    await fork.settled();
    expect((await fork.steps()).map(({ iteration }) => iteration)).toEqual([1, 2, 3]);
  });

  test("in a wave has the blocks that had ended; a fork runs the others alone", async () => {
    const began: string[] = [];
    const works = defineBlock({
      type: "Works",
      async execute({ block, inputs, host, checkpoint }) {
        began.push(block);
        await host.sleep((inputs as { readonly ms: number }).ms);
        if (block === "marks") checkpoint();
        return success({ block });
      },
    });
    const work = (id: string, ms: number, dependsOn: readonly string[] = []): Block => ({ id, type: "Works", inputs: { ms }, dependsOn });
    const executor = createExecutor({ store: memoryStore(), blocks: [works], host: fakeHost({ autoAdvance: true }) });
    const run = await executor.start(flow(work("quick", 10), work("marks", 20), work("slow", 30), work("last", 10, ["quick", "slow"])));
    await run.settled();
    const [asked] = await requested(executor, run.id);
    began.length = 0;
    const fork = await executor.fork(asked!.id);
    expect((await fork.settled()).status).toBe("success");
    expect(began).toEqual(["slow", "last"]);
    expect(Object.keys((await fork.state()).values).toSorted()).toEqual(["last", "marks", "quick", "slow"]);
  });

  test("is not made by a block that fails, and refused to one that asks or waits after", async () => {
    const executor = executorOn();
    const failed = await executor.start(flow({ id: "a", type: "Fails" }));
    await failed.settled();
    expect(await requested(executor, failed.id)).toEqual([]);
    const asking = await executorOn().start(flow({ id: "a", type: "AsksAfter" }));
    expect(await asking.settled()).toMatchObject({
      status: "failure",
      error: { code: "BLOCK_FAILED", message: expect.stringContaining("asked for a checkpoint, and then asked or waited") },
    });
  });

  test("takes metadata of 64 kB that a store can keep, and no more", async () => {
    const settle = async (metadata: unknown) => {
      const run = await executorOn().start(flow({ id: "a", type: "Marks", inputs: { metadata: metadata as never } }));
      return run.settled();
    };
    expect(await settle({ text: "x".repeat(60_000) })).toMatchObject({ status: "success" });
    expect(await settle({ text: "x".repeat(66_000) })).toMatchObject({ error: { code: "LIMIT_EXCEEDED", details: { limit: 65_536 } } });
    expect(await settle("no object")).toMatchObject({ error: { code: "BLOCK_FAILED" } });
  });

  test("is found by its metadata and by a form of its id", async () => {
    const executor = executorOn();
    await (await executor.start(flow({ id: "a", type: "Loops" }), {}, { id: "one" })).settled();
    const find = async (query: Parameters<Executor["checkpoints"]["list"]>[0]) =>
      (await executor.checkpoints.list(query)).items.map(({ id }) => id);
    expect(await find({ metadata: { stage: "turn 2" } })).toEqual(["chk_one.r1"]);
    expect(await find({ metadata: { stage: "turn 2", iteration: 3 } })).toEqual([]);
    expect(await find({ id: "chk_one.r*" })).toEqual(["chk_one.r2", "chk_one.r1", "chk_one.r0"]);
    expect(await find({ metadata: { block: "a" }, limit: 2 })).toEqual(["chk_one.r2", "chk_one.r1"]);
    await expect(find({ metadata: {}, kind: "pause" })).rejects.toMatchObject({ code: "STORE_QUERY_INVALID" });
    await expect(find({ metadata: "x" as never })).rejects.toMatchObject({ code: "STORE_QUERY_INVALID" });
  });

  test("is resumed while it is the newest, deleted, and never trimmed", async () => {
    const executor = executorOn();
    await (
      await executor.start(flow({ id: "a", type: "Marks" }, { id: "b", type: "Fails", dependsOn: ["a"] }), {}, { id: "one" })
    ).settled();
    expect(await executor.checkpoints.trim(0)).toBe(1);
    expect((await executor.checkpoints.list()).items.map(({ id }) => id)).toEqual(["chk_one.r0"]);
    expect(await executor.resume("chk_one.r0")).toMatchObject({ status: "failure", error: { code: "BLOCK_FAILED" } });
    await expect(executor.resume("chk_one.r0", "yes")).rejects.toMatchObject({ code: "RESPONSE_UNEXPECTED" });
  });

  test("can be deleted", async () => {
    const executor = executorOn();
    await (await executor.start(flow({ id: "a", type: "Loops" }), {}, { id: "one" })).settled();
    expect(await executor.checkpoints.delete("chk_one.r1")).toBe(true);
    expect(await executor.checkpoints.delete("chk_one.r1")).toBe(false);
    await expect(executor.checkpoints.get("chk_one.r1")).rejects.toMatchObject({ code: "CHECKPOINT_NOT_FOUND" });
    expect((await requested(executor, "run_one")).map(({ id }) => id)).toEqual(["chk_one.r2", "chk_one.r0"]);
  });

  test.each(["latest", "windowed"] as const)("stays with its history where the past is dropped (%s)", async (retention) => {
    const store = memoryStore();
    const executor = executorOn(store, { retention, ...(retention === "windowed" && { window: 1 }) });
    const chain = ["c", "d", "e", "f"].map((id, i, all) => echo(id, [all[i - 1] ?? "b"]));
    const run = await executor.start(flow(echo("a", []), { id: "b", type: "Marks", dependsOn: ["a"] }, ...chain), {}, { id: "one" });
    await run.settled();
    expect(await executor.checkpoints.get("chk_one.r0")).toMatchObject({ completedBlocks: ["a", "b"] });
    const again = executorOn(store);
    const fork = await again.fork("chk_one.r0");
    expect(await fork.settled()).toMatchObject({ status: "success" });
    await expect(again.checkpoints.get("chk_one.0")).rejects.toMatchObject({ code: "CHECKPOINT_PRUNED" });
  });

  test("is carried by an export", async () => {
    const executor = executorOn();
    await (await executor.start(flow({ id: "a", type: "Loops" }), {}, { id: "one" })).settled();
    const file = await executor.runs.export("run_one");
    const other = executorOn();
    await other.runs.import(file, { accept: true });
    expect((await requested(other, "run_one")).map(({ metadata }) => metadata?.["stage"])).toEqual(["turn 3", "turn 2", "turn 1"]);
  });
});
