import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createExecutor, type Block, type Executor, type Run, type Workflow } from "wavepoint";
import { questionHistory, type QuestionHistory, type QuestionHistoryOptions } from "wavepoint/browser";
import { memoryStore } from "wavepoint/store/memory";
import { pauseOf } from "../support/pause-of.ts";

const ask = (id: string, more: Partial<Block> = {}): Block => ({ id, type: "GetInput", inputs: { prompt: `${id}?` }, ...more });
const wizard: Workflow = {
  name: "wizard",
  blocks: [ask("a"), ask("b", { dependsOn: ["a"] }), ask("c", { dependsOn: ["b"] }), ask("d", { dependsOn: ["c"] })],
  outputs: { all: "${blocks.a.input_value}${blocks.b.input_value}${blocks.c.input_value}${blocks.d.input_value}" },
};

let executor: Executor;
let run: Run;
let histories: QuestionHistory[];
let problems: unknown[];

function follow(followed: Run, options: QuestionHistoryOptions = {}): void {
  histories.push(questionHistory(followed, { onProblem: (problem) => problems.push(problem), ...options }));
}

async function start(workflow: Workflow = wizard): Promise<Run> {
  const started = await executor.start(workflow);
  await started.settled();
  return started;
}

/** What is asked, with the answer that was given before. */
function asked(of: Run = run): readonly (readonly [string, unknown])[] {
  return of.getSnapshot().pauses.map(({ path, earlier }) => [path.at(-1)!, earlier?.response] as const);
}

async function answer(response: string, of: Run = run): Promise<void> {
  await of.answer(of.getSnapshot().pauses[0]!.id, response);
}

/** How far the present entry says that the run is. */
const entry = (): unknown => (history.state as { readonly wavepoint?: { readonly answered: number } } | null)?.wavepoint?.answered;

/** What browsers do where a person presses one of their buttons. */
async function press(button: "back" | "forward"): Promise<void> {
  const popped = new Promise((resolve) => addEventListener("popstate", resolve, { once: true }));
  history[button]();
  await popped;
}

beforeEach(async () => {
  history.pushState(null, "");
  histories = [];
  problems = [];
  executor = createExecutor({ store: memoryStore(), workflows: [wizard] });
  run = await start();
});
afterEach(async () => {
  for (const one of histories) one.dispose();
  await executor.close();
});

describe("the browser's Back", () => {
  test("is the question before, with its answer; Forward gives the answers again, in the same run", async () => {
    follow(run);
    await answer("1");
    await answer("2");
    expect(asked()).toEqual([["c", undefined]]);
    await press("back");
    await expect.poll(() => asked()).toEqual([["b", "2"]]);
    await press("back");
    await expect.poll(() => asked()).toEqual([["a", "1"]]);
    await press("forward");
    await expect.poll(() => asked()).toEqual([["b", "2"]]);
    await press("forward");
    await expect.poll(() => asked()).toEqual([["c", undefined]]);
    expect((await executor.runs.list()).items).toHaveLength(1);
    expect(problems).toEqual([]);
  });

  test("pressed twice at once is two questions", async () => {
    follow(run);
    for (const response of ["1", "2", "3"]) await answer(response);
    // Not in the same task: WebKit would take the two for one.
    const gone = new Promise((resolve) => addEventListener("popstate", resolve, { once: true }));
    history.back();
    await gone;
    history.back();
    await expect.poll(() => asked()).toEqual([["b", "2"]]);
    await expect.poll(entry).toBe(1);
    expect(problems).toEqual([]);
  });

  test("leads to an answer that can be changed: then what followed it is no longer ahead", async () => {
    follow(run);
    await answer("1");
    await answer("2");
    const length = history.length;
    await press("back");
    await expect.poll(() => asked()).toEqual([["b", "2"]]);
    await answer("two");
    expect(asked()).toEqual([["c", undefined]]);
    expect(history.length).toBe(length);
    await answer("3");
    await answer("4");
    expect(run.getSnapshot().outputs).toEqual({ all: "1two34" });
  });

  test("leaves a run that has ended as it is", async () => {
    follow(run);
    for (const response of ["1", "2", "3", "4"]) await answer(response);
    expect(run.getSnapshot().status).toBe("completed");
    await press("back");
    await expect.poll(entry).toBe(4);
    expect(run.getSnapshot()).toMatchObject({ status: "completed", outputs: { all: "1234" } });
    expect(problems).toEqual([]);
  });

  test("goes to entries of others as if no run were here", async () => {
    follow(run);
    await answer("1");
    history.pushState({ router: "mine" }, "", "#elsewhere");
    await press("back");
    expect(asked()).toEqual([["b", undefined]]);
    await press("forward");
    expect(history.state).toEqual({ router: "mine" });
    expect(asked()).toEqual([["b", undefined]]);
    await answer("2");
    expect(entry()).toBe(2);
    await press("back");
    expect(history.state).toEqual({ router: "mine" });
    history.replaceState(null, "", location.pathname);
  });

  test("stays where it is, and says why, where the store cannot be reached", async () => {
    const broken: Run = Object.assign(Object.create(run) as Run, { back: () => Promise.reject(new Error("No connection.")) });
    for (const name of ["getSnapshot", "subscribe", "answer"] as const)
      Object.assign(broken, { [name]: (run[name] as (...given: never[]) => unknown).bind(run) });
    follow(broken);
    await answer("1");
    await press("back");
    await expect.poll(() => problems).toEqual([new Error("No connection.")]);
    expect(asked()).toEqual([["b", undefined]]);
    expect(entry()).toBe(1);
  });
});

