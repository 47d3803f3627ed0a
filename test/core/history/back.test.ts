import { describe, expect, test } from "vitest";
import { createExecutor, defineBlock, invalid, isWorkflowError, pause, success, type Block, type Run, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";
import { conclude, leftOpen } from "../../support/left-open.ts";
import { fillIn } from "../../support/fill-in.ts";
import { pauseOf } from "../../support/pause-of.ts";
import { workshop } from "../../support/workshop.ts";

const ask = (id: string, more: Partial<Block> = {}): Block => ({ id, type: "GetInput", inputs: { prompt: `${id}?` }, ...more });
const after = (id: string, before: string, more: Partial<Block> = {}): Block => ask(id, { dependsOn: [before], ...more });

const wizard = leftOpen({
  name: "wizard",
  blocks: [
    ask("a"),
    after("b", "a"),
    { id: "w", type: "Work", dependsOn: ["b"], inputs: { value: "${blocks.b.input_value}" } },
    after("c", "w"),
    after("d", "c", { inputs: { prompt: "d of ${blocks.b.input_value}?" } }),
  ],
  outputs: { d: "${blocks.d.input_value}", w: "${blocks.w.value}" },
});
const UNTIL = { until: "sure" };

function setUp(...workflows: Workflow[]) {
  const shop = workshop();
  const store = memoryStore();
  const parts = { store, host: fakeHost({ autoAdvance: true }), workflows, blocks: shop.blocks };
  return { store, shop, parts, executor: createExecutor(parts) };
}

const open = (run: Run) => run.getSnapshot().pauses.map(({ path }) => path.join("/"));

describe("D21: going back while a run comes to its end", () => {
  const racing: Workflow = {
    name: "racing",
    blocks: [ask("a"), { id: "w", type: "Gated" }],
    outputs: { a: "${blocks.a.input_value}" },
  };

  test.each([0, 1, 2, 4, 8, 12, 15, 24])("opens the question, or is refused: after %i turns", async (turns) => {
    let open!: () => void;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const gated = defineBlock({ type: "Gated", execute: () => gate.then(() => success({})) });
    const executor = createExecutor({ store: memoryStore(), host: fakeHost({ autoAdvance: true }), workflows: [racing], blocks: [gated] });
    const run = await executor.start("racing");
    await expect.poll(() => run.getSnapshot().pauses).toHaveLength(1);
    const answered = run.answer(await pauseOf(run, "a"), "1");
    await expect.poll(() => run.getSnapshot().pauses).toHaveLength(0);
    open();
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
    const { error } = await run.back();
    await answered;
    const { status, pauses } = run.getSnapshot();
    expect([status, pauses.length, error?.code]).toEqual(error ? ["completed", 0, "RUN_ENDED"] : ["paused", 1, undefined]);
  });
});

describe("going back", () => {
  test("waits at the previous question with its answer, and goes on where it was once that is given again", async () => {
    const { executor, shop } = setUp(wizard);
    const run = await executor.start("wizard");
    await fillIn(run, { a: "1", b: "2", c: "3" }, { until: "d" });
    const { id: d } = run.getSnapshot().pauses[0]!;
    expect(await run.back()).toMatchObject({
      status: "paused",
      run: run.id,
      pauses: [{ path: ["c"], earlier: { response: "3", state: "ok" } }],
    });
    const again = await run.answer(run.getSnapshot().pauses[0]!.id, "3");
    expect(again).toMatchObject({ status: "paused", pauses: [{ path: ["d"], id: d }] });
    expect(shop.began).toEqual(["w"]);
    expect((await executor.runs.list()).items).toHaveLength(1);
  });

  test("goes on going back, and forward again with everything that was answered", async () => {
    const { executor, shop } = setUp(wizard);
    const run = await executor.start("wizard");
    await fillIn(run, { a: "1", b: "2", c: "3", d: "4" }, UNTIL);
    for (const question of ["d", "c", "b", "a"]) {
      await run.back();
      expect(open(run)).toEqual([question]);
    }
    await expect(run.back()).rejects.toMatchObject({ code: "CHECKPOINT_NOT_FOUND" });
    // Each question that was opened is asked again when it is due, with the answer that it had.
    const offered: unknown[] = [];
    for (let { pauses } = await run.settled(); pauses![0]!.path[0] !== "sure"; { pauses } = await run.settled()) {
      offered.push(pauses![0]!.earlier);
      await run.answer(pauses![0]!.id, pauses![0]!.earlier!.response);
    }
    expect(offered).toEqual(["1", "2", "3", "4"].map((response) => ({ response, state: "ok" })));
    expect(await conclude(run)).toMatchObject({ outputs: { d: "4", w: "2" } });
    expect(shop.began).toEqual(["w"]);
  });

  test("asks again what another answer changes", async () => {
    const { executor, shop } = setUp(wizard);
    const run = await executor.start("wizard");
    await fillIn(run, { a: "1", b: "2", c: "3", d: "4" }, UNTIL);
    await run.revise((await run.answers()).find(({ block }) => block === "b")!.pause!, "two");
    expect(await fillIn(run, { d: "four" }, UNTIL)).toEqual(["d"]);
    expect(shop.began).toEqual(["w", "w"]);
    expect((await run.answers()).map(({ answer }) => answer)).toEqual(["1", "two", "3", "four", undefined]);
    expect(await conclude(run)).toMatchObject({ outputs: { d: "four", w: "two" } });
  });

  test("keeps to the order in which questions of one wave were answered, after a revision too", async () => {
    const beside = leftOpen({ name: "beside", blocks: [ask("a"), ask("b"), ask("c"), ask("d", { dependsOn: ["a", "b", "c"] })] });
    const { executor } = setUp(beside);
    const run = await executor.start("beside");
    await run.settled();
    const [a, b, c] = run.getSnapshot().pauses.map(({ id }) => id);
    for (const [pause, answer] of [
      [c, "3"],
      [a, "1"],
      [b, "2"],
    ] as const)
      await run.answer(pause!, answer);
    await run.revise(a!, "one");
    await run.back();
    expect(open(run)).toEqual(["b"]);
    await run.back();
    expect(open(run)).toEqual(["a", "b"]);
    expect(run.getSnapshot().pauses[0]).toMatchObject({ earlier: { response: "one" } });
    const result = await run.answer(run.getSnapshot().pauses[0]!.id, "1");
    expect(result).toMatchObject({ status: "paused", pauses: [{ path: ["b"] }] });
    expect(await run.answer(result.pauses![0]!.id, "2")).toMatchObject({ pauses: [{ path: ["d"] }] });
    expect((await run.answers()).map(({ answer }) => answer)).toEqual(["1", "2", "3", undefined, undefined]);
  });

  test("passes over what no one answered in time, and what was refused after all", async () => {
    const picky = defineBlock({
      type: "Picky",
      execute: () => pause({ prompt: "Well?" }),
      resume: ({ response }) => (response === "no" ? invalid("Not that.") : success({})),
    });
    const timed: Workflow = {
      name: "timed",
      blocks: [
        ask("a"),
        after("late", "a", { answerTimeoutMs: 1_000, onTimeout: { answer: "so be it" } }),
        { id: "picky", type: "Picky", dependsOn: ["late"] },
      ],
    };
    const host = fakeHost({ autoAdvance: true });
    const executor = createExecutor({ store: memoryStore(), host, workflows: [timed], blocks: [picky] });
    const run = await executor.start("timed");
    await run.answer((await run.settled()).pauses![0]!.id, "1");
    await host.advance(2_000);
    const { pauses } = await run.settled();
    expect(await run.answer(pauses![0]!.id, "no")).toMatchObject({ status: "failure", error: { code: "RESPONSE_INVALID" } });
    await run.back();
    expect(open(run)).toEqual(["a"]);
  });

  test.each(["decline", "cancel"] as const)("takes a question back, which then cannot be declined (%s) any more", async (action) => {
    const { executor } = setUp(wizard);
    const run = await executor.start("wizard");
    const first = (await run.settled()).pauses![0]!.id;
    const asked = (await run.answer(first, "x")).pauses![0]!.id;
    await run.back();
    expect(await run.decline(asked, { action })).toMatchObject({ status: "failure", error: { code: "PAUSE_WITHDRAWN" } });
    expect(run.getSnapshot()).toMatchObject({ status: "paused", pauses: [{ path: ["a"] }] });
  });

  test("is refused where nothing was answered", async () => {
    const { executor } = setUp(wizard);
    const run = await executor.start("wizard");
    await run.settled();
    await expect(run.back()).rejects.toMatchObject({ code: "CHECKPOINT_NOT_FOUND" });
  });

  test.each(["full", "windowed", "latest"] as const)(
    "goes back to the first question under any policy, and leaves out no question of a called workflow: retention %s",
    async (retention) => {
      const inner: Workflow = { name: "inner", blocks: [ask("q"), after("r", "q"), after("s", "r"), after("t", "s")] };
      const outer: Workflow = {
        name: "outer",
        blocks: [ask("a"), { id: "part", type: "ExecuteWorkflow", dependsOn: ["a"], inputs: { workflow: "inner" } }, after("z", "part")],
      };
      const { parts } = setUp(inner, outer);
      const policy = { retention, ...(retention === "windowed" ? { window: 2 } : {}) };
      for (const [name, asked] of [
        ["outer", ["part/t", "part/s", "part/r", "part/q", "a"]],
        ["inner", ["s", "r", "q"]],
      ] as const) {
        const started = await createExecutor({ ...parts, policy }).start(name);
        await fillIn(started, { a: "1", q: "2", r: "3", s: "4", t: "5" }, { until: name === "outer" ? "z" : "t" });
        // Another process has no more than what is stored.
        const run = await createExecutor({ ...parts, policy }).open(started.id);
        const passed: string[] = [];
        let end = "";
        while (end === "") {
          try {
            await run.back();
            passed.push(...open(run));
          } catch (error) {
            end = isWorkflowError(error) ? error.code : String(error);
          }
        }
        expect([passed, end]).toEqual([asked, "CHECKPOINT_NOT_FOUND"]);
      }
    },
  );
});

test("what fails behind the question that was gone back to is tried again once the run goes on", async () => {
  const { executor } = setUp({ name: "beside", blocks: [ask("b"), ask("a"), after("later", "b"), after("end", "a")], outputs: {} });
  const run = await executor.start("beside");
  await fillIn(run, { b: "1", a: "2" }, { until: "later" });
  await run.back();
  expect(open(run).toSorted()).toEqual(["a", "later"]);
  const later = run.getSnapshot().pauses.find(({ path }) => path[0] === "later")!;
  expect(await run.decline(later.id)).toMatchObject({ status: "failure", error: { code: "PAUSE_DECLINED" } });
  const { id } = run.getSnapshot().pauses.find(({ path }) => path[0] === "a")!;
  const again = await run.answer(id, "2");
  expect(again).toMatchObject({ status: "paused" });
  expect(open(run).toSorted()).toEqual(["end", "later"]);
});
