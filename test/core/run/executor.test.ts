import { describe, expect, test } from "vitest";
import { createExecutor, defineBlock, defineWorkflow, success, type Store } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";

const wizard = defineWorkflow({
  name: "wizard",
  inputs: { who: { type: "string", default: "you" } },
  blocks: [
    { id: "start", type: "ConfirmOperation", inputs: { message: "Start, ${inputs.who}?" } },
    {
      id: "kind",
      type: "AskChoice",
      inputs: { question: "Kind?", choices: ["api", "web"] },
      dependsOn: ["start"],
      condition: "${blocks.start.outputs.confirmed} == true",
    },
    { id: "title", type: "GetInput", inputs: { prompt: "Name?", validation_pattern: "^[a-z0-9-]+$" }, dependsOn: ["kind"] },
    { id: "create", type: "EchoBlock", inputs: { message: "made ${blocks.title.outputs.input_value}" }, dependsOn: ["title"] },
  ],
  outputs: { kind: "${blocks.kind.outputs.choice}", made: "${blocks.create.echoed}" },
});

describe("a wizard", () => {
  test("asks its questions one after another and ends with its outputs", async () => {
    const executor = createExecutor({ store: memoryStore(), workflows: [wizard], host: fakeHost({ autoAdvance: true }) });
    const run = await executor.start("wizard");
    const first = await run.settled();
    expect(first.status).toBe("paused");
    expect(first.pauses?.map(({ prompt, path }) => [path, prompt])).toEqual([[["start"], expect.stringContaining("Start, you?")]]);
    const second = await run.answer(first.pauses![0]!.id, "yes");
    expect(second.pauses?.[0]?.path).toEqual(["kind"]);
    const wrong = await run.answer(second.pauses![0]!.id, "the moon");
    expect(wrong).toMatchObject({
      status: "failure",
      error: { code: "RESPONSE_INVALID", message: expect.stringMatching(/invalid choice.*the moon/is) },
    });
    const third = await run.answer(second.pauses![0]!.id, "2");
    expect(third.pauses?.[0]?.prompt).toBe("Name?");
    expect(await run.answer(third.pauses![0]!.id, "My App")).toMatchObject({ status: "failure", error: { code: "RESPONSE_INVALID" } });
    expect(await run.answer(third.pauses![0]!.id, "my-app")).toMatchObject({
      status: "success",
      run: run.id,
      outputs: { kind: "web", made: "made my-app" },
    });
    expect(run.getSnapshot().waves.map((wave) => wave.blocks.map((block) => block.status))).toEqual([
      ["completed"],
      ["completed"],
      ["completed"],
      ["completed"],
    ]);
  });

  test("goes on in another executor on the same store", async () => {
    const store = memoryStore();
    const one = createExecutor({ store, workflows: [wizard], host: fakeHost({ autoAdvance: true }) });
    const run = await one.start("wizard");
    const first = await run.settled();
    const other = createExecutor({ store, host: fakeHost({ autoAdvance: true, seed: 2 }) });
    const again = await other.open(run.id);
    const second = await again.answer(first.pauses![0]!.id, "no");
    expect(second).toMatchObject({ status: "success", run: run.id, outputs: { kind: null, made: null } });
    expect(await run.answer(first.pauses![0]!.id, "yes")).toMatchObject({ status: "failure", error: { code: "PAUSE_ALREADY_ANSWERED" } });
    expect((await run.steps()).map((step) => step.status)).toEqual(["completed", "skipped", "skipped", "skipped"]);
  });
});

describe("closing an executor", () => {
  /** A store whose writes and reads of heads wait until they are let through. */
  function gatedStore() {
    const store = memoryStore();
    let open = (): void => {};
    const gate = new Promise<void>((resolve) => (open = resolve));
    const through = <A extends unknown[], R>(call: (...given: A) => Promise<R>): ((...given: A) => Promise<R>) => {
      return async (...given) => {
        await gate;
        return call(...given);
      };
    };
    const gated: Store = { ...store, commit: through(store.commit), head: through(store.head) };
    return { store, gated, open: () => open() };
  }

  test("waits for a run that is being started, and executes nothing of it", async () => {
    const { gated, store, open } = gatedStore();
    let executed = 0;
    const work = defineBlock({
      type: "Work",
      async execute() {
        executed += 1;
        return success({});
      },
    });
    const executor = createExecutor({ store: gated, blocks: [work], host: fakeHost({ autoAdvance: true }) });
    const starting = executor.start({ name: "flow", blocks: [{ id: "a", type: "Work" }] });
    let isStarted = false;
    void starting.then(() => (isStarted = true));
    const closing = executor.close().then(() => isStarted);
    open();
    expect(await closing).toBe(true);
    const run = await starting;
    await expect(run.settled()).rejects.toMatchObject({ code: "STORE_CLOSED" });
    expect(executed).toBe(0);
    expect((await store.head(run.id))?.status).toBe("running");
  });

  test("waits for a run that is being opened, and closes it too", async () => {
    const { gated, store, open } = gatedStore();
    const before = createExecutor({ store, workflows: [wizard], host: fakeHost({ autoAdvance: true }) });
    const { id } = await before.start("wizard");
    const executor = createExecutor({ store: gated, workflows: [wizard], host: fakeHost({ autoAdvance: true, seed: 2 }) });
    const opening = executor.open(id);
    const closing = executor.close();
    open();
    await closing;
    await expect((await opening).resume()).rejects.toMatchObject({ code: "STORE_CLOSED" });
  });
});
