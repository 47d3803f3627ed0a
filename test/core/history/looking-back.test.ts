import { describe, expect, test } from "vitest";
import { createExecutor, type Block, type Run, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";
import { fillIn } from "../../support/fill-in.ts";
import { pauseOf } from "../../support/pause-of.ts";

const ask = (id: string, more: Partial<Block> = {}): Block => ({ id, type: "GetInput", inputs: { prompt: `${id}?` }, ...more });

const inner: Workflow = { name: "inner", blocks: [ask("x"), ask("y", { dependsOn: ["x"] })] };

const outer: Workflow = {
  name: "outer",
  inputs: { kind: { type: "string", default: "a" }, list: { type: "array", default: [1, { deep: 2 }] } },
  blocks: [
    ask("first"),
    ask("if_a", { dependsOn: ["first"], condition: "${inputs.kind} == 'a'" }),
    ask("if_b", { dependsOn: ["first"], condition: "${inputs.kind} == 'b'" }),
    { id: "part", type: "ExecuteWorkflow", dependsOn: ["first"], inputs: { workflow: "inner" } },
    { id: "last", type: "Form", dependsOn: ["part"], inputs: { prompt: "?", fields: [{ name: "n", type: "integer" }] } },
  ],
};

function setUp() {
  const store = memoryStore();
  const host = fakeHost({ autoAdvance: true });
  return { store, host, executor: createExecutor({ store, host, workflows: [inner, outer] }) };
}

describe("the answers of a run", () => {
  test("are listed with what is open, what may come and what was skipped, called workflows included", async () => {
    const { executor, host } = setUp();
    const run = await executor.start("outer");
    await run.settled();
    expect((await run.answers()).map(({ path, status }) => [path.join("/"), status])).toEqual([
      ["first", "open"],
      ["if_a", "pending"],
      ["if_b", "pending"],
      ["part/x", "pending"],
      ["part/y", "pending"],
      ["last", "pending"],
    ]);
    await fillIn(run, { first: "1", if_a: "2" }, { until: "part/x" });
    const items = await run.answers();
    expect(items.map(({ path, status }) => [path.join("/"), status])).toEqual([
      ["first", "answered"],
      ["if_a", "answered"],
      ["if_b", "skipped"],
      ["part/x", "open"],
      ["part/y", "pending"],
      ["last", "pending"],
    ]);
    expect(items[0]).toEqual({
      block: "first",
      path: ["first"],
      type: "GetInput",
      status: "answered",
      pause: expect.stringMatching(/^pause_/),
      prompt: "first?",
      schema: { type: "string", minLength: 1 },
      metadata: { kind: "text" },
      answer: "1",
      answeredAt: host.now(),
    });
  });

  test("tell which questions were declined and which ran out of time", async () => {
    const { executor, host } = setUp();
    const timed: Workflow = {
      name: "timed",
      blocks: [
        ask("slow", { answerTimeoutMs: 1_000, onTimeout: "skip" }),
        ask("late", { answerTimeoutMs: 1_000, onTimeout: { answer: "so be it" } }),
        ask("no", { continueOnError: true }),
      ],
    };
    const run = await executor.start(timed);
    await run.settled();
    const no = run.getSnapshot().pauses.find(({ path }) => path[0] === "no")!;
    const declined = run.decline(no.id);
    await host.advance(2_000);
    await declined;
    await run.settled();
    expect((await run.answers()).map(({ block, status, answer }) => [block, status, answer])).toEqual([
      ["slow", "expired", undefined],
      ["late", "expired", "so be it"],
      ["no", "declined", undefined],
    ]);
  });
});

describe("the tree of a run's forks", () => {
  test("begins at the run that all come from, and marks it where it was deleted", async () => {
    const { executor } = setUp();
    const run = await executor.start("outer");
    const other = await executor.start("outer");
    await fillIn(run, { first: "1", if_a: "2" }, { until: "part/x" });
    await other.settled();
    const first = await pauseOf(run, "first");
    const changed = await executor.fork(run.getSnapshot().pauses[0]!.id, { revise: { [first]: "one" } });
    await changed.settled();
    const fork = await executor.fork(await pauseOf(changed, "first"));
    await fork.settled();
    const second = await executor.fork(first);
    await second.settled();
    const leaf = (tree: { run: string; checkpoint?: string }) => ({ run: tree.run, checkpoint: tree.checkpoint });
    const tree = await executor.runs.tree(fork.id);
    expect(tree).toMatchObject({ run: run.id, workflow: "outer", status: "paused" });
    expect(tree).not.toHaveProperty("checkpoint");
    expect(tree.forks).toHaveLength(2);
    expect(tree.forks[0]).toMatchObject({ run: changed.id, checkpoint: run.getSnapshot().pauses[0]!.id });
    expect(tree.forks[0]!.forks.map(leaf)).toEqual([{ run: fork.id, checkpoint: await pauseOf(changed, "first") }]);
    expect(leaf(tree.forks[1]!)).toEqual({ run: second.id, checkpoint: first });
    await executor.runs.delete(run.id);
    expect(await executor.runs.tree(fork.id)).toMatchObject({
      run: run.id,
      status: "deleted",
      forks: [{ run: changed.id }, {}],
    });
    await expect(executor.runs.tree("run_nowhere")).rejects.toMatchObject({ code: "RUN_NOT_FOUND" });
  });
});

describe("the difference of two checkpoints", () => {
  test("tells inputs, answers and what became of blocks, part by part", async () => {
    const { executor } = setUp();
    const run = await executor.start("outer", { list: [1, { deep: 2 }] });
    await fillIn(run, { first: "1", if_a: "2", x: "3", y: "4", last: { n: 5 } });
    const fork = await executor.fork(await pauseOf(run, "last"), { inputs: { kind: "b", list: [1, { deep: 3 }, 4] } });
    await fillIn(fork, { if_b: "B", last: { n: 6 } });
    const newest = async ({ id }: Run) => (await executor.checkpoints.list({ run: id, kind: "wave" })).items[0]!.id;
    const [before, after] = [await newest(run), await newest(fork)];
    expect(await executor.checkpoints.diff(before, after)).toEqual({
      from: before,
      to: after,
      inputs: [
        { path: "kind", before: "a", after: "b" },
        { path: "list[1].deep", before: 2, after: 3 },
        { path: "list[2]", after: 4 },
      ],
      answers: [
        { path: "if_a", before: "2" },
        { path: "last.n", before: 5, after: 6 },
        { path: "if_b", after: "B" },
      ],
      blocks: [
        { block: "if_a", before: "completed", after: "skipped", outputs: [{ path: "input_value", before: "2" }] },
        { block: "if_b", before: "skipped", after: "completed", outputs: [{ path: "input_value", after: "B" }] },
        { block: "last", before: "completed", after: "completed", outputs: [{ path: "n", before: 5, after: 6 }] },
      ],
    });
    expect(await executor.checkpoints.diff(before, before)).toEqual({ from: before, to: before, inputs: [], answers: [], blocks: [] });
    await expect(executor.checkpoints.diff(before, "chk_nowhere.0")).rejects.toMatchObject({ code: "CHECKPOINT_NOT_FOUND" });
  });

  test("stops after 1,000 parts", async () => {
    const { executor } = setUp();
    const run = await executor.start("outer", { list: Array.from({ length: 3_000 }, () => 0) });
    await run.settled();
    const first = run.getSnapshot().pauses[0]!.id;
    const fork = await executor.fork(first, { inputs: { list: Array.from({ length: 3_000 }, () => 1) } });
    await fork.settled();
    const difference = await executor.checkpoints.diff(first, fork.getSnapshot().pauses[0]!.id);
    expect(difference.inputs).toHaveLength(1_000);
    expect(difference.truncated).toBe(true);
  });
});

test("runs that say they come from each other make no circle", async () => {
  const { store, executor } = setUp();
  const runs = [await executor.start("outer"), await executor.start("outer")] as const;
  for (const [i, run] of runs.entries()) {
    await run.settled();
    const head = (await store.head(run.id))!;
    await store.commit({
      run: run.id,
      expected: head,
      head: { ...head, revision: head.revision + 1, fork: { run: runs[1 - i]!.id, checkpoint: "pause_x.0" } },
      entries: [],
      durability: "strict",
    });
  }
  const [first, second] = runs;
  expect(await executor.runs.tree(first.id)).toMatchObject({ run: second.id, forks: [{ run: first.id, forks: [] }] });
  await expect(first.revise(second.getSnapshot().pauses[0]!.id, "x")).rejects.toMatchObject({ code: "CHECKPOINT_NOT_FOUND" });
  expect(await first.answers()).toHaveLength(6);
});
