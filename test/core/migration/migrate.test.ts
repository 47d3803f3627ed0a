import { describe, expect, test } from "vitest";
import { createExecutor, type Migration, type Move, type Workflow } from "wavepoint";
import { pauseOf, setStage, storedOf } from "./stage.ts";

const first: Workflow = {
  name: "trip",
  blocks: [
    { id: "look", type: "Work", inputs: { value: "sea" } },
    { id: "rate", type: "Work", dependsOn: ["look"], inputs: { value: "${blocks.look.value}" } },
    { id: "ask", type: "Ask", dependsOn: ["rate"] },
  ],
  outputs: { answer: "${blocks.ask.answer}" },
};
/** `look` is `see` now, `rate` is gone, and the question is called otherwise. */
const renamed: Workflow = {
  name: "trip",
  blocks: [
    { id: "see", type: "Work", inputs: { value: "lake" } },
    { id: "question", type: "Ask", dependsOn: ["see"] },
  ],
  outputs: { answer: "${blocks.question.answer}", seen: "${blocks.see.value}" },
};

async function begin(blocks?: Migration["blocks"]) {
  const moves: Move[] = [];
  const migrate = (move: Move): Migration | undefined => {
    moves.push(move);
    return blocks && { blocks };
  };
  const stage = setStage({ migrate });
  const run = await stage.executorOf(first).start("trip");
  await run.settled();
  return { ...stage, moves, id: run.id };
}

let stage: ReturnType<typeof setStage> | undefined;

