import { keys, part, show, textOf } from "../../support/page-elements.ts";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import type { Run, RunEvent, RunView } from "wavepoint";
import { createPauseForm } from "wavepoint/browser";
import { workerExecutor, type WorkerExecutor, type WorkerExecutorOptions } from "wavepoint/worker";
import { later } from "./survey.ts";
import { TALK, type Word } from "./patient.ts";
import { address as patientWorker } from "./patient-worker.ts?bundled";
import { address as surveyWorker } from "./survey-worker.ts?bundled";

let database = "";
let made = 0;
const begun: Extract<Word, { begun: string }>[] = [];
let talk: BroadcastChannel;

beforeEach(() => {
  // Left behind: WebKit may never delete the database of a worker that was killed.
  database = `lost-worker-${crypto.randomUUID()}`;
  made = 0;
  begun.length = 0;
  talk = new BroadcastChannel(TALK);
  talk.addEventListener("message", ({ data }: MessageEvent<Word>) => "begun" in data && begun.push(data));
  return () => talk.close();
});

function openWorker(options?: WorkerExecutorOptions): WorkerExecutor {
  const executor = workerExecutor(() => {
    made += 1;
    const worker = new Worker(patientWorker, { type: "module", name: database });
    // Else an error that is thrown in it counts as one of the page.
    worker.addEventListener("error", (event) => event.preventDefault());
    return worker;
  }, options);
  onTestFinished(() => executor.close());
  return executor;
}

const order = (word: Extract<Word, { order: string }>["order"]): void => talk.postMessage({ order: word } satisfies Word);
async function hasBegun(times: number): Promise<void> {
  await expect.poll(() => begun.length).toBe(times);
}
const until = (run: Run, holds: (view: RunView) => boolean): Promise<RunView> =>
  new Promise((resolve) => {
    const end = run.subscribe((view) => {
      if (!holds(view)) return;
      queueMicrotask(() => end());
      resolve(view);
    });
  });

/** A run whose work has begun, and the answer that waits for its end. */
async function atWork(executor: WorkerExecutor) {
  const run = await executor.start("patient");
  const { pauses } = await run.settled();
  const answered = run.answer(pauses![0]!.id, "hello");
  await hasBegun(1);
  return { run, answered };
}

describe("a worker that ends in the middle of a block", () => {
  test.each([
    ["killed by its page", (executor: WorkerExecutor) => executor.terminate()],
    ["ended by itself", () => order("end worker")],
  ])("%s: the run goes on in the next one, the answer is kept, and the block has the same key", async (_how, end) => {
    const executor = openWorker();
    const { run, answered } = await atWork(executor);
    end(executor);
    await hasBegun(2);
    order("finish");
    const { pauses } = await answered;
    expect(pauses?.map(({ path }) => path)).toEqual([["more"]]);
    expect(await run.answer(pauses![0]!.id, "no")).toMatchObject({ status: "success", outputs: { said: "hello" } });
    expect(run.getSnapshot().status).toBe("completed");
    expect(begun.map(({ mayHaveRun }) => mayHaveRun)).toEqual([false, true]);
    expect(new Set(begun.map(({ key }) => key)).size).toBe(1);
    expect(made).toBe(2);
  });

  test("a page that only looks sees its run go on", async () => {
    const executor = openWorker();
    const { run, answered } = await atWork(executor);
    answered.catch(() => {});
    const activity: boolean[] = [];
    run.subscribe(({ active }) => activity.at(-1) !== active && activity.push(active));
    await until(run, ({ active }) => active);
    executor.terminate();
    await hasBegun(2);
    order("finish");
    await until(run, ({ pauses }) => pauses[0]?.path[0] === "more");
    await until(run, ({ active }) => !active);
    expect(activity.slice(-4)).toEqual([true, false, true, false]);
  });

  test("a block that must not run twice is asked about", async () => {
    const executor = openWorker();
    const run = await executor.start("careful");
    const settled = run.settled();
    await hasBegun(1);
    executor.terminate();
    expect(await settled).toMatchObject({ status: "paused", pauses: [{ path: ["work"] }] });
    expect(begun).toHaveLength(1);
  });

  test("what a second time would be another thing is not tried again", async () => {
    const executor = openWorker();
    await executor.metrics();
    const started = executor.start("patient");
    executor.terminate();
    await expect(started).rejects.toMatchObject({ code: "WORKER_LOST" });
    expect((await executor.start("patient")).getSnapshot().workflow).toBe("patient");
    expect(made).toBe(2);
  });

  test("the next worker knows what the page had loaded", async () => {
    const executor = openWorker();
    await executor.load(later);
    executor.terminate();
    const run = await executor.start("later");
    expect(await run.settled()).toMatchObject({ status: "success" });
  });

  test("a block that ends every worker does not do so again and again", async () => {
    const executor = openWorker();
    const { run, answered } = await atWork(executor);
    for (const times of [1, 2, 3]) {
      await hasBegun(times);
      order("end worker");
    }
    await expect(answered).rejects.toMatchObject({ code: "WORKER_LOST" });
    expect(run.getSnapshot()).toMatchObject({ active: false, status: "running", error: { code: "WORKER_LOST" } });
    expect(made).toBe(3);
    const resumed = run.resume();
    await hasBegun(4);
    order("finish");
    expect(await resumed).toMatchObject({ status: "paused" });
  });

  test("runs that were kept in memory are gone with it, and their views say so", async () => {
    const executor = workerExecutor(() => new Worker(surveyWorker, { type: "module" }));
    const run = await executor.start("survey", { who: "Ada" });
    await run.settled();
    executor.terminate();
    await until(run, ({ error }) => error?.code === "RUN_NOT_FOUND");
    await expect(run.settled()).rejects.toMatchObject({ code: "RUN_NOT_FOUND" });
    await executor.close();
  });

  test("the form of a question sends its answer to the next worker", async () => {
    const executor = openWorker();
    const run = await executor.start("patient");
    const { pauses } = await run.settled();
    const form = createPauseForm(run, pauses![0]!.id);
    const answered = form.answer("hello");
    await hasBegun(1);
    executor.terminate();
    await hasBegun(2);
    expect(form.getSnapshot().error).toBeUndefined();
    order("finish");
    expect(await answered).toMatchObject({ status: "paused" });
    expect(form.getSnapshot()).toMatchObject({ isSending: false, pause: undefined });
  });

  test("the element says that it works, goes on with the next worker, and what is typed survives one", async () => {
    const executor = openWorker();
    const element = show("wavepoint-run", { run: await executor.start("patient") });
    const heading = () => textOf(part(element, "heading"));
    await expect.poll(heading).toBe("What?");
    await keys("{Tab}hello{Enter}");
    await hasBegun(1);
    await expect.poll(heading).toBe("Working…");
    executor.terminate();
    await hasBegun(2);
    expect(heading()).toBe("Working…");
    order("finish");
    await expect.poll(heading).toBe("More?");
    await keys("{Tab}much more");
    executor.terminate();
    await keys("{Enter}");
    await expect.poll(heading).toBe("Done");
    expect((await element.run!.answers()).map(({ answer }) => answer)).toEqual(["hello", "much more"]);
    expect(part(element, "notice")).toBeNull();
  });

  test("an error thrown beside the blocks ends nothing", async () => {
    const executor = openWorker();
    const { answered } = await atWork(executor);
    order("throw beside");
    expect(await answered).toMatchObject({ status: "paused" });
    expect(made).toBe(1);
  });
});

