import { beforeEach, describe, expect, test } from "vitest";
import { createExecutor, type Executor } from "wavepoint";
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
