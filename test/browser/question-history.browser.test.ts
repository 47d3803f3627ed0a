import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createExecutor, type Executor, type Run, type Workflow } from "wavepoint";
import { questionHistory, type QuestionHistory } from "wavepoint/browser";
import { memoryStore } from "wavepoint/store/memory";

/** Of somebody who waits for a browser that has much to do. */
const PATIENCE = { timeout: 10_000 };

const wizard: Workflow = {
  name: "wizard",
  blocks: [
    { id: "a", type: "GetInput", inputs: { prompt: "a?" } },
    { id: "b", type: "GetInput", inputs: { prompt: "b?" }, dependsOn: ["a"] },
    { id: "c", type: "GetInput", inputs: { prompt: "c?" }, dependsOn: ["b"] },
  ],
  outputs: { all: "${blocks.a.input_value}${blocks.b.input_value}${blocks.c.input_value}" },
};

let executor: Executor;
let holder: { run: Run | undefined };
let steps: QuestionHistory;

/** What is asked, with the answer that was given before. */
function asked(): readonly (readonly [string, unknown])[] {
  return holder.run!.getSnapshot().pauses.map(({ path, earlier }) => [path.at(-1)!, earlier?.response] as const);
}

async function answer(response: string): Promise<void> {
  const run = holder.run!;
  await run.answer(run.getSnapshot().pauses[0]!.id, response);
  const { answered } = run.getSnapshot().progress;
  await expect.poll(() => history.state, PATIENCE).toMatchObject({ wavepoint: { run: run.id, answered } });
}

/** What browsers do where somebody presses a button of theirs. */
async function press(button: "back" | "forward"): Promise<void> {
  const popped = new Promise((resolve) => addEventListener("popstate", resolve, { once: true }));
  history[button]();
  await popped;
}

beforeEach(async () => {
  history.pushState(null, "");
  executor = createExecutor({ store: memoryStore(), workflows: [wizard] });
  const run = await executor.start("wizard");
  await run.settled();
  holder = { run };
  steps = questionHistory(executor, holder);
  await steps.ready;
});
afterEach(() => {
  steps.dispose();
});

describe("the browser's Back", () => {
  test("is the previous question, with its answer; Forward goes to where one was, in the same run", async () => {
    const { run } = holder;
    await answer("1");
    await answer("2");
    expect(asked()).toEqual([["c", undefined]]);
    await press("back");
    await expect.poll(() => asked(), PATIENCE).toEqual([["b", "2"]]);
    await press("back");
    await expect.poll(() => asked(), PATIENCE).toEqual([["a", "1"]]);
    await press("forward");
    await expect.poll(() => asked(), PATIENCE).toEqual([["b", "2"]]);
    await press("forward");
    await expect.poll(() => asked(), PATIENCE).toEqual([["c", undefined]]);
    expect(holder.run!.id).toBe(run!.id);
  });

  test("leads to an answer that can be changed: then what followed it is no longer ahead", async () => {
    await answer("1");
    await answer("2");
    const length = history.length;
    await press("back");
    await expect.poll(() => asked(), PATIENCE).toEqual([["b", "2"]]);
    await answer("two");
    await expect.poll(() => asked(), PATIENCE).toEqual([["c", undefined]]);
    expect(history.length).toBe(length);
    await answer("3");
    expect(holder.run!.getSnapshot().outputs).toEqual({ all: "1two3" });
  });

  test("leads from the outcome to the last question", async () => {
    for (const response of ["1", "2", "3"]) await answer(response);
    expect(holder.run!.getSnapshot().status).toBe("completed");
    await press("back");
    await expect.poll(() => asked(), PATIENCE).toEqual([["c", "3"]]);
  });

  test("goes to entries of others as if nobody were here", async () => {
    await answer("1");
    history.pushState({ router: "mine" }, "", "#elsewhere");
    const { run } = holder;
    await press("back");
    expect(holder.run).toBe(run);
    await press("forward");
    expect(history.state).toEqual({ router: "mine" });
    expect(holder.run).toBe(run);
    await answer("2");
    expect(history.state).toMatchObject({ wavepoint: { answered: 2 } });
    await press("back");
    expect(history.state).toEqual({ router: "mine" });
    history.replaceState(null, "", location.pathname);
  });
});

test("what others keep in an entry stays, and so does the address", async () => {
  const address = location.href;
  history.replaceState({ ...(history.state as object), position: 7 }, "");
  await answer("1");
  expect(history.state).toMatchObject({ position: 7, wavepoint: { answered: 1 } });
  expect(location.href).toBe(address);
});

test("going back within the page is a step back in the history as well", async () => {
  await answer("1");
  await answer("2");
  const length = history.length;
  const before = await holder.run!.back();
  holder.run = before;
  const popped = new Promise((resolve) => addEventListener("popstate", resolve, { once: true }));
  steps.follow(before);
  await popped;
  expect(history.length).toBe(length);
  expect(history.state).toMatchObject({ wavepoint: { run: before.id, answered: 1, before: 0 } });
  await press("back");
  await expect.poll(() => asked(), PATIENCE).toEqual([["a", "1"]]);
});

test("a page that is loaded again is at the question at which it was left, whichever run it opens itself", async () => {
  const first = holder.run!;
  await answer("1");
  await press("back");
  await expect.poll(() => asked(), PATIENCE).toEqual([["a", "1"]]);
  const left = holder.run!.id;
  steps.dispose();

  holder = { run: first };
  steps = questionHistory(executor, holder);
  await steps.ready;
  expect(holder.run!.id).toBe(left);
  expect(asked()).toEqual([["a", "1"]]);
});

