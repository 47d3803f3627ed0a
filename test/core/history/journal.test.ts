import { expect, test } from "vitest";
import { createExecutor, defineBlock, success, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";
import { pauseOf } from "../../support/pause-of.ts";

const survey: Workflow = {
  name: "survey",
  blocks: [
    { id: "first", type: "GetInput", inputs: { prompt: "First?" } },
    { id: "second", type: "GetInput", dependsOn: ["first"], inputs: { prompt: "Second?" } },
  ],
};

test("the journal of a run is read entry by entry, newest first, with the instant of each", async () => {
  const host = fakeHost();
  const executor = createExecutor({ store: memoryStore(), host, workflows: [survey] });
  const run = await executor.start("survey");
  await run.settled();
  const startedAt = run.getSnapshot().createdAt;
  await host.advance(5_000);
  await run.answer(await pauseOf(run, "first"), "one");
  const { items, next } = await run.journal();
  expect(items.map(({ entry }) => entry.type)).toEqual(["paused", "completed", "answered", "paused", "started"]);
  expect(items.map(({ place }) => place)).toEqual([4, 3, 2, 1, 0]);
  expect(items.at(-1)!.at).toBe(startedAt);
  expect(items.find(({ entry }) => entry.type === "answered")!.at).toBe(startedAt + 5_000);
  expect(next).toBeUndefined();
});

test("it is read in pages, which go on where the last one ended, also when more was written meanwhile", async () => {
  const executor = createExecutor({ store: memoryStore(), host: fakeHost(), workflows: [survey] });
  const run = await executor.start("survey");
  await run.settled();
  await run.answer(await pauseOf(run, "first"), "one");
  const newest = await run.journal({ limit: 2 });
  expect(newest.items.map(({ place }) => place)).toEqual([4, 3]);
  await run.answer(await pauseOf(run, "second"), "two");
  const older = await run.journal({ limit: 2, after: newest.next! });
  expect(older.items.map(({ place }) => place)).toEqual([2, 1]);
  const last = await run.journal({ limit: 2, after: older.next! });
  expect(last.items.map(({ entry }) => entry.type)).toEqual(["started"]);
  expect(last.next).toBeUndefined();
});

test.each([{ limit: 0 }, { limit: 1_001 }, { limit: 1.5 }, { after: "soon" }, { after: "99" }, { after: "-1" }])(
  "a query that is none is refused: %o",
  async (query) => {
    const executor = createExecutor({ store: memoryStore(), host: fakeHost(), workflows: [survey] });
    const run = await executor.start("survey");
    await run.settled();
    await expect(run.journal(query)).rejects.toMatchObject({ code: "STORE_QUERY_INVALID" });
  },
);

test("what is no longer kept is left out; the base that stands for it comes last, without its content", async () => {
  const chain: Workflow = {
    name: "chain",
    blocks: Array.from({ length: 6 }, (_, i) => ({
      id: `b${i}`,
      type: "GetInput",
      inputs: { prompt: `b${i}?` },
      ...(i > 0 && { dependsOn: [`b${i - 1}`] }),
    })),
  };
  const executor = createExecutor({
    store: memoryStore(),
    host: fakeHost(),
    workflows: [chain],
    policy: { retention: "latest" },
  });
  const run = await executor.start("chain");
  await run.settled();
  for (let i = 0; i < 5; i++) await run.answer(await pauseOf(run, `b${i}`), `secret answer ${i}`);
  const { items, next } = await run.journal();
  const base = items.at(-1)!;
  expect(base.entry).toMatchObject({ type: "base", state: null, steps: [] });
  expect(base.place).toBeGreaterThan(0);
  expect(JSON.stringify(base)).not.toContain("secret answer");
  expect(next).toBeUndefined();
});

test("secrets do not stand in it", async () => {
  const fetch = defineBlock({
    type: "Fetch",
    secretInputs: ["token"],
    execute: ({ inputs }) => success({ echo: String(inputs["token"]) }),
  });
  const workflow: Workflow = {
    name: "secretive",
    inputs: { token: { type: "string", secret: true } },
    blocks: [{ id: "fetch", type: "Fetch", inputs: { token: "${inputs.token}" } }],
  };
  const executor = createExecutor({ store: memoryStore(), host: fakeHost(), workflows: [workflow], blocks: [fetch] });
  const run = await executor.start("secretive", { token: "canary-7f3a9c" });
  await run.settled();
  const { items } = await run.journal();
  expect(items.some(({ entry }) => entry.type === "completed")).toBe(true);
  expect(JSON.stringify(items)).not.toContain("canary-7f3a9c");
});
