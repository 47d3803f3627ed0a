import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isWorkflowError, type Step } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { failAt, faultyStore } from "wavepoint/testing";
import {
  circumstances,
  dependenciesOf,
  ending,
  executionsOf,
  finish,
  nameOf,
  randomExecutor,
  sketches,
  toWorkflow,
  unitOf,
  type Circumstances,
  type Event,
  type Sketch,
  withoutAttempts,
} from "./random-workflow.ts";

const MORE = "process" in globalThis && process.env["WAVEPOINT_LONG"] !== undefined ? 40 : 1;
const RUNS = { numRuns: 60 * MORE, endOnFailure: true };
const PATIENCE_MS = 30_000 * MORE;

async function play(plan: readonly Sketch[], around: Circumstances) {
  const events: Event[] = [];
  const store = faultyStore(memoryStore());
  const workflow = toWorkflow(plan);
  const run = await randomExecutor(store, workflow, around, events).start(workflow);
  const result = await finish(run, around);
  const steps = await run.steps();
  return { events, result, steps, ending: ending(result, steps), writes: store.writes };
}

/** What each block must come to, told by the rules alone: what is missing never ran because the run had failed before. */
function expectedStatuses(plan: readonly Sketch[]): Map<string, string> {
  const statuses = new Map<string, string>();
  plan.forEach((sketch, index) => {
    const before = dependenciesOf(index, sketch).map((dependency) => statuses.get(nameOf(dependency))!);
    const first = before[0];
    const isRefused =
      sketch.condition === "false" ||
      (first !== undefined && sketch.condition === "first succeeded" && first !== "completed") ||
      (first !== undefined && sketch.condition === "first failed" && first !== "failed");
    const isSkipped = (!sketch.optional && before.includes("skipped")) || isRefused || sketch.items === 0;
    statuses.set(nameOf(index), isSkipped ? "skipped" : sketch.deed === "fail" ? "failed" : "completed");
  });
  return statuses;
}

function waveOf(plan: readonly Sketch[], index: number): number {
  const before = dependenciesOf(index, plan[index]!);
  return before.length === 0 ? 0 : 1 + Math.max(...before.map((dependency) => waveOf(plan, dependency)));
}

/** The wave in which the run fails: the first with a failure that is not tolerated. */
function lastWave(plan: readonly Sketch[]): number {
  const statuses = expectedStatuses(plan);
  const fatal = plan.flatMap((sketch, index) =>
    statuses.get(nameOf(index)) === "failed" && !sketch.tolerant ? [waveOf(plan, index)] : [],
  );
  return Math.min(Infinity, ...fatal);
}

/** A block, or the items of one that is not skipped. */
function unitsOf(sketch: Sketch, index: number, status: string): readonly string[] {
  const name = nameOf(index);
  if (sketch.items === undefined || status === "skipped") return [name];
  return Array.from({ length: sketch.items }, (_, item) => unitOf(name, item));
}

const nameOfStep = ({ block, item }: Step): string => unitOf(block, item);
const statusesOf = (steps: readonly Step[]) => Object.fromEntries(steps.map((step) => [nameOfStep(step), step.status]));

describe("random workflows", () => {
  test(
    "every block that is reached has exactly one record, and its status follows from the rules",
    async () => {
      await fc.assert(
        fc.asyncProperty(sketches, circumstances, async (plan, around) => {
          const { steps, result } = await play(plan, around);
          const last = lastWave(plan);
          const statuses = expectedStatuses(plan);
          const wanted: Record<string, string> = {};
          for (const [index, sketch] of plan.entries()) {
            if (waveOf(plan, index) > last) continue;
            const name = nameOf(index);
            // What is asked beside a failure stays without an answer.
            const isOpen = waveOf(plan, index) === last && sketch.deed.startsWith("ask") && statuses.get(name) === "completed";
            const status = isOpen ? "paused" : statuses.get(name)!;
            for (const unit of unitsOf(sketch, index, status)) wanted[unit] = status;
            // A block with items has a record of its own once all of them have settled.
            if (!isOpen) wanted[name] = status;
          }
          expect(statusesOf(steps)).toEqual(wanted);
          expect(steps).toHaveLength(Object.keys(wanted).length);
          expect(result.status).toBe(last === Infinity ? "success" : "failure");
        }),
        RUNS,
      );
    },
    PATIENCE_MS,
  );

  test(
    "a block or item starts once for each attempt, after all it depends on has come to its end, and only where it is not skipped",
    async () => {
      await fc.assert(
        fc.asyncProperty(sketches, circumstances, async (plan, around) => {
          const { events } = await play(plan, around);
          const started = events.filter(({ what }) => what === "start").map(({ block }) => block);
          const last = lastWave(plan);
          const statuses = expectedStatuses(plan);
          const wanted = plan.flatMap((sketch, index) => {
            const status = statuses.get(nameOf(index))!;
            if (status === "skipped" || waveOf(plan, index) > last) return [];
            return unitsOf(sketch, index, status).flatMap((unit) => Array.from({ length: executionsOf(sketch) }, () => unit));
          });
          expect(started.toSorted()).toEqual(wanted.toSorted());
          const placesOf = (index: number, what: Event["what"]) =>
            events.flatMap((event, place) => (event.what === what && event.block.split("[")[0] === nameOf(index) ? [place] : []));
          for (const [index, sketch] of plan.entries()) {
            for (const dependency of dependenciesOf(index, sketch)) {
              expect(Math.max(-1, ...placesOf(dependency, "end"))).toBeLessThan(Math.min(Infinity, ...placesOf(index, "start")));
            }
          }
        }),
        RUNS,
      );
    },
    PATIENCE_MS,
  );

  test(
    "the end depends neither on how long blocks take, nor on how many run together, nor on the order of the answers",
    async () => {
      await fc.assert(
        fc.asyncProperty(sketches, circumstances, circumstances, async (plan, one, other) => {
          expect((await play(plan, one)).ending).toEqual((await play(plan, other)).ending);
        }),
        RUNS,
      );
    },
    PATIENCE_MS,
  );

  test(
    "a process that dies at any write, before or after it, leaves a run that ends the same in another one, and repeats nothing stored",
    async () => {
      await fc.assert(
        fc.asyncProperty(sketches, circumstances, fc.nat(), fc.constantFrom("before", "after"), async (plan, around, point, when) => {
          const unbroken = await play(plan, around);
          // The first two writes make the run; without them there is none to go on with.
          const write = 3 + (point % Math.max(1, unbroken.writes - 2));
          const store = memoryStore();
          const workflow = toWorkflow(plan);
          const doomed = randomExecutor(faultyStore(store, failAt(write, { times: "forever", when })), workflow, around, []);
          const run = await doomed.start(workflow);
          await finish(run, around).catch((error: unknown) => {
            if (!isWorkflowError(error) || error.code !== "STORE_FAILED") throw error;
          });
          const events: Event[] = [];
          const again = await randomExecutor(store, workflow, { ...around, seed: around.seed + 1 }, events).open(run.id);
          const kept = (await again.steps()).filter(({ status }) => status !== "failed" && status !== "waiting").map(nameOfStep);
          const { status } = again.getSnapshot();
          if (status === "running") await again.resume();
          const result = await finish(again, around);
          expect(withoutAttempts(ending(result, await again.steps()))).toEqual(withoutAttempts(unbroken.ending));
          expect(events.filter(({ block, what }) => what === "start" && kept.includes(block))).toEqual([]);
        }),
        RUNS,
      );
    },
    PATIENCE_MS,
  );
});