describe("Forward gives no answer again", () => {
  test("that something was typed over", async () => {
    follow(run);
    await answer("1");
    await press("back");
    await expect.poll(() => asked()).toEqual([["a", "1"]]);
    await run.saveDraft(run.getSnapshot().pauses[0]!.id, "another");
    await press("forward");
    await expect.poll(entry).toBe(0);
    expect(asked()).toEqual([["a", "1"]]);
  });

  test("that wants to be looked at", async () => {
    const reviewed: Workflow = {
      name: "reviewed",
      blocks: [ask("a"), ask("b", { dependsOn: ["a"], onRevise: "review" }), ask("c", { dependsOn: ["b"] })],
    };
    run = await start(reviewed);
    follow(run);
    await answer("1");
    await answer("2");
    await press("back");
    await press("back");
    await expect.poll(() => asked()).toEqual([["a", "1"]]);
    await answer("one");
    expect(asked()).toEqual([["b", "2"]]);
    const length = history.length;
    await press("back");
    await expect.poll(() => asked()).toEqual([["a", "one"]]);
    await press("forward");
    await expect.poll(() => asked()).toEqual([["b", "2"]]);
    expect(history.length).toBe(length);
  });
});

test("what others keep in an entry stays, and so does the address", async () => {
  follow(run);
  const address = location.href;
  history.replaceState({ ...(history.state as object), position: 7 }, "");
  await answer("1");
  expect(history.state).toMatchObject({ position: 7, wavepoint: { answered: 1 } });
  expect(location.href).toBe(address);
});

describe("a step within the page", () => {
  test("back is a step back in the history as well", async () => {
    follow(run);
    await answer("1");
    await answer("2");
    const length = history.length;
    await run.back();
    await expect.poll(entry).toBe(1);
    expect(history.length).toBe(length);
    await press("back");
    await expect.poll(() => asked()).toEqual([["a", "1"]]);
  });

  test("to a question far back is as many steps in the history", async () => {
    const chain: Workflow = {
      name: "chain",
      blocks: [
        ask("a"),
        ...["b", "c"].map((id) => ask(id, { dependsOn: ["a"], inputs: { prompt: `${id} of \${blocks.a.input_value}?` } })),
      ],
    };
    run = await start(chain);
    follow(run);
    await answer("1");
    await answer("2");
    const length = history.length;
    await run.revise(await pauseOf(run, "a"), "one");
    expect(asked()).toEqual([
      ["b", "2"],
      ["c", undefined],
    ]);
    await expect.poll(entry).toBe(1);
    expect(history.length).toBe(length);
  });

  test("back twice, the second before the browser took the first, is two in the history", async () => {
    follow(run);
    await answer("1");
    await answer("2");
    const length = history.length;
    await run.back();
    await run.back();
    await expect.poll(entry).toBe(0);
    expect(asked()).toEqual([["a", "1"]]);
    expect(history.length).toBe(length);
  });
});

