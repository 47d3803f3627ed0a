import { beforeEach, describe, expect, test } from "vitest";
import { type BlockResult, createExecutor, defineBlock, failure, success, type Executor, type Values } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";

const workflow = { name: "order", blocks: [{ id: "size", type: "GetInput", inputs: { prompt: "Which size?" } }] };

let executor: Executor;
beforeEach(async () => {
  executor = createExecutor({ store: memoryStore(), workflows: [workflow] });
  const run = await executor.start("order", {}, { id: "order-123" });
  await run.settled();
});

// Who chose "order-123" knows the run by that name, and `open` takes it.
describe.each(["order-123", "run_order-123"])("a run that is called %s", (id) => {
  test("is the one that is opened, exported, and shown with its forks and checkpoints", async () => {
    expect((await executor.open(id)).id).toBe("run_order-123");
    expect((await executor.runs.tree(id)).run).toBe("run_order-123");
    expect(await executor.runs.export(id)).toContain("run_order-123");
    expect((await executor.checkpoints.list({ run: id })).items).toHaveLength(1);
  });

  test("is the one that is handed over", async () => {
    await executor.runs.transfer(id, { to: "the office" });
    await expect((await executor.open("order-123")).resume()).rejects.toMatchObject({ code: "RUN_TRANSFERRED" });
  });

  test("is the one that is deleted", async () => {
    await executor.runs.delete(id);
    expect((await executor.runs.list()).items).toEqual([]);
  });
});

describe("a start of a run that may be there already", () => {
  const again = { id: "order-123", ifExists: "resume" } as const;

  test("gives the run that is there, with other inputs too", async () => {
    const run = await executor.start("order", { unknown: 1 }, { ...again, after: "gone" });
    expect(run.getSnapshot()).toMatchObject({ id: "run_order-123", status: "paused" });
    await run.answer(run.getSnapshot().pauses[0]!.id, "L");
    expect(await (await executor.start("order", {}, again)).settled()).toMatchObject({ status: "success" });
    expect((await executor.runs.list()).items).toHaveLength(1);
  });

  test("starts one where there is none, one of many starts alone", async () => {
    const starts = [1, 2, 3].map(() => executor.start("order", {}, { id: "new_one", ifExists: "resume" }));
    const runs = await Promise.all(starts);
    expect(runs.map(({ id }) => id)).toEqual(Array.from({ length: 3 }, () => "run_new_one"));
    expect((await executor.runs.list()).items).toHaveLength(2);
    const { pauses } = await runs[0]!.settled();
    expect(await executor.answer(pauses![0]!.id, "L")).toMatchObject({ status: "success" });
  });

  test("goes on with what a crash interrupted, and leaves alone what failed or was stopped", async () => {
    const store = memoryStore();
    let calls = 0;
    const work = defineBlock({
      type: "Work",
      execute() {
        calls++;
        return failure("It is closed.");
      },
    });
    const flow = { name: "flow", blocks: [{ id: "work", type: "Work" }] };
    const hang = defineBlock({ type: "Work", execute: () => new Promise<never>(() => {}) });
    const dying = createExecutor({ store, workflows: [flow], blocks: [hang] });
    await dying.start("flow", {}, { id: "a" });
    await dying.close();
    const other = createExecutor({ store, workflows: [flow], blocks: [work] });
    const start = async () => (await other.start("flow", {}, { id: "a", ifExists: "resume" })).settled();
    expect(await start()).toMatchObject({ status: "failure" });
    expect(await start()).toMatchObject({ status: "failure" });
    expect(calls).toBe(1);
    await executor.stop("order-123");
    expect((await executor.start("order", {}, again)).getSnapshot()).toMatchObject({ status: "paused", reason: "stopped" });
  });

  test("goes on with an answer that a called run had taken when its process died: the question is not put again", async () => {
    const store = memoryStore();
    const called = {
      name: "called",
      blocks: [
        { id: "ask", type: "GetInput", inputs: { prompt: "Well?" } },
        { id: "work", type: "Work", dependsOn: ["ask"] },
      ],
    };
    const flow = { name: "flow", blocks: [{ id: "call", type: "ExecuteWorkflow", inputs: { workflow: "called" } }] };
    const begin = (execute: () => BlockResult<Values> | Promise<BlockResult<Values>>) =>
      createExecutor({ store, workflows: [flow, called], blocks: [defineBlock({ type: "Work", execute })] });
    let isAtWork = (): void => {};
    const atWork = new Promise<void>((resolve) => (isAtWork = resolve));
    const dying = begin(() => {
      isAtWork();
      return new Promise<never>(() => {});
    });
    const { pauses } = await (await dying.start("flow", {}, { id: "a" })).settled();
    void dying.answer(pauses![0]!.id, "Yes.").catch(() => {});
    await atWork;
    await dying.close();
    const other = begin(() => success({}));
    const run = await other.start("flow", {}, { id: "a", ifExists: "resume" });
    expect(await run.settled()).toMatchObject({ status: "success" });
    await other.close();
  });

  test("is refused where that is a run of another workflow, and without an id", async () => {
    await executor.load({ ...workflow, name: "other" });
    await expect(executor.start("other", {}, again)).rejects.toMatchObject({ code: "RUN_EXISTS" });
    await expect(executor.start("order", {}, { ifExists: "resume" })).rejects.toMatchObject({ code: "STORE_KEY_INVALID" });
    await expect(executor.start("order", {}, { id: "order-123/size", ifExists: "resume" })).rejects.toMatchObject({
      code: "STORE_KEY_INVALID",
    });
    await expect(executor.start("order", {}, { ...again, ifExists: "error" })).rejects.toMatchObject({ code: "RUN_EXISTS" });
  });

  test("takes an id with its `run_`", async () => {
    expect((await executor.start("order", {}, { id: "run_mine" })).id).toBe("run_mine");
  });
});
