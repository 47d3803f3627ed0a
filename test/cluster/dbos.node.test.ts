import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createExecutor, defineBlock, success, type Executor, type ExecutorOptions, type Workflow } from "wavepoint";
import { openCluster, type ClusterOptions, type ClusterStore } from "wavepoint/cluster/dbos";
import { fakeHost } from "wavepoint/testing";
import { hasPostgres, startPostgres, type PostgresServer } from "../support/postgres-server.ts";

const order: Workflow = {
  name: "order",
  search: { customer: "${inputs.customer}" },
  inputs: { customer: { type: "string", default: "Ada" } },
  blocks: [
    { id: "reserve", type: "EchoBlock", inputs: { message: "for ${inputs.customer}" } },
    { id: "sure", type: "ConfirmOperation", dependsOn: ["reserve"], inputs: { message: "Go on?" } },
    { id: "ship", type: "EchoBlock", dependsOn: ["sure"], inputs: { message: "shipped" } },
  ],
  outputs: { shipped: "${blocks.ship.outputs.echoed}" },
};

describe.skipIf(!hasPostgres)("workers on DBOS", () => {
  let server: PostgresServer;
  /** One for all tests: DBOS takes seconds to make its tables. */
  let address: string;
  beforeAll(async () => {
    server = await startPostgres();
    address = server.newPlace();
    await (await openCluster(address)).close();
  }, 120_000);
  afterAll(() => server.stop());

  const opened: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of opened.splice(0).toReversed()) await close();
  });

  const workflows = [order];

  /** The executor and the worker that were started last. */
  async function closeNewest(): Promise<void> {
    for (const close of opened.splice(-2).toReversed()) await close();
  }

  async function open(options: Partial<ExecutorOptions> = {}, cluster: ClusterOptions = {}) {
    const store = await openCluster(address, { pollMs: 20, leaseMs: 1_000, graceMs: 1_000, ...cluster });
    const executor = createExecutor({ store, workflows, ...options });
    opened.push(async () => {
      await executor.close();
      await store.close();
    });
    return { store, executor };
  }

  /** One for the whole process: so DBOS is. */
  async function startWorker(
    options?: Partial<ExecutorOptions>,
    cluster?: ClusterOptions,
  ): Promise<{ store: ClusterStore; executor: Executor }> {
    const worker = await open(options, cluster);
    const ending = new AbortController();
    const working = worker.executor.recover({ watch: true, signal: ending.signal });
    opened.push(async () => {
      ending.abort();
      await expect(working).rejects.toMatchObject({ code: "ABORTED" });
    });
    return worker;
  }

  test("a run is recorded by one process and executed by a worker, from question to question", async () => {
    const { executor } = await open();
    const run = await executor.start("order", {});
    expect(run.getSnapshot()).toMatchObject({ status: "running", active: false });

    await startWorker();
    const asked = await run.settled();
    expect(asked.status).toBe("paused");
    const result = await run.answer(run.getSnapshot().pauses[0]!.id, "yes");
    expect(result).toMatchObject({ status: "success", outputs: { shipped: "shipped" } });
  });

  test("what waits for an instant is ordered for it, holds nothing, and goes on with the instant, its event or its deadline", async () => {
    const waits: Workflow = {
      name: "waits",
      inputs: { ms: { type: "integer" } },
      blocks: [
        { id: "rest", type: "Wait", inputs: { duration_ms: "${inputs.ms}", event: "go" } },
        {
          id: "name",
          type: "GetInput",
          dependsOn: ["rest"],
          inputs: { prompt: "Who?" },
          answerTimeoutMs: 300,
          onTimeout: { answer: "unknown" },
        },
      ],
      outputs: { name: "${blocks.name.outputs.input_value}" },
    };
    const { store, executor } = await startWorker({ workflows: [waits] });
    const signalled = await executor.start("waits", { ms: 3_600_000 });
    await expect.poll(() => store.health()).toMatchObject({ waiting: 0, executing: 0, later: 1 });
    await signalled.signal("go");
    // Longer than what a worker waits for by itself.
    const timed = await executor.start("waits", { ms: 1_600 });
    for (const run of [signalled, timed]) {
      const seen = async () => {
        await run.refresh();
        return run.getSnapshot();
      };
      await expect.poll(seen).toMatchObject({ status: "completed", outputs: { name: "unknown" } });
    }
  }, 60_000);

  test("called runs, items, a retry, a failure that is resumed, and what is cancelled go through the workers", async () => {
    let fails = 2;
    const shaky = defineBlock({
      type: "Shaky",
      inputs: { jsonSchema: { type: "object" } },
      async execute() {
        fails -= 1;
        if (fails >= 0) throw new Error("not yet");
        return success({});
      },
    });
    const asks: Workflow = {
      name: "asks",
      inputs: { city: { type: "string" } },
      blocks: [{ id: "sure", type: "GetInput", inputs: { prompt: "${inputs.city}?" } }],
      outputs: { said: "${blocks.sure.outputs.input_value}" },
    };
    const calls: Workflow = {
      name: "calls",
      blocks: [
        {
          id: "each",
          type: "ExecuteWorkflow",
          forEach: ["Oslo", "Rome"],
          inputs: { workflow: "asks", inputs: { city: "${each.value}" } },
        },
        { id: "shaky", type: "Shaky", dependsOn: ["each"] },
      ],
    };
    const { executor: client } = await open({ workflows: [asks, calls], blocks: [shaky] });
    await startWorker({ workflows: [asks, calls], blocks: [shaky] });
    const run = await client.start("calls", {});
    for (const city of ["Oslo", "Rome"]) {
      const result = await run.settled();
      const asked = (result.pauses ?? []).find(({ prompt }) => prompt.startsWith(city));
      await run.answer(asked!.id, "yes");
    }
    expect((await run.settled()).status).toBe("failure");
    expect((await run.resume()).status).toBe("failure");
    expect((await run.resume()).status).toBe("success");

    const given = await client.start("calls", {});
    await given.settled();
    expect(await given.cancel()).toMatchObject({ status: "failure", error: { code: "RUN_CANCELLED" } });
    await client.runs.delete(given.id);
    expect((await client.runs.list({ workflow: "calls" })).items.map(({ id }) => id)).toEqual([run.id]);
  });

  /** Counts what executes at the same time, all in all and by tenant. */
  function counting() {
    const now = new Map<string, number>();
    const most = new Map<string, number>();
    const block = defineBlock({
      type: "Slow",
      inputs: { jsonSchema: { type: "object", properties: { kind: { type: "string" } } } },
      async execute({ inputs }) {
        const { kind } = inputs as { readonly kind: string };
        now.set(kind, (now.get(kind) ?? 0) + 1);
        most.set(kind, Math.max(most.get(kind) ?? 0, now.get(kind)!));
        await new Promise((resolve) => setTimeout(resolve, 100));
        now.set(kind, now.get(kind)! - 1);
        return success({});
      },
    });
    return { most, block };
  }

  test("no more runs of a workflow or of a tenant are executed at a time than their limits say", async () => {
    const { most, block } = counting();
    const slow = (name: string): Workflow => ({
      name,
      search: { customer: "${inputs.customer}" },
      inputs: { customer: { type: "string", required: false } },
      blocks: [{ id: "work", type: "Slow", inputs: { kind: name === "free" ? "${inputs.customer}" : name } }],
    });
    const loaded = [slow("free"), slow("limited")];
    const limits = { workflows: { limited: 2 }, tenants: { search: "customer", most: 1 } };
    const { executor } = await startWorker({ workflows: loaded, blocks: [block] }, { limits });
    const customers = ["Ada", "Ada", "Ada", "Bob", "Bob", "Bob"];
    const started = await Promise.all([
      ...customers.map((customer) => executor.start("free", { customer })),
      ...["C", "D", "E", "F", "G"].map((customer) => executor.start("limited", { customer })),
    ]);
    for (const run of started) expect((await run.settled()).status).toBe("success");
    expect(Object.fromEntries(most)).toMatchObject({ Ada: 1, Bob: 1 });
    expect([1, 2]).toContain(most.get("limited"));
  });

  test("a worker that lacks a block type leaves the run to one that has it, and one that ends releases the runs it executes", async () => {
    let begun = 0;
    const long = defineBlock({
      type: "Long",
      inputs: { jsonSchema: { type: "object" } },
      async execute({ signal }) {
        begun += 1;
        if (begun > 1) return success({});
        return new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));
      },
    });
    const newer: Workflow = { name: "newer", blocks: [{ id: "long", type: "Long" }] };
    const { executor: client } = await open({ workflows: [newer], blocks: [long] });
    const run = await client.start("newer", {});
    const warnings: string[] = [];
    const onWarning = (message: string): void => void warnings.push(message);
    await startWorker({}, { onWarning });
    await expect.poll(() => warnings.join()).toContain("left to another worker");
    await closeNewest();

    await startWorker({ workflows: [newer], blocks: [long] }, { graceMs: 0 });
    await expect.poll(() => begun).toBe(1);
    await closeNewest();

    await startWorker({ workflows: [newer], blocks: [long] });
    expect((await run.settled()).status).toBe("success");
    expect(begun).toBe(2);
  });

  test("a rolling upgrade: runs in flight keep their definition, new ones have the new one, and both kinds of workers serve both", async () => {
    const version = (shipped: string): Workflow => ({
      ...order,
      name: "upgraded",
      blocks: [...order.blocks.slice(0, 2), { ...order.blocks[2]!, inputs: { message: shipped } }],
    });
    const [before, after] = [version("by train"), version("by ship")];
    const { executor: old } = await open({ workflows: [before] });
    const { executor: young } = await open({ workflows: [after] });
    await startWorker({ workflows: [before] });
    const inFlight = await old.start("upgraded", {});
    expect((await inFlight.settled()).status).toBe("paused");
    // The newest definition meets the oldest worker.
    const early = await young.start("upgraded", {});
    expect((await early.settled()).status).toBe("paused");

    await closeNewest();
    await startWorker({ workflows: [after] });
    for (const [executor, run, shipped] of [
      [young, inFlight, "by train"],
      [old, early, "by ship"],
    ] as const) {
      const again = await executor.open(run.id);
      const result = await again.answer(again.getSnapshot().pauses[0]!.id, "yes");
      expect(result).toMatchObject({ status: "success", outputs: { shipped } });
    }
  });

  test("schedules start runs that a worker executes", async () => {
    const nightly: Workflow = { name: "nightly", schedule: { cron: "* * * * *" }, blocks: order.blocks.slice(0, 1), inputs: order.inputs! };
    const host = fakeHost({ startAt: Date.parse("2026-11-24T07:59:30Z") });
    await startWorker({ workflows: [nightly] });
    const { executor } = await open({ workflows: [nightly], host });
    await executor.load(nightly);
    void executor.runSchedules();
    while (host.sleeping === 0) await new Promise((resolve) => setTimeout(resolve));
    await host.advance(60_000);
    const completed = async () => (await executor.runs.list({ workflow: "nightly", status: "completed" })).items.map(({ id }) => id);
    await expect.poll(completed).toEqual(["run_nightly-20261124T080000Z"]);
  });
});
