import { createExecutor, defineBlock, pause, success } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { expect, test } from "vitest";
import { followPause } from "../../src/bindings/follow-pause.ts";
import { askTwo } from "./ask-two.ts";

test("another question that opens before the one that is shown does not push it away", async () => {
  let ring!: () => void;
  const bell = new Promise<void>((resolve) => (ring = resolve));
  const askLate = defineBlock({
    type: "AskLate",
    execute: async () => {
      await bell;
      return pause({ prompt: "Late?", schema: { type: "string" } });
    },
    resume: () => success({}),
  });
  const blocks = [
    { id: "late", type: "AskLate" },
    { id: "now", type: "GetInput", inputs: { prompt: "Now?" } },
  ];
  const executor = createExecutor({ store: memoryStore(), blocks: [askLate], workflows: [{ name: "late", blocks }] });
  const run = await executor.start("late");
  const source = followPause(run);
  await expect.poll(() => source.getSnapshot().pause?.prompt).toBe("Now?");
  ring();
  await expect.poll(() => run.getSnapshot().pauses.map(({ prompt }) => prompt)).toEqual(["Late?", "Now?"]);
  expect(source.getSnapshot().pause?.prompt).toBe("Now?");
  await source.getSnapshot().answer("yes");
  expect(source.getSnapshot().pause?.prompt).toBe("Late?");
});

test("each change is notified, and none after leaving", async () => {
  const { run, name } = await askTwo();
  const source = followPause(run);
  const told: unknown[] = [];
  const leave = source.subscribe(() => told.push(source.getSnapshot()));
  expect(told[0]).toMatchObject({ pause: { prompt: "Name?" } });
  source.getSnapshot().saveDraft("Ad");
  expect(told.at(-1)).toMatchObject({ draft: "Ad" });
  await run.answer(name, "Ada");
  await expect.poll(() => told.at(-1)).toMatchObject({ pause: { prompt: "Seats?" } });
  leave();
  const before = told.length;
  await source.getSnapshot().answer({ count: 2 });
  expect(told.length).toBe(before);
});

test("what answers a question never answers the next one, whenever it is called", async () => {
  const { run } = await askTwo();
  const source = followPause(run);
  const { answer } = source.getSnapshot();
  await answer("Ada");
  const next = source.getSnapshot().pause;
  expect(next?.prompt).toBe("Seats?");
  expect(await answer("Grace")).toMatchObject({ status: "failure", error: { code: "PAUSE_ALREADY_ANSWERED" } });
  await answer("Ada");
  expect(run.getSnapshot().pauses).toEqual([next]);
});

test("where no question was ever open, an answer is refused", async () => {
  const executor = createExecutor({ store: memoryStore(), workflows: [{ name: "empty", blocks: [] }] });
  const run = await executor.start("empty");
  const { pause: shown, answer } = followPause(run).getSnapshot();
  expect(shown).toBeUndefined();
  await expect(answer("Ada")).rejects.toMatchObject({ code: "CHECKPOINT_NOT_FOUND" });
});
