import { describe, expect, test } from "vitest";
import type { Workflow } from "wavepoint";
import { pauseOf, setStage, storedOf, type StageOptions } from "./stage.ts";

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
const [look, ask, book] = first.blocks as [Workflow["blocks"][0], Workflow["blocks"][0], Workflow["blocks"][0]];

async function begin(options: StageOptions = {}) {
  const stage = setStage(options);
  const run = await stage.executorOf(first).start("trip", { city: "Rome" });
  await run.settled();
  return { ...stage, id: run.id };
}

describe("a run whose workflow changed", () => {
  test("goes on with the definition it was started with, and says that it is outdated", async () => {
    const { executorOf, id } = await begin();
    const run = await executorOf({ ...first, blocks: [look, ask], outputs: {} }).open(id);
    expect(run.getSnapshot().outdated).toBe(true);
    expect(await run.settled()).toMatchObject({ status: "paused", outdated: true });
    const result = await run.answer(pauseOf(id), "window");
    expect(result).toMatchObject({ status: "success", outdated: true, outputs: { booked: "window", city: "Rome" } });
  });

  test("is not outdated where the same definition is loaded, or none of its name", async () => {
    const { executorOf, id } = await begin();
    const same = await executorOf(structuredClone(first)).open(id);
    expect(same.getSnapshot().outdated).toBeUndefined();
    expect(await same.settled()).not.toHaveProperty("outdated");
    const none = await executorOf().open(id);
    expect(none.getSnapshot().outdated).toBeUndefined();
  });

  test("moves to the loaded definition where all that has begun is there, and executes nothing again", async () => {
    const { executorOf, id, shop } = await begin();
    const executor = executorOf({
      ...first,
      inputs: { ...first.inputs, month: { type: "string", default: "May" } },
      blocks: [
        { id: "weather", type: "Work", inputs: { value: "sunny" } },
        look,
        ask,
        { ...book, dependsOn: ["ask", "weather"] },
        { id: "tell", type: "Work", dependsOn: ["book"], inputs: { value: "${blocks.book.value} in ${inputs.month}" } },
      ],
      outputs: { told: "${blocks.tell.value}", weather: "${blocks.weather.value}" },
    });
    const run = await executor.open(id);
    expect(await run.plan()).toMatchObject({ verdict: "compatible" });
    expect(await run.resume({ definition: "latest" })).toMatchObject({ status: "paused" });
    expect(run.getSnapshot().outdated).toBeUndefined();
    expect(await run.plan()).toMatchObject({ verdict: "same", differences: [] });
    const result = await run.answer(pauseOf(id), "aisle");
    expect(result).toMatchObject({ status: "success", outputs: { told: "aisle in May", weather: "sunny" } });
    expect(shop.began).toEqual(["look", "ask", "weather", "ask", "book", "tell"]);
    const steps = (await run.steps()).map(({ block, status }) => `${block} ${status}`);
    expect(steps.toSorted()).toEqual(["ask completed", "book completed", "look completed", "tell completed", "weather completed"]);
  });

  test("what is new and could have run before stands in the wave that is under way", async () => {
    const { executorOf, id } = await begin();
    const run = await executorOf({ ...first, blocks: [{ id: "weather", type: "Work" }, look, ask, book] }).open(id);
    await run.resume({ definition: "latest" });
    const waves = run.getSnapshot().waves.map(({ blocks }) => blocks.map((block) => `${block.id} ${block.status}`));
    expect(waves).toEqual([["look completed"], ["weather completed", "ask paused"], ["book pending"]]);
  });

  test("is left as it is where blocks that have begun are missing or have another type, and the error names them all", async () => {
    const { executorOf, id, store } = await begin();
    const before = await storedOf(store, id);
    const executor = executorOf({
      ...first,
      blocks: [{ id: "glance", type: "Work" }, { ...ask, type: "Work", dependsOn: ["glance"] }, book],
      outputs: {},
    });
    const run = await executor.open(id);
    await expect(run.resume({ definition: "latest" })).rejects.toMatchObject({
      code: "DEFINITION_MISMATCH",
      message: expect.stringMatching(/"look" has begun.*no block "look".*"ask" has begun as Ask/s) as string,
      details: {
        run: id,
        differences: [
          'Block "look" is not there any more.',
          'Block "ask" has the type Work; it was Ask.',
          'Block "glance" is new.',
          'Output "booked" is not there any more.',
          'Output "city" is not there any more.',
        ],
      },
    });
    expect(await storedOf(store, id)).toEqual(before);
    expect(await run.answer(pauseOf(id), "x")).toMatchObject({ status: "success", outputs: { booked: "x" } });
  });

  test("is refused where something that has begun would depend on what has not finished", async () => {
    const { executorOf, id } = await begin();
    const blocks = [{ id: "pay", type: "Work" }, look, { ...ask, dependsOn: ["look", "pay"] }, book];
    const run = await executorOf({ ...first, blocks }).open(id);
    await expect(run.resume({ definition: "latest" })).rejects.toMatchObject({
      code: "DEFINITION_MISMATCH",
      message: expect.stringContaining('"ask" has begun, and depends on "pay"') as string,
    });
  });

  test.each([
    ["is required and was not given", { month: { type: "string" } }, 'Input "month" is required'],
    ["has another type now", { city: { type: "integer" } }, 'Input "city" must be an integer'],
  ] as const)("is refused where an input %s", async (_, inputs, reason) => {
    const { executorOf, id } = await begin();
    const run = await executorOf({ ...first, inputs: { ...first.inputs, ...inputs } }).open(id);
    await expect(run.resume({ definition: "latest" })).rejects.toMatchObject({
      code: "DEFINITION_MISMATCH",
      message: expect.stringContaining(reason) as string,
    });
    expect((await run.plan()).verdict).toBe("needs_migration");
  });

  test("is refused where the loaded definition could not run at all, or none is loaded", async () => {
    const { executorOf, id, store } = await begin();
    const before = await storedOf(store, id);
    const broken = await executorOf({ ...first, blocks: [look, ask, book, { id: "more", type: "Nonsense" }] }).open(id);
    await expect(broken.resume({ definition: "latest" })).rejects.toMatchObject({ code: "BLOCK_TYPE_UNKNOWN" });
    const none = await executorOf().open(id);
    await expect(none.resume({ definition: "latest" })).rejects.toMatchObject({ code: "WORKFLOW_NOT_FOUND" });
    expect(await storedOf(store, id)).toEqual(before);
  });

  test("stays where it is when it has come to its end", async () => {
    const { executorOf, id, store } = await begin();
    await (await executorOf(first).open(id)).answer(pauseOf(id), "x");
    const before = await storedOf(store, id);
    const run = await executorOf({ ...first, outputs: {} }).open(id);
    expect(await run.resume({ definition: "latest" })).toMatchObject({ status: "success", outdated: true, outputs: { booked: "x" } });
    expect(await storedOf(store, id)).toEqual(before);
  });

  test("that failed goes on with a block of another type in the place of the one that failed", async () => {
    const { executorOf, shop } = setStage();
    const failing = {
      ...first,
      blocks: [look, { id: "pay", type: "Work", inputs: { fails: 9 } }, { ...book, dependsOn: ["pay"], inputs: {} }],
    };
    const started = await executorOf({ ...failing, outputs: {} }).start("trip", { city: "Rome" });
    expect(await started.settled()).toMatchObject({ status: "failure" });
    const mended = {
      ...first,
      blocks: [look, { id: "pay", type: "Sleep", inputs: { ms: 5 } }, { ...book, dependsOn: ["pay"], inputs: {} }],
    };
    const run = await executorOf({ ...mended, outputs: { city: "${blocks.look.value}" } }).open(started.id);
    expect(await run.resume({ definition: "latest" })).toMatchObject({ status: "success", outputs: { city: "Rome" } });
    expect(shop.began.filter((name) => name === "look")).toHaveLength(1);
  });

  test("cannot move while it executes", async () => {
    const { executorOf, id, store } = await begin();
    const run = await executorOf({ ...first, outputs: {} }).open(id);
    const release = await store.claim(id);
    await expect(run.resume({ definition: "latest" })).rejects.toMatchObject({ code: "RUN_ACTIVE" });
    await release!();
    expect(await run.resume({ definition: "latest" })).toMatchObject({ status: "paused" });
  });

  test("is seen with its new definition by who held it before, and answers from there count", async () => {
    const { executorOf, shop } = setStage();
    const old = await executorOf(first).start("trip", { city: "Rome" });
    await old.settled();
    const blocks = [{ id: "more", type: "Work" }, look, ask, book];
    await (await executorOf({ ...first, blocks, outputs: { seat: "${blocks.ask.answer}" } }).open(old.id)).resume({ definition: "latest" });
    expect(await old.answer(pauseOf(old.id), "aisle")).toMatchObject({ status: "success", outdated: true, outputs: { seat: "aisle" } });
    expect(shop.began).toEqual(["look", "ask", "more", "ask", "book"]);
  });

  test("asks for the secrets that its new definition wants", async () => {
    const wanted: string[] = [];
    const secrets = (name: string): string => {
      wanted.push(name);
      return `the value of ${name}`;
    };
    const { executorOf, id, store } = await begin({ secrets });
    const blocks = [look, ask, { ...book, type: "Ask", inputs: { prompt: "Key?" } }];
    const run = await executorOf({
      ...first,
      inputs: { ...first.inputs, key: { type: "string", secret: true } },
      blocks,
      outputs: {},
    }).open(id);
    await run.resume({ definition: "latest" });
    await run.answer(pauseOf(id), "x");
    expect(wanted).toEqual(["key"]);
    expect((await store.read(id)).join("\n")).not.toContain("the value of key");
  });
});
