import { describe, expect, test } from "vitest";
import { createExecutor, defineBlock, success, type Run, type RunView, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";

/** A block that takes no time, but is asynchronous as a real one is. */
const work = defineBlock({ type: "Work", execute: async () => success({}) });

function chain(length: number): Workflow {
  const blocks = Array.from({ length }, (_, i) => ({ id: `b${i}`, type: "Work", ...(i > 0 ? { dependsOn: [`b${i - 1}`] } : {}) }));
  return { name: `chain-${length}`, blocks };
}

/** One block, then many beside each other. */
function fan(width: number): Workflow {
  const many = Array.from({ length: width }, (_, i) => ({ id: `b${i}`, type: "Work", dependsOn: ["first"] }));
  return { name: `fan-${width}`, blocks: [{ id: "first", type: "Work" }, ...many] };
}

const survey: Workflow = {
  name: "survey",
  blocks: [
    { id: "name", type: "GetInput", inputs: { prompt: "Name?" } },
    { id: "town", type: "GetInput", inputs: { prompt: "Town?" }, dependsOn: ["name"] },
    { id: "note", type: "Work" },
  ],
};

function newExecutor() {
  return createExecutor({ store: memoryStore(), blocks: [work] });
}

/** Counts how often the event loop turns. */
function countTurns(): { readonly turns: number; stop(): void } {
  const { port1, port2 } = new MessageChannel();
  const counter = { turns: 0, stop: () => port1.close() };
  port1.addEventListener("message", () => {
    counter.turns += 1;
    port2.postMessage(undefined);
  });
  port1.start();
  port2.postMessage(undefined);
  return counter;
}

/** All views that a subscriber gets; those that came before `settled` resolved are there when this resolves. */
async function viewsUntilSettled(run: Run): Promise<RunView[]> {
  const views: RunView[] = [];
  run.subscribe((view) => views.push(view));
  await run.settled();
  return views;
}

describe("the last view comes before settled() resolves", () => {
  test.each([chain(1), chain(100), fan(100), survey])("$name", async (workflow) => {
    const run = await newExecutor().start(workflow);
    const views = await viewsUntilSettled(run);
    expect(views.at(-1)).toBe(run.getSnapshot());
    expect(views.at(-1)).toMatchObject({ status: workflow === survey ? "paused" : "completed", active: false });
  });

  test("where an answer lets it go on, and where it is cancelled", async () => {
    const run = await newExecutor().start(survey);
    const views = await viewsUntilSettled(run);
    const result = await run.answer(run.getSnapshot().pauses[0]!.id, "Ada");
    expect(views.at(-1)).toBe(run.getSnapshot());
    expect(views.at(-1)!.pauses).toEqual(result.status === "paused" && result.pauses);
    await run.cancel();
    expect(views.at(-1)).toMatchObject({ status: "cancelled", pauses: [], active: false });
  });

  test("where its blocks fail", async () => {
    const broken = defineBlock({ type: "Broken", execute: () => Promise.reject(new Error("no")) });
    const executor = createExecutor({ store: memoryStore(), blocks: [broken] });
    const views = await viewsUntilSettled(await executor.start({ name: "broken", blocks: [{ id: "a", type: "Broken" }] }));
    expect(views.at(-1)).toMatchObject({ status: "failed", active: false, error: { message: expect.stringContaining("no") } });
  });
});

test("each status of a run is seen, however little time it takes", async () => {
  const run = await newExecutor().start(survey);
  const views = await viewsUntilSettled(run);
  await run.answer(run.getSnapshot().pauses[0]!.id, "Ada");
  await run.answer(run.getSnapshot().pauses[0]!.id, "Paris");
  const statuses = views.map(({ status }) => status).filter((status, i, all) => status !== all[i - 1]);
  expect(statuses).toEqual(["running", "paused", "running", "paused", "running", "completed"]);
});

test("a subscriber that comes late gets the view as it stands, at once", async () => {
  const run = await newExecutor().start(survey);
  await run.settled();
  const views: RunView[] = [];
  run.subscribe((view) => views.push(view));
  expect(views).toEqual([run.getSnapshot()]);
  expect(views[0]).toMatchObject({ status: "paused" });
});

test.each([chain(2_000), fan(2_000)])("$name: what happens in one turn is one notification", async (workflow) => {
  const run = await newExecutor().start(workflow);
  const turns = countTurns();
  const views = await viewsUntilSettled(run);
  turns.stop();
  // Beside one for each turn: the view as it stood, the run taken, its end, and the run at rest. A turn that has begun may not be counted yet.
  expect(views.length).toBeLessThanOrEqual(turns.turns + 5);
  expect(new Set(views).size).toBe(views.length);
});

test("what did not change is the same object from view to view, and all of it is frozen", async () => {
  const host = fakeHost();
  const executor = createExecutor({ store: memoryStore(), host });
  const block = (id: string, ms: number, ...dependsOn: string[]) => ({
    id,
    type: "EchoBlock",
    inputs: { message: id, delay_ms: ms },
    dependsOn,
  });
  const run = await executor.start(
    { name: "waits", inputs: { who: { type: "object" } }, blocks: [block("a", 10), block("b", 20), block("c", 10, "a", "b")] },
    { who: { name: "Ada" } },
  );
  const views: RunView[] = [];
  run.subscribe((view) => views.push(view));
  await expect.poll(() => views.at(-1)!.waves[0]!.blocks.map(({ status }) => status)).toEqual(["running", "running"]);
  const before = views.at(-1)!;
  await host.advance(10);
  await expect.poll(() => views.at(-1)!.waves[0]!.blocks[0]!.status).toBe("completed");
  const after = views.at(-1)!;
  expect(after.waves[0]!.blocks[0]).not.toBe(before.waves[0]!.blocks[0]);
  expect(after.waves[0]!.blocks[1]).toBe(before.waves[0]!.blocks[1]);
  expect(after.waves[1]).toBe(before.waves[1]);
  for (const part of ["inputs", "pauses", "progress"] as const) expect(after[part]).toBe(before[part]);
  await host.advance(10);
  await expect.poll(() => host.sleeping).toBe(1);
  await host.advance(10);
  await run.settled();
  expect(views.at(-1)!.waves[0]!.blocks[0]).toBe(after.waves[0]!.blocks[0]);
  for (const view of views) {
    const parts = [view, view.waves, ...view.waves, ...view.waves.flatMap(({ blocks }) => [blocks, ...blocks])];
    expect(parts.every((part) => Object.isFrozen(part))).toBe(true);
  }
});
