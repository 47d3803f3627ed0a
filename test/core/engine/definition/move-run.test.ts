import { describe, expect, test } from "vitest";
import { createExecutor, type Migrate, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";
import { workshop } from "../../../support/workshop.ts";

const first: Workflow = {
  name: "trip",
  inputs: { city: { type: "string" } },
  blocks: [
    { id: "look", type: "Work", inputs: { value: "${inputs.city}" } },
    { id: "ask", type: "Ask", dependsOn: ["look"] },
    { id: "book", type: "Work", dependsOn: ["ask"], inputs: { value: "${blocks.ask.answer}" } },
  ],
  outputs: { booked: "${blocks.book.value}", city: "${blocks.look.value}" },
};

function withBlocks(change: (blocks: Workflow["blocks"]) => Workflow["blocks"], rest: Partial<Workflow> = {}): Workflow {
  return { ...first, ...rest, blocks: change(first.blocks) };
}

function setUp(migrate?: Migrate) {
  const store = memoryStore();
  const host = fakeHost({ autoAdvance: true });
  const shop = workshop();
  const executorOf = (workflow: Workflow) =>
    createExecutor({ store, host, blocks: shop.blocks, workflows: [workflow], ...(migrate ? { migrate } : {}) });
  const begin = async (): Promise<string> => {
    const run = await executorOf(first).start("trip", { city: "Rome" });
    await run.settled();
    return run.id;
  };
  return { store, host, shop, executorOf, begin };
}

describe("a run whose workflow changed", () => {
  test("goes on with the definition it was started with, and says that it is outdated", async () => {
    const { executorOf, begin } = setUp();
    const id = await begin();
    const run = await executorOf(withBlocks((blocks) => blocks.slice(0, 2), { outputs: {} })).open(id);
    expect(run.getSnapshot().outdated).toBe(true);
    const result = await run.answer(`pause_${id.slice(4)}.0`, "window");
    expect(result).toMatchObject({ status: "success", outdated: true, outputs: { booked: "window", city: "Rome" } });
  });

  test("is not outdated where the same definition is loaded, or none", async () => {
    const { executorOf, begin, store } = setUp();
    const id = await begin();
    const same = await executorOf(structuredClone(first)).open(id);
    expect(same.getSnapshot().outdated).toBeUndefined();
    expect(await same.settled()).not.toHaveProperty("outdated");
    const none = await createExecutor({ store, blocks: workshop().blocks }).open(id);
    expect(none.getSnapshot().outdated).toBeUndefined();
  });

  test("moves to the loaded definition where all that has begun is there, and executes nothing again", async () => {
    const { executorOf, begin, shop } = setUp();
    const id = await begin();
    const next = withBlocks(
      ([look, ask, book]) => [
        { id: "weather", type: "Work", inputs: { value: "sunny" } },
        look!,
        ask!,
        { ...book!, dependsOn: ["ask", "weather"] },
        { id: "tell", type: "Work", dependsOn: ["book"], inputs: { value: "${blocks.book.value} in ${inputs.month}" } },
      ],
      {
        inputs: { ...first.inputs, month: { type: "string", default: "May" } },
        outputs: { told: "${blocks.tell.value}", weather: "${blocks.weather.value}" },
      },
    );
    const executor = executorOf(next);
    const run = await executor.open(id);
    expect(await run.plan()).toMatchObject({ verdict: "compatible" });
    expect(await run.resume({ definition: "latest" })).toMatchObject({ status: "paused" });
    expect(run.getSnapshot().outdated).toBeUndefined();
    expect(run.getSnapshot().waves.map(({ blocks }) => blocks.map(({ id: block }) => block))).toEqual([
      ["look"],
      ["weather", "ask"],
      ["book"],
      ["tell"],
    ]);
    expect((await executor.runs.list()).items[0]!.definition).toBe((await run.plan()).from);
    const result = await run.answer(`pause_${id.slice(4)}.0`, "aisle");
    expect(result).toMatchObject({ status: "success", outputs: { told: "aisle in May", weather: "sunny" } });
    expect(shop.began).toEqual(["look", "ask", "weather", "ask", "book", "tell"]);
    expect((await run.steps()).map(({ block, status }) => `${block} ${status}`)).toEqual([
      "look completed",
      "weather completed",
      "ask completed",
      "book completed",
      "tell completed",
    ]);
  });

  test("is refused, and nothing of it changes, where blocks that have begun are missing or have another type", async () => {
    const { executorOf, begin, store } = setUp();
    const id = await begin();
    const before = { head: await store.head(id), entries: await store.read(id) };
    const next = withBlocks(([, ask, book]) => [{ id: "glance", type: "Work" }, { ...ask!, type: "Work", dependsOn: ["glance"] }, book!], {
      outputs: {},
    });
    const run = await executorOf(next).open(id);
    await expect(run.resume({ definition: "latest" })).rejects.toMatchObject({
      code: "DEFINITION_MISMATCH",
      message: expect.stringMatching(/"look" has begun.*no block "look".*"ask" has begun as Ask/s),
      details: { run: id, differences: expect.arrayContaining(['Block "look" is not there any more.', 'Block "glance" is new.']) },
    });
    expect({ head: await store.head(id), entries: await store.read(id) }).toEqual(before);
    expect((await run.plan()).verdict).toBe("needs_migration");
    expect(await run.answer(`pause_${id.slice(4)}.0`, "x")).toMatchObject({ status: "success", outputs: { booked: "x" } });
  });
});
