import { expect, test } from "vitest";
import { createExecutor, defineBlock, success, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";

/** A block that takes no time, but is asynchronous as a real one is. */
const work = defineBlock({ type: "Work", execute: async () => success({}) });

function chain(length: number): Workflow {
  const blocks = Array.from({ length }, (_, i) => ({ id: `b${i}`, type: "Work", ...(i > 0 ? { dependsOn: [`b${i - 1}`] } : {}) }));
  return { name: `chain-${length}`, blocks };
}

/** What a run takes of the processor: other programs of the machine do not count. */
async function msOf(workflow: Workflow, isWatched: boolean): Promise<number> {
  const run = await createExecutor({ store: memoryStore(), blocks: [work] }).start(workflow);
  const start = process.cpuUsage();
  if (isWatched) run.subscribe(() => {});
  await run.settled();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

const ROUNDS = 12;

/** How the fastest rounds of both compare: measured in turns, until they are as close as they should be or no round is left. */
async function ratioOf(measure: () => Promise<number>, beside: () => Promise<number>, bound: number): Promise<number> {
  const fastest = [Infinity, Infinity] as [number, number];
  for (let round = 0; round < ROUNDS && !(fastest[0] < bound * fastest[1] && round > 1); round++) {
    fastest[0] = Math.min(fastest[0], await measure());
    fastest[1] = Math.min(fastest[1], await beside());
  }
  return fastest[0] / fastest[1];
}

test("a run of ten times as many blocks takes a subscriber about ten times the work", async () => {
  const [many, few] = [chain(3_000), chain(300)];
  // Ten of the small runs, so that both sides take about the same. A copy of all waves for each change takes nine times as much.
  const tenOfFew = async (): Promise<number> => {
    let ms = 0;
    for (let i = 0; i < 10; i++) ms += await msOf(few, true);
    return ms;
  };
  expect(await ratioOf(() => msOf(many, true), tenOfFew, 2)).toBeLessThan(3);
});

test("a run of 3,000 blocks with a subscriber takes little more work than one without", async () => {
  const workflow = chain(3_000);
  // A view made anew for each change takes a hundred times as much. How close it comes to once is measured in the bench.
  expect(
    await ratioOf(
      () => msOf(workflow, true),
      () => msOf(workflow, false),
      2,
    ),
  ).toBeLessThan(4);
});