/** Says why its store cannot be had, before it serves. */
const FAILING = "await Promise.reject(new Error('There is no store.'));";

/** It does not report what a worker's script throws once it has waited for something: calls wait there. */
const IS_WEBKIT = /AppleWebKit/.test(navigator.userAgent) && !/Chrome/.test(navigator.userAgent);

describe("a worker that cannot be started", () => {
  const failing: readonly (readonly [string, () => Worker])[] = [
    ["its script is missing", () => new Worker("/no-such-worker.js", { type: "module" })],
    ["its script throws", () => new Worker(URL.createObjectURL(new Blob(["throw new Error('Not today.')"])), { type: "module" })],
    ["it cannot be made", () => new Worker("https://elsewhere.invalid/worker.js")],
  ];

  async function expectLost(make: () => Worker): Promise<void> {
    const executor = workerExecutor(make);
    await expect(executor.start("patient")).rejects.toMatchObject({
      code: "WORKER_LOST",
      message: expect.stringContaining("could not be started"),
    });
    await expect(executor.runs.list()).rejects.toMatchObject({ code: "WORKER_LOST" });
  }

  test.each(failing)("%s: calls say so", (_why, make) => expectLost(make));

  test.skipIf(IS_WEBKIT)("what it waits for fails: calls say so", () =>
    expectLost(() => new Worker(URL.createObjectURL(new Blob([FAILING], { type: "text/javascript" })), { type: "module" })),
  );

  test("the next call tries again", async () => {
    const makers = [failing[0]![1], () => new Worker(patientWorker, { type: "module", name: database })];
    const executor = workerExecutor(() => makers.shift()!());
    await expect(executor.metrics()).rejects.toMatchObject({ code: "WORKER_LOST" });
    expect(await executor.metrics()).toMatchObject({ runs: {} });
    await executor.close();
  });
});

describe("closing returns", () => {
  const stuck: readonly (readonly [string, () => Worker])[] = [
    ["is busy without end", () => new Worker(URL.createObjectURL(new Blob(["for (;;);"])))],
    ["never says a word", () => new Worker(URL.createObjectURL(new Blob([""])))],
  ];

  test.each(stuck)("also where the worker %s", async (_how, make) => {
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const executor = workerExecutor(make);
    const refusal = executor.start("patient").catch((error: unknown) => error);
    const closed = executor.close();
    await vi.advanceTimersByTimeAsync(9_999);
    expect(await Promise.race([closed.then(() => "closed"), Promise.resolve("waits")])).toBe("waits");
    await vi.advanceTimersByTimeAsync(1);
    await closed;
    expect(await refusal).toMatchObject({ code: "STORE_CLOSED" });
  });
});

test("events of the worker reach the page", async () => {
  const events: RunEvent[] = [];
  const executor = openWorker({ onEvent: (event) => events.push(event) });
  await (await executor.start("patient")).settled();
  expect(events.map((event) => (event.type === "recorded" ? event.entry.type : event.type))).toEqual(
    expect.arrayContaining(["paused", "saved"]),
  );
});

test("a page that watches the runs hears of new ones, also in the next worker", async () => {
  const executor = openWorker();
  const changed: (string | undefined)[] = [];
  const end = executor.runs.watch((run) => changed.push(run));
  const first = await executor.start("patient");
  await expect.poll(() => changed).toContain(first.id);
  executor.terminate();
  expect(changed).toContain(undefined);
  const second = await executor.start("patient");
  await expect.poll(() => changed).toContain(second.id);
  end();
});
