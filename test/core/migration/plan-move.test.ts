import { describe, expect, test } from "vitest";
import type { Workflow } from "wavepoint";
import { pauseOf, setStage, storedOf } from "./stage.ts";

const first: Workflow = {
  name: "trip",
  blocks: [
    { id: "look", type: "Work", inputs: { value: 1 } },
    { id: "where", type: "Ask", dependsOn: ["look"] },
    { id: "rate", type: "Work", dependsOn: ["where"], inputs: { value: "${blocks.where.answer}" } },
    { id: "when", type: "Ask", dependsOn: ["rate"] },
    { id: "book", type: "Work", dependsOn: ["when"], inputs: { value: 2 } },
  ],
  outputs: { booked: "${blocks.book.value}" },
};

/** A run that has answered "where" and asks "when". */
async function begin() {
  const stage = setStage();
  const run = await stage.executorOf(first).start("trip");
  await run.settled();
  await run.answer(pauseOf(run.id), "Rome");
  return { ...stage, run, id: run.id };
}

function changed(id: string, change: Partial<Workflow["blocks"][0]>): Workflow {
  return { ...first, blocks: first.blocks.map((block) => (block.id === id ? { ...block, ...change } : block)) };
}

describe("the plan of a move", () => {
  test("is about the loaded definition, unless another one is given", async () => {
    const { executorOf, run, id } = await begin();
    expect(await run.plan()).toMatchObject({ verdict: "same", differences: [] });
    const loaded = await executorOf(changed("book", { inputs: { value: 3 } })).open(id);
    expect((await loaded.plan()).verdict).toBe("compatible");
    expect(await loaded.plan(first)).toMatchObject({ verdict: "same" });
    expect(await loaded.plan(changed("look", { type: "Sleep" }))).toMatchObject({ verdict: "needs_migration" });
  });

  test("tells all differences in words, and which of them are about what has begun", async () => {
    const { run } = await begin();
    const [look, where, rate, when] = first.blocks as [
      Workflow["blocks"][0],
      Workflow["blocks"][0],
      Workflow["blocks"][0],
      Workflow["blocks"][0],
    ];
    const plan = await run.plan({
      ...first,
      inputs: { month: { type: "string", default: "May" } },
      blocks: [look, where, { ...rate, maxIterations: 3 }, when, { id: "pay", type: "Work", dependsOn: ["when"] }],
      outputs: {},
    });
    expect(plan).toMatchObject({ verdict: "compatible", from: expect.any(String) as string, to: expect.any(String) as string });
    expect(plan.differences).toEqual([
      { block: "rate", kind: "changed", finished: true, message: 'Block "rate" is written otherwise: max_iterations.' },
      { block: "book", kind: "removed", finished: false, message: 'Block "book" is not there any more.' },
      { block: "pay", kind: "added", finished: false, message: 'Block "pay" is new.' },
      { kind: "inputs", finished: false, message: 'Input "month" is new.' },
      { kind: "outputs", finished: false, message: 'Output "booked" is not there any more.' },
    ]);
  });

  test("takes no notice of what is said to readers alone", async () => {
    const { run } = await begin();
    const plan = await run.plan({ ...changed("look", { description: "Looks around." }), description: "A trip.", version: "2" });
    expect(plan).toMatchObject({ verdict: "compatible", differences: [] });
  });

  test.each([
    ["where", 1],
    ["rate", 2],
    ["when", 3],
  ])("names the newest checkpoint before the first block that changed: %s", async (block, wave) => {
    const { run, id } = await begin();
    const plan = await run.plan(changed(block, { condition: "1 == 1" }));
    expect(plan).toMatchObject({ verdict: "fork", forkFrom: { wave, checkpoint: `chk_${id.slice(4)}.${wave - 1}` } });
  });

  test("names a question where what changed was executed after it", async () => {
    const { executorOf, id } = await begin();
    const more = (value: number): Workflow => ({ ...first, blocks: [...first.blocks, { id: "more", type: "Work", inputs: { value } }] });
    const run = await executorOf(more(1)).open(id);
    await run.resume({ definition: "latest" });
    expect((await run.plan(more(2))).forkFrom).toEqual({ wave: 3, checkpoint: pauseOf(id, 1) });
  });

  test("has no checkpoint to name where the first block changed", async () => {
    const { run } = await begin();
    expect((await run.plan(changed("look", { inputs: { value: 2 } }))).forkFrom).toEqual({ wave: 0 });
  });

  test("a run moves past changes of what has finished, and keeps the steps", async () => {
    const { executorOf, id, shop } = await begin();
    const run = await executorOf(changed("look", { inputs: { value: 7 } })).open(id);
    await run.resume({ definition: "latest" });
    await run.answer(pauseOf(id, 1), "May");
    expect((await run.state()).values["look"]).toMatchObject({ value: 1 });
    expect(shop.began.filter((name) => name === "look")).toHaveLength(1);
  });

  test("changes nothing", async () => {
    const { run, id, store } = await begin();
    const before = [await storedOf(store, id), await store.usage()];
    await run.plan({ ...first, outputs: {} });
    expect([await storedOf(store, id), await store.usage()]).toEqual(before);
  });

  test("refuses what is no workflow", async () => {
    const { run } = await begin();
    await expect(run.plan({ ...first, blocks: [{ id: "a", type: "Work", dependsOn: ["a"] }] })).rejects.toMatchObject({
      code: "DEPENDENCY_CYCLE",
    });
  });
});
