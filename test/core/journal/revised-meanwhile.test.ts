import { expect, test } from "vitest";
import { createExecutor, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";
import { pauseOf } from "../../support/pause-of.ts";

const flow: Workflow = {
  name: "flow",
  blocks: [
    { id: "a", type: "GetInput", inputs: { prompt: "a?" } },
    { id: "b", type: "GetInput", inputs: { prompt: "b?" }, dependsOn: ["a"] },
  ],
};

test("a revision is looked at again where another tab went back, and on, without keeping the past", async () => {
  const store = memoryStore();
  const parts = { host: fakeHost({ autoAdvance: true }), workflows: [flow], policy: { retention: "latest" as const } };
  const other = createExecutor({ ...parts, store });
  /** What the other tab does before the next commit, and after the look at what it wrote that follows. */
  const deeds: (() => Promise<unknown>)[] = [];
  let isLate = false;
  const commit: typeof store.commit = async (...given) => {
    if (deeds.length === 2) {
      await deeds.shift()!();
      isLate = true;
    }
    return store.commit(...given);
  };
  const read: typeof store.read = async (...given) => {
    const texts = await store.read(...given);
    if (isLate) {
      isLate = false;
      await deeds.shift()!();
    }
    return texts;
  };
  const executor = createExecutor({ ...parts, store: Object.assign(Object.create(store) as typeof store, { commit, read }) });
  const run = await executor.start("flow");
  const first = (await run.settled()).pauses![0]!.id;
  await run.answer(first, "1");
  const there = await other.open(run.id);
  deeds.push(
    () => there.back(),
    async () => there.answer((await there.settled()).pauses![0]!.id, "2"),
  );
  expect(await run.revise(first, "4")).toMatchObject({ status: "failure", error: { code: "PAUSE_ALREADY_ANSWERED" } });
  expect(deeds).toEqual([]);
  expect(await run.revise(await pauseOf(run, "a"), "5")).toMatchObject({ status: "paused", pauses: [{ path: ["b"] }] });
});
