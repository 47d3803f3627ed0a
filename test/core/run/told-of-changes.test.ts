import { createExecutor, type Run, type RunView } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { expect, test } from "vitest";

/** Looks at the run in every microtask, as components do that are drawn for reasons of their own; now and then something else has a turn. */
async function lookAllTheTime(run: Run, until: Promise<unknown>): Promise<void> {
  let isOver = false;
  void until.then(() => (isOver = true));
  for (let looks = 1; !isOver; looks += 1) {
    run.getSnapshot();
    await (looks % 100 === 0 ? new Promise((resolve) => setTimeout(resolve)) : Promise.resolve());
  }
}

test("a listener gets every change, also where another one looked first", async () => {
  const blocks = [{ id: "ask", type: "GetInput", inputs: { prompt: "Name?" } }];
  const executor = createExecutor({ store: memoryStore(), workflows: [{ name: "one-question", blocks }] });
  const run = await executor.start("one-question");
  const { pauses } = await run.settled();
  const told: RunView[] = [];
  run.subscribe((view) => told.push(view));
  const answered = run.answer(pauses![0]!.id, "Ada");
  await lookAllTheTime(run, answered);
  await answered;
  await Promise.resolve();
  expect(told.at(-1)).toBe(run.getSnapshot());
  expect(told.at(-1)?.status).toBe("completed");
  expect(new Set(told).size).toBe(told.length);
});

test("in a run that was given up, no question waits any more", async () => {
  const blocks = ["name", "town"].map((id) => ({ id, type: "GetInput", inputs: { prompt: `${id}?` } }));
  const run = await createExecutor({ store: memoryStore(), workflows: [{ name: "two-questions", blocks }] }).start("two-questions");
  const { pauses } = await run.settled();
  expect(pauses).toHaveLength(2);
  await run.decline(pauses![0]!.id, { action: "cancel" });
  expect(run.getSnapshot()).toMatchObject({ status: "cancelled", pauses: [] });
});