describe("a migrate hook", () => {
  test("says under which ids blocks go on, and which of them no longer count", async () => {
    const { executorOf, id, moves, shop, store } = await begin({ look: "see", rate: null, ask: "question" });
    const run = await executorOf(renamed).open(id);
    expect(await run.resume({ definition: "latest" })).toMatchObject({
      status: "paused",
      pauses: [{ id: pauseOf(id), path: ["question"] }],
    });
    expect(moves).toMatchObject([{ run: id, workflow: "trip", from: first, to: renamed, plan: { verdict: "needs_migration" } }]);
    const moved = (await store.read(id)).map((text) => JSON.parse(text) as { type: string }).find(({ type }) => type === "moved");
    expect(moved).toMatchObject({ blocks: { look: "see", rate: null, ask: "question" } });
    const later = await executorOf(renamed).open(id);
    expect(await later.answer(pauseOf(id), "yes")).toMatchObject({ status: "success", outputs: { answer: "yes", seen: "sea" } });
    expect(shop.began).toEqual(["look", "rate", "ask", "question"]);
  });

  test("is not asked where the run can move as it stands", async () => {
    const { executorOf, id, moves } = await begin();
    const run = await executorOf({ ...first, outputs: {} }).open(id);
    expect(await run.resume({ definition: "latest" })).toMatchObject({ status: "paused" });
    expect(moves).toEqual([]);
  });

  test("that drops a question takes it back, and its block asks again where it still is one", async () => {
    const { executorOf, id, shop } = await begin({ ask: null });
    const blocks = [...first.blocks.slice(0, 2), { id: "extra", type: "Work" }, { ...first.blocks[2]!, dependsOn: ["rate", "extra"] }];
    const run = await executorOf({ ...first, blocks }).open(id);
    expect(await run.resume({ definition: "latest" })).toMatchObject({ status: "paused", pauses: [{ id: pauseOf(id, 1), path: ["ask"] }] });
    expect(await run.answer(pauseOf(id), "early")).toMatchObject({ status: "failure", error: { code: "PAUSE_ALREADY_ANSWERED" } });
    expect(await run.answer(pauseOf(id, 1), "late")).toMatchObject({ status: "success", outputs: { answer: "late" } });
    expect(shop.began).toEqual(["look", "rate", "ask", "extra", "ask", "ask"]);
  });

  test.each<readonly [string, readonly Workflow[]]>([
    [
      "a question",
      [
        {
          name: "flow",
          blocks: [
            { id: "ask", type: "Ask" },
            { id: "gone", type: "Ask" },
          ],
        },
      ],
    ],
    [
      "questions of items",
      [
        {
          name: "flow",
          blocks: [
            { id: "ask", type: "Ask" },
            { id: "gone", type: "Ask", forEach: ["x", "y"] },
          ],
        },
      ],
    ],
    [
      "items that called runs",
      [
        {
          name: "flow",
          blocks: [
            { id: "ask", type: "Ask" },
            { id: "gone", type: "ExecuteWorkflow", forEach: ["x", "y"], inputs: { workflow: "leaf" } },
          ],
        },
        { name: "leaf", blocks: [{ id: "ask", type: "Ask" }] },
      ],
    ],
  ])("that drops %s leaves a run that can be read where only its newest state is kept", async (_, workflows) => {
    const [before] = workflows;
    const { executorOf } = setStage({ migrate: () => ({ blocks: { gone: null } }), policy: { retention: "latest" } });
    const started = await executorOf(...workflows).start("flow");
    await started.settled();
    const after = [{ ...before!, blocks: before!.blocks.slice(0, 1) }, ...workflows.slice(1)];
    const run = await executorOf(...after).open(started.id);
    expect(await run.resume({ definition: "latest" })).toMatchObject({ status: "paused", pauses: [{ path: ["ask"] }] });
    const again = await executorOf(...after).open(run.id);
    expect(again.getSnapshot().pauses).toEqual(run.getSnapshot().pauses);
    const back = await executorOf(...workflows).open(run.id);
    await back.resume({ definition: "latest" });
    const read = await executorOf(...workflows).open(run.id);
    expect(read.getSnapshot().pauses).toEqual(back.getSnapshot().pauses);
    while (read.getSnapshot().pauses.length > 0) await read.answer(read.getSnapshot().pauses[0]!.id, "yes");
    expect(read.getSnapshot().status).toBe("completed");
  });

  test("that lets a block begin anew with fewer items than had called runs leaves a run that can be read", async () => {
    const leaf: Workflow = { name: "leaf", blocks: [{ id: "ask", type: "Ask" }] };
    const flow = (...items: readonly string[]): Workflow => ({
      name: "flow",
      blocks: [{ id: "call", type: "ExecuteWorkflow", forEach: items, inputs: { workflow: "leaf" } }],
    });
    const { executorOf } = setStage({ migrate: () => ({ blocks: { call: null } }), policy: { retention: "latest" } });
    const started = await executorOf(flow("x", "y"), leaf).start("flow");
    await started.settled();
    const run = await executorOf(flow("z"), leaf).open(started.id);
    expect(await run.resume({ definition: "latest" })).toMatchObject({ status: "paused", pauses: [{ path: ["call[0]", "ask"] }] });
    const again = await executorOf(flow("z"), leaf).open(run.id);
    expect(await again.answer(again.getSnapshot().pauses[0]!.id, "yes")).toMatchObject({ status: "success" });
  });

  test("that drops an old question leaves its checkpoint, from which the run can still be forked", async () => {
    const migrate = () => ({ blocks: { gone: null } });
    const { executorOf, store, host, shop } = setStage({ migrate, policy: { retention: "latest" } });
    const kept = { id: "ask", type: "Ask" };
    const other = { id: "other", type: "Ask" };
    const before: Workflow = { name: "flow", blocks: [kept, { id: "gone", type: "Ask" }, other] };
    const started = await executorOf(before).start("flow");
    await started.settled();
    await started.answer(pauseOf(started.id, 2), "yes");
    // What was before the newest state is gone; from here on all is kept.
    const executor = createExecutor({ store, host, migrate, blocks: shop.blocks, workflows: [{ ...before, blocks: [kept, other] }] });
    await (await executor.open(started.id)).resume({ definition: "latest" });
    const { items } = await executor.checkpoints.list({ run: started.id });
    expect(items.map(({ id }) => id)).toContain(pauseOf(started.id, 1));
    for (const { id } of items) await expect(executor.checkpoints.get(id)).resolves.toMatchObject({ id });
    const fork = await executor.fork(pauseOf(started.id, 1));
    expect((await fork.settled()).pauses).toMatchObject([{ path: ["ask"] }, { path: ["gone"] }]);
  });

  test("leaves a past that can be looked at, revised and gone back to", async () => {
    const { executorOf, id } = await begin({ look: "see", rate: null, ask: null });
    const blocks: Workflow["blocks"] = [
      renamed.blocks[0]!,
      { id: "other", type: "Ask" },
      { id: "last", type: "Ask", dependsOn: ["other"] },
    ];
    const executor = executorOf({ name: "trip", blocks, outputs: { answer: "${blocks.other.answer}" } });
    const run = await executor.open(id);
    await run.resume({ definition: "latest" });
    await run.answer(pauseOf(id, 1), "first");
    expect((await run.answers()).map(({ path, status }) => `${path.join("/")} ${status}`)).toEqual(["other answered", "last open"]);
    expect((await run.previewRevise(pauseOf(id, 1), "second")).kept).toEqual(["see", "last"]);
    await run.revise(pauseOf(id, 1), "second");
    const { pauses } = await run.back();
    expect(pauses).toMatchObject([{ path: ["other"], earlier: { response: "second" } }]);
    const result = await run.answer(pauses![0]!.id, "second");
    expect(await run.answer(result.pauses![0]!.id, "end")).toMatchObject({ status: "success", outputs: { answer: "second" } });
    const { items } = await executor.checkpoints.list({ run: id });
    const known = await Promise.all(items.map(async (checkpoint) => (await executor.checkpoints.get(checkpoint.id)).id));
    expect(known).toHaveLength(items.length);
    expect((await executor.checkpoints.diff(items.at(-1)!.id, items[0]!.id)).from).toBe(items.at(-1)!.id);
  });

  test.each<readonly [string, Migration["blocks"] | undefined, RegExp]>([
    ["says nothing", undefined, /"look" has begun/],
    ["leaves a block out", { look: "see", ask: "question" }, /"rate" has begun, and there is no block "rate"/],
    ["names a block that is not there", { look: "sea", rate: null, ask: "question" }, /no block "sea"/],
    [
      "gives a block to another type",
      { look: "question", rate: null, ask: null },
      /"look" has begun as Work, and "question" has the type Ask/,
    ],
    ["gives one id to two blocks", { look: "see", rate: "see", ask: "question" }, /Only one block can go on as "see", and "look" does/],
    ["drops what others finished on", { look: null, rate: null, ask: "question" }, /"ask" has begun, and depends on "see"/],
    ["names a block that never was", { look: "see", rate: null, ask: "question", toString: null }, /names block "toString"/],
    ["gives something else", { look: 7 } as never, /gives \{ blocks/],
  ])("that %s is refused, and nothing changes", async (_, blocks, reason) => {
    const { executorOf, id, store } = await begin(blocks);
    const before = await storedOf(store, id);
    const run = await executorOf(renamed).open(id);
    const error = await run.resume({ definition: "latest" }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "DEFINITION_MISMATCH", message: expect.stringMatching(reason) as string });
    expect(await storedOf(store, id)).toEqual(before);
  });
});