test("a step back leaves the page where it is scrolled to", async () => {
  document.body.style.height = "3000px";
  follow(run);
  await answer("1");
  scrollTo(0, 900);
  await answer("2");
  scrollTo(0, 100);
  await run.back();
  await expect.poll(entry).toBe(1);
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  // A browser may round to pixels of the screen.
  expect(Math.abs(scrollY - 100)).toBeLessThan(1);
  document.body.style.height = "";
});

test("a page that is loaded again is at the question at which it was left", async () => {
  follow(run);
  await answer("1");
  await press("back");
  await expect.poll(() => asked()).toEqual([["a", "1"]]);
  histories.pop()!.dispose();
  run = await executor.open(run.id);
  follow(run);
  expect(asked()).toEqual([["a", "1"]]);
  expect(entry()).toBe(0);
});

test("entries of another run are left alone", async () => {
  follow(run);
  await answer("1");
  const [first, second] = [run, await start()];
  histories.pop()!.dispose();
  run = second;
  follow(run);
  expect(history.state).toMatchObject({ wavepoint: { run: second.id, answered: 0 } });
  await press("back");
  expect(history.state).toMatchObject({ wavepoint: { run: first.id } });
  expect([asked(first), asked(second)]).toEqual([[["b", undefined]], [["a", undefined]]]);
});

test("several questions that wait at once are steps one by one", async () => {
  run = await start({ name: "pair", blocks: [ask("a"), ask("b")] });
  follow(run);
  expect(asked().map(([block]) => block)).toEqual(["a", "b"]);
  await answer("1");
  expect(asked()).toEqual([["b", undefined]]);
  await press("back");
  await expect.poll(() => asked()).toContainEqual(["a", "1"]);
});

test("left alone, the history is no longer written to", async () => {
  follow(run);
  histories.pop()!.dispose();
  const state = history.state as unknown;
  await answer("1");
  expect(run.getSnapshot().progress.answered).toBe(1);
  expect(history.state).toEqual(state);
});

describe("two wizards of one page, with names", () => {
  // WebKit takes 100 changes of the history in ten seconds, which the tests before have used up.
  beforeAll(() => (navigator.vendor.startsWith("Apple") ? new Promise((resolve) => setTimeout(resolve, 10_000)) : undefined));

  let left: Run;
  let right: Run;
  const at = (one: Run): string => one.getSnapshot().pauses[0]!.path[0]!;

  beforeEach(async () => {
    [left, right] = [run, await start()];
    follow(left, { name: "left" });
    follow(right, { name: "right" });
  });

  test("the browser's Back takes back the last step, whichever took it, and leaves the other where it is", async () => {
    await answer("1", left);
    await answer("1", right);
    await answer("2", left);
    expect([at(left), at(right)]).toEqual(["c", "b"]);
    await press("back");
    await expect.poll(() => [at(left), at(right)]).toEqual(["b", "b"]);
    await press("back");
    await expect.poll(() => [at(left), at(right)]).toEqual(["b", "a"]);
    await press("forward");
    await expect.poll(() => [at(left), at(right)]).toEqual(["b", "b"]);
  });

  test("a step back within the page takes back none of the other's", async () => {
    await answer("1", left);
    await answer("1", right);
    await left.back();
    await expect.poll(() => history.state).toMatchObject({ "wavepoint:left": { run: left.id, answered: 0 } });
    expect([at(left), at(right)]).toEqual(["a", "b"]);
  });
});
