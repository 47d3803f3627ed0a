import { describe, expect, test } from "vitest";
import {
  createExecutor,
  defineBlock,
  failure,
  pause,
  success,
  WorkflowError,
  type Block,
  type ExecutorOptions,
  type StandardSchema,
  type Workflow,
} from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";
import { workshop } from "../../support/workshop.ts";

/** Fails until the test says otherwise, and counts how often each block ran. */
function flaky() {
  const ran: string[] = [];
  const broken = new Set<string>();
  const block = defineBlock({
    type: "Flaky",
    execute: ({ block: id }) => {
      ran.push(id);
      return broken.has(id) ? failure(`${id} is broken`, { partial: 1 }) : success({ id });
    },
  });
  return { block, broken, ran };
}

function workflow(blocks: readonly Block[], outputs: Workflow["outputs"] = {}): Workflow {
  return { name: "flow", blocks, outputs };
}

function executorFor(flow: Workflow, options: Partial<ExecutorOptions> = {}) {
  return createExecutor({ store: memoryStore(), host: fakeHost({ autoAdvance: true }), workflows: [flow], ...options });
}

describe("a block that fails", () => {
  test("D7: lets its siblings finish, keeps their results and fails the run; a resume runs only what failed or never started", async () => {
    const { block, broken, ran } = flaky();
    const flow = workflow(
      [
        { id: "a", type: "Flaky" },
        { id: "b", type: "Flaky" },
        { id: "c", type: "Flaky", dependsOn: ["a", "b"] },
      ],
      { c: "${blocks.c.outputs.id}" },
    );
    broken.add("a");
    const executor = executorFor(flow, { blocks: [block] });
    const run = await executor.start("flow");
    expect(await run.settled()).toMatchObject({
      status: "failure",
      error: { code: "BLOCK_FAILED", message: expect.stringContaining("a is broken"), details: { block: "a" } },
    });
    expect(run.getSnapshot().waves.map((wave) => wave.blocks.map(({ status }) => status))).toEqual([["failed", "completed"], ["pending"]]);
    expect(ran).toEqual(["a", "b"]);
    broken.clear();
    expect(await run.resume()).toMatchObject({ status: "success", outputs: { c: "c" } });
    expect(ran).toEqual(["a", "b", "a", "c"]);
  });

  test("does not fail the run where the block says continue_on_error, and dependents see what it produced", async () => {
    const { block, broken } = flaky();
    broken.add("a");
    const flow = workflow(
      [
        { id: "a", type: "Flaky", continueOnError: true },
        {
          id: "b",
          type: "EchoBlock",
          inputs: { message: "got ${blocks.a.outputs.partial}" },
          dependsOn: ["a"],
          condition: "${blocks.a.failed}",
        },
      ],
      { b: "${blocks.b.echoed}", status: "${blocks.a.metadata.status}", fine: "${blocks.a.succeeded}" },
    );
    const run = await executorFor(flow, { blocks: [block] }).start("flow");
    expect(await run.settled()).toMatchObject({ status: "success", outputs: { b: "got 1", status: "failed", fine: false } });
  });

  test("is recorded, also where it throws no error or gives what no store can keep", async () => {
    const blocks = [
      defineBlock({ type: "Throws", execute: () => Promise.reject(new TypeError("boom")) }),
      defineBlock({ type: "Leaks", execute: () => success({ deep: [{ fn: () => 1 }] }) }),
    ];
    for (const [type, code, message] of [
      ["Throws", "BLOCK_FAILED", "boom"],
      ["Leaks", "VALUE_UNSERIALIZABLE", "deep[0].fn"],
    ] as const) {
      const run = await executorFor(workflow([{ id: "x", type }]), { blocks }).start("flow");
      expect(await run.settled()).toMatchObject({ status: "failure", error: { code, message: expect.stringContaining(message) } });
    }
  });

  test("keeps values JSON lacks, also for an executor that reads them from the store", async () => {
    const when = new Date(0);
    const rich = defineBlock({ type: "Rich", execute: () => success({ when, set: new Set([1n]), none: undefined, "~": "plain" }) });
    const store = memoryStore();
    const run = await executorFor(workflow([{ id: "x", type: "Rich" }], { at: "it is ${blocks.x.outputs.when}" }), {
      blocks: [rich],
      store,
    }).start("flow");
    expect(await run.settled()).toMatchObject({ outputs: { at: "it is 1970-01-01T00:00:00.000Z" } });
    const again = await createExecutor({ store, blocks: [rich], host: fakeHost({ seed: 2 }) }).open(run.id);
    expect((await again.steps())[0]!.outputs).toEqual({ when, set: new Set([1n]), none: undefined, "~": "plain" });
  });
});

