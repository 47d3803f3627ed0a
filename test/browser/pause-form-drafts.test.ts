import { createExecutor, type Block, type Executor, type Run, type Workflow } from "wavepoint";
import { createPauseForm, type PauseForm } from "wavepoint/browser";
import { memoryStore } from "wavepoint/store/memory";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

const ask: Block = { id: "name", type: "GetInput", inputs: { prompt: "Name?" } };
const workflow: Workflow = { name: "ask", inputs: { key: { type: "string", secret: true } }, blocks: [ask] };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

interface Begun {
  readonly run: Run;
  readonly form: PauseForm;
  readonly pause: string;
  /** Another tab on the same store. */
  readonly other: Executor;
}

async function begin(): Promise<Begun> {
  const store = memoryStore();
  const run = await createExecutor({ store, workflows: [workflow] }).start("ask", { key: "hush-hush" });
  const { pauses } = await run.settled();
  return {
    run,
    pause: pauses![0]!.id,
    form: createPauseForm(run, pauses![0]!.id),
    other: createExecutor({ store, secrets: () => "hush-hush" }),
  };
}

test("what was typed is in the state at once, before it is kept", async () => {
  const { form, run } = await begin();
  form.subscribe(() => {});
  form.saveDraft("Ad");
  expect(form.getSnapshot().draft).toBe("Ad");
  expect(run.getSnapshot().pauses[0]?.draft).toBeUndefined();
});

test("what is kept of an earlier visit is the draft", async () => {
  const { run, pause, other } = await begin();
  await run.saveDraft(pause, "Ad");
  const again = await other.open(run.id);
  expect(createPauseForm(again, pause).getSnapshot().draft).toBe("Ad");
});

test("a draft that another tab saved later takes the place of what was kept here", async () => {
  const { form, run, pause, other } = await begin();
  form.subscribe(() => {});
  form.saveDraft("Ad");
  await vi.advanceTimersByTimeAsync(300);
  await (await other.open(run.id)).saveDraft(pause, "Grace");
  await run.refresh();
  expect(form.getSnapshot().draft).toBe("Grace");
});

test("what was typed and is not kept yet is never taken away", async () => {
  const { form, run, pause, other } = await begin();
  form.subscribe(() => {});
  form.saveDraft("Ad");
  await vi.advanceTimersByTimeAsync(300);
  form.saveDraft("Ada");
  await (await other.open(run.id)).saveDraft(pause, "Grace");
  await run.refresh();
  expect(form.getSnapshot().draft).toBe("Ada");
});

test("a secret in a draft is masked in the store and stays what it is in the control", async () => {
  // What masks is loaded first, which takes its time.
  vi.useRealTimers();
  const { form, run } = await begin();
  form.subscribe(() => {});
  form.saveDraft("my hush-hush");
  await expect.poll(() => run.getSnapshot().pauses[0]?.draft).toBeDefined();
  expect(run.getSnapshot().pauses[0]?.draft).not.toContain("hush-hush");
  expect(form.getSnapshot().draft).toBe("my hush-hush");
});

test("a draft ends with its question", async () => {
  const { form } = await begin();
  form.saveDraft("Ada");
  await form.answer("Ada");
  expect(form.getSnapshot().draft).toBeUndefined();
});

test("reading the state notifies no listener at once, and all of them a moment later", async () => {
  vi.useRealTimers();
  const moment = () => new Promise((resolve) => setTimeout(resolve));
  const { form, run, pause } = await begin();
  let isReading = false;
  const told: boolean[] = [];
  form.subscribe(() => told.push(isReading));
  const answered = run.answer(pause, "Ada");
  let isOver = false;
  void answered.then(() => (isOver = true));
  while (!isOver) {
    isReading = true;
    form.getSnapshot();
    isReading = false;
    await moment();
  }
  await moment();
  expect(told.length).toBeGreaterThan(0);
  expect(told).not.toContain(true);
});
