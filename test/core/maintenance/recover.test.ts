import { describe, expect, test } from "vitest";
import { createExecutor, defineBlock, success, type Store, WorkflowError, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";

const chain: Workflow = {
  name: "chain",
  blocks: [
    { id: "first", type: "Slow" },
    { id: "last", type: "EchoBlock", dependsOn: ["first"], inputs: { message: "done" } },
  ],
};
const caller: Workflow = { name: "caller", blocks: [{ id: "call", type: "ExecuteWorkflow", inputs: { workflow: "chain" } }] };

function process(store: Store, isStuck: boolean) {
  const host = fakeHost();
  const slow = defineBlock({
    type: "Slow",
    execute: ({ signal }) =>
      isStuck ? new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))) : success({}),
  });
  return { host, executor: createExecutor({ store, host, workflows: [chain, caller], blocks: [slow] }) };
}

/** A store in which two runs were left running by a process that is gone. */
async function leftBehind() {
  const store = memoryStore();
  const { executor } = process(store, true);
  const run = await executor.start("chain", {}, { id: "one" });
  await executor.start("caller", {}, { id: "two" });
  await expect.poll(() => run.getSnapshot().active).toBe(true);
  await expect.poll(async () => (await store.runs()).items.length).toBe(3);
  return { store, dying: executor };
}

describe("runs that a process left running", () => {
  test("D23: go on where recover is called, called runs included", async () => {
    const { store, dying } = await leftBehind();
    await dying.close();
    const { executor } = process(store, false);
    const { runs, failed } = await executor.recover();
    expect(failed).toEqual([]);
    expect(runs).toEqual(expect.arrayContaining(["run_one", "run_two"]));
    for (const id of ["one", "two"]) expect(await (await executor.open(id)).settled()).toMatchObject({ status: "success" });
    expect(await executor.recover()).toEqual({ runs: [], failed: [] });
  });

  test("are left to a process that lives", async () => {
    const { store, dying } = await leftBehind();
    const { executor } = process(store, false);
    expect(await executor.recover()).toEqual({ runs: [], failed: [] });
    await dying.close();
  });

  test("D23: are found later by a watch, which ends with its executor", async () => {
    const { store, dying } = await leftBehind();
    const { executor, host } = process(store, false);
    const watching = executor.recover({ watch: true, everyMs: 1_000 });
    await dying.close();
    await expect
      .poll(async () => {
        await host.advance(1_000);
        return (await store.runs()).items.map(({ status }) => status);
      })
      .toEqual(["completed", "completed", "completed"]);
    await executor.close();
    expect((await watching).runs).toEqual(expect.arrayContaining(["run_one", "run_two"]));
  });

  test("are found by a watch that lost the store for a while; one that never had it ends", async () => {
    const { store, dying } = await leftBehind();
    let isLost = false;
    const server: Store = {
      ...store,
      runs: async (query) => {
        if (isLost) throw new WorkflowError("STORE_LOST", "The server is started anew.");
        return store.runs(query);
      },
    };
    const { executor, host } = process(server, false);
    const watching = executor.recover({ watch: true, everyMs: 1_000 });
    while (host.sleeping === 0) await new Promise((resolve) => setTimeout(resolve));
    isLost = true;
    await host.advance(3_000);
    await dying.close();
    isLost = false;
    await expect
      .poll(async () => {
        await host.advance(1_000);
        return (await store.runs()).items.map(({ status }) => status);
      })
      .toEqual(["completed", "completed", "completed"]);
    isLost = true;
    await expect(process(server, false).executor.recover({ watch: true })).rejects.toMatchObject({ code: "STORE_LOST" });
    await executor.close();
    await watching;
  });

  test("that cannot go on are named with the reason, and keep no other from it", async () => {
    const { store, dying } = await leftBehind();
    await dying.close();
    const broken: Store = {
      ...store,
      read: (run, range) => (run === "run_one" ? Promise.resolve(["{}"]) : store.read(run, range)),
    };
    const { executor } = process(broken, false);
    const { runs, failed } = await executor.recover();
    expect(failed).toMatchObject([{ run: "run_one", error: { code: "RUN_CORRUPT" } }]);
    expect(runs).toContain("run_two");
  });

  test("a watch is ended by its signal, and takes no other interval than milliseconds", async () => {
    const { executor } = process(memoryStore(), false);
    const ending = new AbortController();
    const watching = executor.recover({ watch: true, signal: ending.signal });
    ending.abort();
    await expect(watching).rejects.toMatchObject({ code: "ABORTED" });
    await expect(executor.recover({ everyMs: 0 })).rejects.toMatchObject({ code: "POLICY_INVALID" });
  });
});