describe("cancelling", () => {
  test("aborts the blocks that run, records them as stopped and ends the run", async () => {
    const host = fakeHost();
    const flow = workflow([
      { id: "quick", type: "EchoBlock", inputs: { message: "q" } },
      { id: "slow", type: "EchoBlock", inputs: { message: "s", delay_ms: 10_000 } },
    ]);
    const executor = executorFor(flow, { host });
    const run = await executor.start("flow");
    await expect.poll(() => run.getSnapshot().waves[0]!.blocks.map(({ status }) => status)).toEqual(["completed", "running"]);
    expect(await run.cancel({ reason: "enough." })).toMatchObject({
      status: "failure",
      error: { code: "RUN_CANCELLED", message: expect.stringContaining("enough") },
    });
    expect(run.getSnapshot()).toMatchObject({ status: "cancelled", active: false });
    expect((await run.steps()).map(({ block, status }) => [block, status])).toEqual([
      ["quick", "completed"],
      ["slow", "stopped"],
    ]);
    expect(host.sleeping).toBe(0);
    expect(await run.cancel()).toMatchObject({ error: { code: "RUN_CANCELLED" } });
  });

  test("reaches the runs that blocks called", async () => {
    const host = fakeHost();
    const kid: Workflow = { name: "kid", blocks: [{ id: "slow", type: "EchoBlock", inputs: { message: "s", delay_ms: 10_000 } }] };
    const flow = workflow([{ id: "call", type: "ExecuteWorkflow", inputs: { workflow: "kid" } }]);
    const executor = executorFor(flow, { host, workflows: [flow, kid] });
    const run = await executor.start("flow");
    // Its work, and the time that it has for it.
    await expect.poll(() => host.sleeping).toBe(2);
    const child = await executor.open(`${run.id}/call`);
    await run.cancel();
    await expect.poll(() => child.getSnapshot().status).toBe("cancelled");
  });
});

describe("waiting", () => {
  test("ends with ABORTED when its signal aborts, and the run goes on", async () => {
    const host = fakeHost();
    const flow = workflow([{ id: "slow", type: "EchoBlock", inputs: { message: "s", delay_ms: 1_000 } }], { s: "${blocks.slow.echoed}" });
    const run = await executorFor(flow, { host }).start("flow");
    const controller = new AbortController();
    const waiting = run.settled({ signal: controller.signal });
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ code: "ABORTED" });
    await expect.poll(() => host.sleeping).toBe(1);
    await host.advance(1_000);
    expect(await run.settled()).toMatchObject({ status: "success", outputs: { s: "s" } });
  });
});

describe("parallel blocks", () => {
  test("run at the same time, as many as the executor allows", async () => {
    const host = fakeHost();
    const blocks = Array.from({ length: 7 }, (_, i) => ({ id: `b${i}`, type: "EchoBlock", inputs: { message: "x", delay_ms: 100 } }));
    const run = await executorFor(workflow(blocks), { host, maxParallel: 3 }).start("flow");
    await expect.poll(() => host.sleeping).toBe(3);
    await host.advance(100);
    await expect.poll(() => host.sleeping).toBe(3);
    await host.advance(100);
    await expect.poll(() => host.sleeping).toBe(1);
    await host.advance(100);
    expect((await run.settled()).status).toBe("success");
  });

  test("begin by their priority, then in the order of the definition, where not all may run at the same time", async () => {
    const work = (id: string, priority?: number): Block => ({ id, type: "Work", ...(priority === undefined ? {} : { priority }) });
    const flow = workflow([
      { ...work("last"), priority: -1 },
      work("plain"),
      { ...work("each", 1), forEach: [1, 2], inputs: { value: "${each.value}" } },
      work("first", 2),
      work("also", 2),
      work("beside"),
      { ...work("late"), dependsOn: ["last"], priority: 5 },
    ]);
    for (const maxParallel of [1, 2, 16]) {
      const shop = workshop();
      const run = await executorFor(flow, { blocks: shop.blocks, maxParallel }).start("flow");
      expect((await run.settled()).status).toBe("success");
      expect(shop.began).toEqual(["first", "also", "each[0]", "each[1]", "plain", "beside", "last", "late"]);
    }
  });

  test.each([
    [1.5, "SCHEMA_INVALID"],
    ["high", "SCHEMA_INVALID"],
    [-1_001, "SCHEMA_INVALID"],
    [1_001, "LIMIT_EXCEEDED"],
  ])("are refused a priority of %j", async (priority, code) => {
    const flow = workflow([{ id: "a", type: "EchoBlock", inputs: { message: "a" }, priority: priority as number }]);
    await expect(executorFor(flow).start("flow")).rejects.toMatchObject({
      code,
      message: expect.stringContaining("priority"),
    });
  });
});

