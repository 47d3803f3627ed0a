import { expect, onTestFinished, test, vi } from "vitest";
import {
  createExecutor,
  defineBlock,
  defineWorkflow,
  isWorkflowError,
  pause,
  success,
  WorkflowError,
  type Executor,
  type RunView,
  type Value,
} from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { z } from "zod";
import { acrossChannel } from "./across-channel.ts";
import { surveyExecutor } from "./survey.ts";

const WIDTH = 300;
const many = defineWorkflow({
  name: "many",
  blocks: Array.from({ length: WIDTH }, (_, i) => ({ id: `b${i}`, type: "Turn" })),
});
const turn = defineBlock({
  type: "Turn",
  async execute() {
    await new Promise((resolve) => setTimeout(resolve));
    return success({});
  },
});

const manyExecutor = () => createExecutor({ store: memoryStore(), workflows: [many], blocks: [turn] });

test("blocks that finish one by one are reported in few messages, and only what changed", async () => {
  const { client, sent } = acrossChannel(manyExecutor());
  const run = await client.start("many");
  const views: RunView[] = [];
  run.subscribe((view) => views.push(view));
  await run.settled();
  expect(run.getSnapshot().waves[0]!.blocks.every(({ status }) => status === "completed")).toBe(true);
  expect(views.length).toBeGreaterThan(1);
  expect(sent.length).toBeLessThan(WIDTH / 2);
  // Each block is reported a few times, however many messages that takes.
  const whole = JSON.stringify(run.getSnapshot()).length;
  expect(JSON.stringify(sent).length).toBeLessThan(8 * whole);
});

test("the last view arrives before settled() resolves", async () => {
  const { client } = acrossChannel(manyExecutor());
  const run = await client.start("many");
  const views: RunView[] = [];
  run.subscribe((view) => views.push(view));
  await run.settled();
  expect(views.at(-1)).toBe(run.getSnapshot());
  expect(views.at(-1)).toMatchObject({ status: "completed", active: false });
});

test("the questions of one turn are shown together, though the first of them takes more steps", async () => {
  // Long after the page got any other message.
  const soon = new Promise((resolve) => setTimeout(resolve, 100));
  const ask = defineBlock({
    type: "Ask",
    inputs: z.object({ steps: z.number() }),
    async execute({ inputs: { steps } }) {
      await soon;
      for (let i = 0; i < steps; i++) await undefined;
      return pause({ prompt: "How many?" });
    },
    resume: () => success({}),
  });
  const party = defineWorkflow(
    {
      name: "party",
      blocks: [
        { id: "guests", type: "Ask", inputs: { steps: 100 } },
        { id: "main", type: "Ask", inputs: { steps: 0 } },
      ],
    },
    { blocks: [ask] },
  );
  const executor = createExecutor({
    store: memoryStore(),
    workflows: [party],
    blocks: [ask],
    onEvent: (event) => served.onEvent(event),
  });
  const { client, served } = acrossChannel(executor, { onEvent: () => {} });
  const run = await client.start("party");
  const seen: (readonly string[])[] = [];
  run.subscribe(({ pauses }) => seen.push(pauses.map(({ path }) => path.at(-1)!)));
  await run.settled();
  expect(seen.find((paths) => paths.length > 0)).toEqual(["guests", "main"]);
});

test("no reply is ahead of what it changed", async () => {
  const { client } = acrossChannel(surveyExecutor(memoryStore()));
  const run = await client.start("survey", { who: "Ada" });
  const { pauses } = await run.settled();
  expect(run.getSnapshot().pauses).toEqual(pauses);
  await run.saveDraft(pauses![0]!.id, "tea");
  expect(run.getSnapshot().pauses[0]!.draft).toBe("tea");
  await client.answer(pauses![0]!.id, "coffee");
  expect(run.getSnapshot().pauses.map(({ path }) => path)).toEqual([["name"]]);
});

test("a run has one handle, and its snapshot is the same object until something changes", async () => {
  const { client } = acrossChannel(surveyExecutor(memoryStore()));
  const run = await client.start("survey", { who: "Ada" });
  await run.settled();
  const before = run.getSnapshot();
  expect(await client.open(run.id)).toBe(run);
  await run.refresh();
  expect(run.getSnapshot()).toBe(before);
});

test("listeners get the view now and after each change, and none once they have left", async () => {
  const { client } = acrossChannel(surveyExecutor(memoryStore()));
  const run = await client.start("survey", { who: "Ada" });
  const { pauses } = await run.settled();
  const [stays, leaves]: [RunView[], RunView[]] = [[], []];
  run.subscribe((view) => stays.push(view));
  const leave = run.subscribe((view) => leaves.push(view));
  expect([stays.length, leaves.length]).toEqual([1, 1]);
  leave();
  await run.answer(pauses![0]!.id, "coffee");
  expect(stays.at(-1)).toBe(run.getSnapshot());
  expect(leaves).toHaveLength(1);
});

