import { describe, expect, test } from "vitest";
import { createExecutor, defineBlock, invalid, isWorkflowError, pause, success, type Block, type Run, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";
import { fillIn } from "../../../support/fill-in.ts";
import { workshop } from "../../../support/workshop.ts";

const ask = (id: string, more: Partial<Block> = {}): Block => ({ id, type: "GetInput", inputs: { prompt: `${id}?` }, ...more });
const after = (id: string, before: string, more: Partial<Block> = {}): Block => ask(id, { dependsOn: [before], ...more });

const wizard: Workflow = {
  name: "wizard",
  blocks: [
    ask("a"),
    after("b", "a"),
    { id: "w", type: "Work", dependsOn: ["b"], inputs: { value: "${blocks.b.input_value}" } },
    after("c", "w"),
    after("d", "c", { inputs: { prompt: "d of ${blocks.b.input_value}?" } }),
  ],
  outputs: { d: "${blocks.d.input_value}", w: "${blocks.w.value}" },
};

function setUp(...workflows: Workflow[]) {
  const shop = workshop();
  const store = memoryStore();
  const parts = { store, host: fakeHost({ autoAdvance: true }), workflows, blocks: shop.blocks };
  return { store, shop, parts, executor: createExecutor(parts) };
}

const open = (run: Run) => run.getSnapshot().pauses.map(({ path }) => path.join("/"));

describe("going back", () => {
  test("waits at the previous question with its answer, and goes on where it was once that is given again", async () => {
    const { executor, shop, store } = setUp(wizard);
    const run = await executor.start("wizard");
    await fillIn(run, { a: "1", b: "2", c: "3" }, { until: "d" });
    const before = await store.read(run.id);
    const back = await run.back();
    expect(back.getSnapshot()).toMatchObject({ status: "paused", pauses: [{ path: ["c"], earlier: { response: "3", state: "ok" } }] });
    const again = await back.answer(back.getSnapshot().pauses[0]!.id, "3");
    expect(again).toMatchObject({ status: "paused", pauses: [{ path: ["d"] }] });
    expect(shop.began).toEqual(["w"]);
    expect(await store.read(run.id)).toEqual(before);
  });

  test("goes on going back, and forward again with everything that was answered", async () => {
    const { executor, shop } = setUp(wizard);
    const run = await executor.start("wizard");
    await fillIn(run, { a: "1", b: "2", c: "3", d: "4" });
    let here: Run = run;
    for (const question of ["d", "c", "b", "a"]) {
      here = await here.back();
      expect(open(here)).toEqual([question]);
    }
    await expect(here.back()).rejects.toMatchObject({ code: "CHECKPOINT_NOT_FOUND" });
    expect(await fillIn(here, { a: "1" })).toEqual(["a"]);
    expect(await here.settled()).toMatchObject({ outputs: { d: "4", w: "2" } });
    expect(shop.began).toEqual(["w"]);
  });

  test("asks again what another answer changes", async () => {
    const { executor, shop } = setUp(wizard);
    const run = await executor.start("wizard");
    await fillIn(run, { a: "1", b: "2", c: "3", d: "4" });
    const back = await (await (await run.back()).back()).back();
    expect(await fillIn(back, { b: "two", d: "four" })).toEqual(["b", "d"]);
    expect(await back.settled()).toMatchObject({ outputs: { d: "four", w: "two" } });
    expect(shop.began).toEqual(["w", "w"]);
    expect((await back.answers()).map(({ answer }) => answer)).toEqual(["1", "two", "3", "four"]);
  });

  test("keeps to the order in which questions of one wave were answered, and asks the one alone that it goes back to", async () => {
    const beside: Workflow = { name: "beside", blocks: [ask("a"), ask("b"), ask("c"), ask("d", { dependsOn: ["a", "b", "c"] })] };
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
    const atB = await run.back();
    expect(open(atB)).toEqual(["b"]);
    const atA = await atB.back();
    expect(open(atA)).toEqual(["a", "b"]);
    const result = await atA.answer(atA.getSnapshot().pauses[0]!.id, "one");
    expect(result).toMatchObject({ status: "paused", pauses: [{ path: ["d"] }] });
    expect((await atA.answers()).map(({ answer }) => answer)).toEqual(["one", "2", "3", undefined]);
  });

  test("leaves the question open that it went back to while others beside it are answered", async () => {
    const beside: Workflow = { name: "beside", blocks: [ask("a"), ask("b")] };
    const { executor } = setUp(beside);
    const run = await executor.start("beside");
    await run.settled();
    await run.answer(Object.fromEntries(run.getSnapshot().pauses.map(({ id, path }) => [id, `${path[0]} before`])));
    const atA = await (await run.back()).back();
    const b = atA.getSnapshot().pauses.find(({ path }) => path[0] === "b")!;
    expect(await atA.answer(b.id, "b now")).toMatchObject({ status: "paused", pauses: [{ path: ["a"] }] });
  });

  test("is not held up by what is open now, and takes along what was typed for it", async () => {
    const { executor, parts } = setUp(wizard);
    const run = await executor.start("wizard");
    await fillIn(run, { a: "1", b: "2", c: "3" }, { until: "d" });
    await run.saveDraft(run.getSnapshot().pauses[0]!.id, "half an ans");
    const back = await (await run.back()).back();
    const later = await createExecutor(parts).open(back.id);
    expect(await fillIn(later, { b: "2" }, { until: "d" })).toEqual(["b"]);
    expect(open(later)).toEqual(["d"]);
    expect(later.getSnapshot().pauses[0]).toMatchObject({ draft: "half an ans" });
  });

  test("passes over what nobody answered in time, and what was refused after all", async () => {
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
    expect(open(await run.back())).toEqual(["a"]);
  });

  test("is refused where nothing was answered", async () => {
    const { executor } = setUp(wizard);
    const run = await executor.start("wizard");
    await run.settled();
    await expect(run.back()).rejects.toMatchObject({ code: "CHECKPOINT_NOT_FOUND" });
  });

  test.each(["full", "windowed", "latest"] as const)(
    "goes as far as the policy keeps what was, and leaves out no question of a called workflow: retention %s",
    async (retention) => {
      const inner: Workflow = { name: "inner", blocks: [ask("q"), after("r", "q"), after("s", "r"), after("t", "s")] };
      const outer: Workflow = {
        name: "outer",
        blocks: [ask("a"), { id: "part", type: "ExecuteWorkflow", dependsOn: ["a"], inputs: { workflow: "inner" } }, after("z", "part")],
      };
      const { parts } = setUp(inner, outer);
      const policy = { retention, ...(retention === "windowed" ? { window: 2 } : {}) };
      const executor = createExecutor({ ...parts, policy });
      const whole = ["part/t", "part/s", "part/r", "part/q", "a"];
      for (const [name, asked] of [
        ["outer", whole],
        ["inner", ["s", "r", "q"]],
      ] as const) {
        let run = await executor.start(name);
        await fillIn(run, { a: "1", q: "2", r: "3", s: "4", t: "5" }, { until: name === "outer" ? "z" : "t" });
        const passed: string[] = [];
        let end = "";
        while (end === "") {
          try {
            run = await run.back();
            passed.push(...open(run));
          } catch (error) {
            end = isWorkflowError(error) ? error.code : String(error);
          }
        }
        const kept = { full: asked.length, windowed: 2, latest: 0 }[retention];
        expect([passed, end]).toEqual([asked.slice(0, kept), retention === "full" ? "CHECKPOINT_NOT_FOUND" : "CHECKPOINT_PRUNED"]);
      }
    },
  );
});