test.each(["at once", "later", "and must not run twice"])("a block that gives nothing fails, %s", async (when) => {
  const nothing = when === "at once" ? () => undefined : () => Promise.resolve(undefined);
  const block = defineBlock({ type: "Nothing", ...(when.startsWith("and") ? { effect: "once" as const } : {}), execute: nothing as never });
  const executor = createExecutor({ store: memoryStore(), blocks: [block] });
  const run = await executor.start({ name: "nothing", blocks: [{ id: "only", type: "Nothing" }] });
  const { error } = await run.settled();
  expect(error?.message).toContain("gave no result");
});

describe("a result that is none", () => {
  test.each<[string, unknown]>([
    ["no questions", { status: "paused", questions: [] }],
    ["nothing where questions belong", { status: "paused" }],
    ["a question that is none", { status: "paused", questions: [null] }],
  ])("fails its block and says what to return: %s", async (_, result) => {
    const asking = defineBlock({ type: "Ask", execute: () => result as never, resume: () => success({}) });
    const run = await executorFor(workflow([{ id: "a", type: "Ask" }]), { blocks: [asking] }).start("flow");
    expect(await run.settled()).toMatchObject({
      status: "failure",
      error: { code: "BLOCK_FAILED", message: expect.stringContaining("pause(") },
    });
  });
});

describe("a block type without resume", () => {
  const asks = { type: "Asks", execute: () => pause({ prompt: "?" }) };
  const flow = workflow([{ id: "a", type: "Asks" }]);

  test("cannot ask: its block fails", async () => {
    const run = await executorFor(flow, { blocks: [asks] }).start("flow");
    expect(await run.settled()).toMatchObject({ status: "failure", error: { code: "BLOCK_NOT_INTERACTIVE" } });
  });

  test("cannot take an answer to what another executor's type of that name asked", async () => {
    const store = memoryStore();
    const whole = { ...asks, resume: () => success({}) };
    const { pauses } = await (await executorFor(flow, { store, blocks: [whole] }).start("flow")).settled();
    const later = executorFor(flow, { store, blocks: [asks], host: fakeHost({ autoAdvance: true, seed: 2 }) });
    expect(await later.answer(pauses![0]!.id, "x")).toMatchObject({ status: "failure", error: { code: "BLOCK_NOT_INTERACTIVE" } });
  });
});

describe("an error with more than can be recorded", () => {
  const circular: Record<string, unknown> = {};
  circular["self"] = circular;

  test.each<[string, () => never]>([
    [
      "details that are too long",
      () => {
        throw new WorkflowError("HTTP_FAILED", "It broke.", { details: { all: "x".repeat(2_000_000) } });
      },
    ],
    [
      "details that are no JSON",
      () => {
        throw new WorkflowError("HTTP_FAILED", "It broke.", { details: { all: circular as never } });
      },
    ],
  ])("is recorded without them: %s", async (_, execute) => {
    const broken = defineBlock({ type: "Broken", execute });
    const run = await executorFor(workflow([{ id: "a", type: "Broken" }]), { blocks: [broken] }).start("flow");
    expect(await run.settled()).toMatchObject({
      status: "failure",
      error: { code: "HTTP_FAILED", message: expect.stringContaining("It broke."), details: { block: "a" } },
    });
  });

  test("names the first of very many findings of a schema", async () => {
    const issues = Array.from({ length: 200_000 }, (_, i) => ({ message: `Item ${i} is wrong.`, path: ["items", i] }));
    const strict: StandardSchema<unknown, object> = { "~standard": { version: 1, vendor: "test", validate: () => ({ issues }) } };
    const checked = defineBlock({ type: "Checked", outputs: strict, execute: () => success({}) });
    const run = await executorFor(workflow([{ id: "a", type: "Checked" }]), { blocks: [checked] }).start("flow");
    const { error } = await run.settled();
    expect(error).toMatchObject({ code: "OUTPUT_INVALID", message: expect.stringContaining("items[0]: Item 0 is wrong.") });
    expect(error!.details!["problems"]).toHaveLength(50);
  });
});
