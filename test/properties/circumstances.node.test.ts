import fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import { memoryStore } from "wavepoint/store/memory";
import { circumstances, ending, finish, randomExecutor, sketches, toWorkflow, type Circumstances, type Sketch } from "./random-workflow.ts";

const ZONES = ["UTC", "Pacific/Kiritimati", "America/St_Johns", "Asia/Kathmandu"] as const;
const RUNS = { numRuns: process.env.WAVEPOINT_LONG === undefined ? 40 : 1_000, endOnFailure: true };

const home = process.env.TZ;
afterEach(() => {
  if (home === undefined) delete process.env.TZ;
  else process.env.TZ = home;
});

async function endIn(zone: string, plan: readonly Sketch[], around: Circumstances): Promise<unknown> {
  process.env.TZ = zone;
  const workflow = toWorkflow(plan);
  const run = await randomExecutor(memoryStore(), workflow, around, []).start(workflow);
  const result = await finish(run, around);
  return ending(result, await run.steps());
}

test("a test can move this process to another time zone", () => {
  const hours = ZONES.map((zone) => {
    process.env.TZ = zone;
    return new Date(Date.UTC(2026, 0, 1)).getHours();
  });
  expect(new Set(hours).size).toBe(ZONES.length);
});

test("D17: results depend neither on the time zone nor on the speed of blocks", { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(sketches, circumstances, circumstances, fc.constantFrom(...ZONES), async (plan, one, other, zone) => {
      expect(await endIn(zone, plan, other)).toEqual(await endIn("UTC", plan, one));
    }),
    RUNS,
  );
});