test("errors are recognised with their place, details and cause; others keep name and message", async () => {
  const failing = surveyExecutor(memoryStore());
  failing.metrics = () => Promise.reject(new RangeError("Too far.", { cause: new TypeError("Odd.") }));
  failing.cleanup = async () => {
    // oxlint-disable-next-line no-throw-literal -- blocks and stores of others may throw anything
    throw "a text";
  };
  const { client } = acrossChannel(failing);
  const error = await client.start("survey", { who: 7 }).catch((thrown: unknown) => thrown);
  expect(isWorkflowError(error)).toBe(true);
  expect(error).toMatchObject({ code: "INPUT_INVALID", details: expect.any(Object) });
  await expect(client.metrics()).rejects.toMatchObject({ name: "RangeError", message: "Too far.", cause: { message: "Odd." } });
  await expect(client.cleanup()).rejects.toBe("a text");
});

test("waiting is aborted on both sides", async () => {
  const executor = surveyExecutor(memoryStore());
  const signals: AbortSignal[] = [];
  executor.open = (_run, options) => {
    signals.push(options?.signal as AbortSignal);
    return new Promise(() => {});
  };
  const { client } = acrossChannel(executor);
  const controller = new AbortController();
  const opened = client.open("run_a", { signal: controller.signal });
  await expect.poll(() => signals.length).toBe(1);
  controller.abort(new Error("Enough."));
  await expect(opened).rejects.toMatchObject({ code: "ABORTED", cause: { message: "Enough." } });
  await expect.poll(() => signals[0]!.aborted).toBe(true);
});

test("what cannot cross is refused before it is sent", async () => {
  const { client } = acrossChannel(surveyExecutor(memoryStore()));
  await expect(client.start("survey", { who: (() => {}) as unknown as Value })).rejects.toMatchObject({ code: "VALUE_UNSERIALIZABLE" });
  const circle: Record<string, unknown> = {};
  circle["self"] = circle;
  await expect(client.start("survey", circle as never)).rejects.toMatchObject({ code: "VALUE_UNSERIALIZABLE" });
});

test("functions in the values of a run are left out on the way to the page", async () => {
  const executor = surveyExecutor(memoryStore());
  executor.checkpoints.get = async () => ({ id: "a", act: () => {}, inner: { at: new Date(0), act() {} } }) as never;
  const { client } = acrossChannel(executor);
  expect(await client.checkpoints.get("a")).toEqual({ id: "a", inner: { at: new Date(0) } });
});

test("bytes stay with the page that sends them, and may be sent again", async () => {
  const given: unknown[] = [];
  const executor = surveyExecutor(memoryStore());
  executor.answer = async (_pause, response) => {
    given.push(response);
    return { status: "paused", run: "run_a", pauses: [] };
  };
  const { client } = acrossChannel(executor);
  const file = { name: "a.bin", bytes: new Uint8Array([1, 2, 3]) };
  for (let time = 0; time < 2; time++) await client.answer("pause_a.0", [file] as unknown as Value);
  expect(given).toEqual([[file], [file]]);
  expect(file.bytes.length).toBe(3);
});

test("a page that closes an executor which came by a port leaves it to the others", async () => {
  const executor = surveyExecutor(memoryStore());
  const [one, other] = [acrossChannel(executor).client, acrossChannel(executor).client];
  const run = await one.start("survey", { who: "Ada" });
  await one.close();
  await expect(one.metrics()).rejects.toMatchObject({ code: "STORE_CLOSED" });
  expect((await other.open(run.id)).id).toBe(run.id);
});

test("pages that listen get the events", async () => {
  const told: string[] = [];
  const across = acrossChannel(surveyExecutor(memoryStore(), { onEvent: (event) => across.served.onEvent(event) }), {
    onEvent: ({ type }) => told.push(type),
  });
  await (await across.client.start("survey", { who: "Ada" })).settled();
  expect(told).toContain("recorded");
});

test("an executor is served also where locks are refused, as in frames without an origin of their own", async () => {
  const refuse = () => Promise.reject(new DOMException("Locks are refused here.", "SecurityError"));
  vi.stubGlobal("navigator", { locks: { request: refuse } });
  onTestFinished(() => void vi.unstubAllGlobals());
  const { client } = acrossChannel(surveyExecutor(memoryStore()));
  expect(await client.metrics()).toMatchObject({ runs: {} });
});

test("an executor that takes its time to be made is served when it is there", async () => {
  let make: (executor: Executor) => void = () => {};
  const { client } = acrossChannel(new Promise((resolve) => (make = resolve)));
  const figures = client.metrics();
  make(surveyExecutor(memoryStore()));
  expect(await figures).toMatchObject({ runs: {} });
});

test("where no executor can be made, calls say why", async () => {
  const why = new WorkflowError("STORE_RESET", "The runs that were kept here are gone.");
  const { client } = acrossChannel(Promise.reject(why));
  const error = await client.metrics().catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: "WORKER_LOST", cause: { code: "STORE_RESET" } });
  expect((error as WorkflowError).message).toBe("The worker could not be started: The runs that were kept here are gone.");
  // The second call asks the same side again.
  await expect(client.runs.list()).rejects.toMatchObject({ code: "WORKER_LOST" });
});