describe("runs that blocks called", () => {
  const leaf: Workflow = {
    name: "leaf",
    blocks: [{ id: "ask", type: "Ask" }],
    outputs: { said: "${blocks.ask.answer}" },
  };
  const top: Workflow = {
    name: "top",
    blocks: [{ id: "call", type: "ExecuteWorkflow", inputs: { workflow: "leaf" } }],
    outputs: { said: "${blocks.call.said}" },
  };

  test("keep their own definitions, and their callers find them at their new places", async () => {
    const { executorOf } = setStage();
    const started = await executorOf(top, leaf).start("top");
    await started.settled();
    const newLeaf = { ...leaf, outputs: { said: "other" } };
    const newTop = { ...top, blocks: [{ id: "before", type: "Work" }, ...top.blocks], outputs: { reply: "${blocks.call.said}" } };
    const run = await executorOf(newTop, newLeaf).open(started.id);
    await run.resume({ definition: "latest" });
    expect(await run.answer(pauseOf(run.id), "hello")).toMatchObject({ status: "success", outputs: { reply: "hello" } });
  });

  test("are cancelled where the block that called them is gone, and cannot be given to another block", async () => {
    const { executorOf } = setStage({
      migrate: ({ to }) => ({ blocks: { call: to.blocks.some(({ id }) => id === "ring") ? "ring" : null } }),
    });
    const started = await executorOf(top, leaf).start("top");
    await started.settled();
    const other = { ...top, blocks: [{ id: "ring", type: "ExecuteWorkflow", inputs: { workflow: "leaf" } }], outputs: {} };
    const run = await executorOf(other, leaf).open(started.id);
    await expect(run.resume({ definition: "latest" })).rejects.toMatchObject({
      code: "DEFINITION_MISMATCH",
      message: expect.stringContaining("the called run is known by this id") as string,
    });
    const executor = executorOf({ ...top, blocks: [{ id: "done", type: "Work" }], outputs: {} }, leaf);
    const moved = await executor.open(started.id);
    expect(await moved.resume({ definition: "latest" })).toMatchObject({ status: "success" });
    expect((await executor.open(`${started.id}/call`)).getSnapshot().status).toBe("cancelled");
  });

  test("that throws refuses the move, and its error is the cause", async () => {
    const cause = new RangeError("No such shop.");
    const { executorOf, store } = setStage({ migrate: () => Promise.reject(cause) });
    const { id } = await executorOf(first).start("trip");
    await (await executorOf(first).open(id)).settled();
    const before = await storedOf(store, id);
    const run = await executorOf(renamed).open(id);
    await expect(run.resume({ definition: "latest" })).rejects.toMatchObject({
      code: "DEFINITION_MISMATCH",
      message: expect.stringContaining("No such shop."),
      cause,
    });
    expect(await storedOf(store, id)).toEqual(before);
  });

  test("that never answers delays no other, and what it says too late does not count", async () => {
    let reply: (migration: Migration) => void = () => {};
    const asked = new Promise<void>((resolve) => {
      stage = setStage({
        migrate: () => {
          resolve();
          return new Promise<Migration>((later) => (reply = later));
        },
      });
    });
    const { id } = await stage!.executorOf(first).start("trip");
    await (await stage!.executorOf(first).open(id)).settled();
    const moving = (await stage!.executorOf(renamed).open(id)).resume({ definition: "latest" });
    await asked;
    const other = await stage!.executorOf(first).open(id);
    expect(await other.answer(pauseOf(id), "yes")).toMatchObject({ status: "success" });
    reply({ blocks: { look: "see", rate: null, ask: "question" } });
    expect(await moving).toMatchObject({ status: "success", outputs: { answer: "yes" } });
    expect(await stage!.store.head(id)).toMatchObject({ definition: (await other.plan(first)).from });
  });
});