test("a run that was deleted since leaves the page with the one it has", async () => {
  const state = history.state as unknown;
  const fresh = await executor.start("wizard");
  await fresh.settled();
  steps.dispose();
  history.replaceState({ ...(state as object), wavepoint: { run: "run_gone", answered: 2 } }, "");
  holder = { run: fresh };
  steps = questionHistory(executor, holder);
  await steps.ready;
  expect(holder.run).toBe(fresh);
  expect(history.state).toMatchObject({ wavepoint: { run: fresh.id, answered: 0 } });
});

test("several questions that wait at once are steps one by one", async () => {
  const pair: Workflow = { name: "pair", blocks: wizard.blocks.slice(0, 2).map(({ id, type, inputs }) => ({ id, type, inputs: inputs! })) };
  await executor.load(pair);
  const run = await executor.start("pair");
  await run.settled();
  holder.run = run;
  steps.follow(run);
  expect(asked().map(([block]) => block)).toEqual(["a", "b"]);
  await answer("1");
  expect(asked()).toEqual([["b", undefined]]);
  await press("back");
  await expect.poll(() => asked(), PATIENCE).toContainEqual(["a", "1"]);
});

test("an element that changes its run is followed by its event", async () => {
  const element = Object.assign(document.createElement("div"), { run: holder.run as Run | undefined });
  steps.dispose();
  steps = questionHistory(executor, element);
  await steps.ready;
  const other = await executor.start("wizard");
  await other.settled();
  element.dispatchEvent(new CustomEvent("wavepoint-run-changed", { detail: { run: other } }));
  expect(history.state).toMatchObject({ wavepoint: { run: other.id, answered: 0 } });
});

test("left alone, the history is no longer written to", async () => {
  steps.dispose();
  const state = history.state as unknown;
  const run = holder.run!;
  await run.answer(run.getSnapshot().pauses[0]!.id, "1");
  expect(run.getSnapshot().progress.answered).toBe(1);
  expect(history.state).toEqual(state);
});

test("two steps back within the page, the second before the browser took the first, are two in the history", async () => {
  await answer("1");
  await answer("2");
  const length = history.length;
  const second = await holder.run!.back();
  const first = await second.back();
  steps.follow(second);
  steps.follow(first);
  await expect.poll(() => history.state, PATIENCE).toEqual({ wavepoint: { run: first.id, answered: 0 } });
  expect(history.length).toBe(length);
});

test("a run that the page goes to while an entry is looked for stays the one that is shown", async () => {
  await answer("1");
  const other = await executor.start("wizard");
  await other.settled();
  await press("back");
  holder.run = other;
  steps.follow(other);
  // What was looked for has been found by then.
  await executor.runs.tree(other.id);
  await expect.poll(() => history.state, PATIENCE).toMatchObject({ wavepoint: { run: other.id, answered: 0 } });
  expect(holder.run.id).toBe(other.id);
});

test("an entry whose run cannot be read is told of, and leaves the page with the run it has", async () => {
  await answer("1");
  steps.dispose();
  const fresh = await executor.start("wizard");
  const problems: unknown[] = [];
  const broken = { ...executor, open: () => Promise.reject(new Error("No connection.")) };
  holder = { run: fresh };
  steps = questionHistory(broken, holder, { onProblem: (error) => problems.push(error) });
  await steps.ready;
  expect(holder.run).toBe(fresh);
  expect(problems).toEqual([new Error("No connection.")]);
});

describe("two wizards of one page, with names", () => {
  let left: typeof holder;
  let right: typeof holder;
  let both: QuestionHistory[];

  async function open(): Promise<void> {
    both = [questionHistory(executor, left, { name: "left" }), questionHistory(executor, right, { name: "right" })];
    await Promise.all(both.map(({ ready }) => ready));
  }
  async function tell({ run }: typeof holder, response: string): Promise<void> {
    await run!.answer(run!.getSnapshot().pauses[0]!.id, response);
  }
  const at = ({ run }: typeof holder): string => run!.getSnapshot().pauses[0]!.path[0]!;

  beforeEach(async () => {
    steps.dispose();
    const runs = [await executor.start("wizard"), await executor.start("wizard")];
    await Promise.all(runs.map((run) => run.settled()));
    [left, right] = runs.map((run) => ({ run })) as [typeof holder, typeof holder];
    await open();
    return () => both.forEach((one) => one.dispose());
  });

  test("each keeps its own run, also when the page is loaded again", async () => {
    await tell(left, "1");
    const [first, second] = [left.run!.id, right.run!.id];
    both.forEach((one) => one.dispose());
    const fresh = await executor.start("wizard");
    [left, right] = [{ run: fresh }, { run: undefined }];
    await open();
    expect([left.run!.id, right.run!.id]).toEqual([first, second]);
  });

  test("the browser's Back takes back the last step, whichever took it, and leaves the other where it is", async () => {
    const kept = right.run;
    await tell(left, "1");
    await tell(right, "1");
    await tell(left, "2");
    expect([at(left), at(right)]).toEqual(["c", "b"]);
    await press("back");
    await expect.poll(() => [at(left), at(right)], PATIENCE).toEqual(["b", "b"]);
    await press("back");
    await expect.poll(() => [at(left), at(right)], PATIENCE).toEqual(["b", "a"]);
    await press("forward");
    await expect.poll(() => [at(left), at(right)], PATIENCE).toEqual(["b", "b"]);
    expect(right.run!.id).toBe(kept!.id);
  });

  test("a step back within the page takes back none of the other's", async () => {
    await tell(left, "1");
    await tell(right, "1");
    left.run = await left.run!.back();
    both[0]!.follow(left.run);
    await expect.poll(() => history.state, PATIENCE).toMatchObject({ "wavepoint:left": { run: left.run!.id, answered: 0 } });
    expect([at(left), at(right)]).toEqual(["a", "b"]);
  });
});
