import fc from "fast-check";
import { expect, test } from "vitest";
import { createExecutor, type Block, type Run, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";
import { workshop } from "../support/workshop.ts";

const RUNS = "process" in globalThis && process.env["WAVEPOINT_LONG"] !== undefined ? 4_000 : 100;
const MOST_BLOCKS = 8;

/** A block by its number: what it is, and which earlier ones it depends on. */
const shape = fc.record({
  kind: fc.constantFrom("Work", "Work", "Ask", "Sleep", "each"),
  after: fc.array(fc.nat(MOST_BLOCKS), { maxLength: 3 }),
  isSkipped: fc.boolean(),
});
const shapes = fc.array(shape, { minLength: 1, maxLength: MOST_BLOCKS });
type Shape = typeof shape extends fc.Arbitrary<infer T> ? T : never;

function blockOf({ kind, after, isSkipped }: Shape, number: number): Block {
  const dependsOn = [...new Set(after.filter((other) => other < number))].map((other) => ({ block: `b${other}`, required: false }));
  const inputs = kind === "Sleep" ? { inputs: { ms: 5 } } : {};
  const forEach = kind === "each" ? { forEach: ["x", "y"] } : {};
  const condition = isSkipped && number % 3 === 0 ? { condition: "1 == 2" } : {};
  return { id: `b${number}`, type: kind === "each" ? "Ask" : kind, dependsOn, ...inputs, ...forEach, ...condition };
}

const workflow = (blocks: readonly Block[]): Workflow => ({ name: "w", blocks });

/** Something that waits for an answer, so that the run can move. */
const LAST: Shape = { kind: "Ask", after: [], isSkipped: false };

/** New blocks depend on each other or on old ones, some old ones on a new one. */
function newDependencies({ id, dependsOn = [] }: Block, has: (id: string) => boolean): NonNullable<Block["dependsOn"]> {
  const number = Number(id.slice(1));
  const old = dependsOn.map((dependency) => (dependency as { readonly block: string }).block);
  const named = id.startsWith("n")
    ? number % 2 === 0
      ? old.map((other) => `n${other.slice(1)}`)
      : old
    : number === 6
      ? [...old, "n0"]
      : old;
  return named.filter(has).map((block) => ({ block, required: false }));
}

/** Answers as many open questions as there are, one after another. */
async function answer(run: Run, most: number): Promise<void> {
  for (let given = 0; given < most && run.getSnapshot().pauses.length > 0; given++) await run.answer(run.getSnapshot().pauses[0]!.id, "x");
}

test("a run that may move ends with each block of its new definition executed once, after any change", async () => {
  let moves = 0;
  const property = fc.asyncProperty(shapes, shapes, fc.nat(3 * MOST_BLOCKS), fc.nat(4), async (first, second, gone, answers) => {
    const before = [...first, LAST].map(blockOf);
    const kept = before.filter((_, number) => number !== gone);
    const more = second.map((one, number) => ({ ...blockOf(one, number), id: `n${number}` }));
    const known = new Set([...kept, ...more].map(({ id }) => id));
    const has = (id: string): boolean => known.has(id);
    const after = [...more, ...kept].map((block) => ({ ...block, dependsOn: newDependencies(block, has) }));
    const shop = workshop();
    const store = memoryStore();
    const executorOf = (blocks: readonly Block[]) =>
      createExecutor({ store, blocks: shop.blocks, workflows: [workflow(blocks)], host: fakeHost({ autoAdvance: true }) });
    const started = await executorOf(before).start("w");
    await started.settled();
    await answer(started, answers);
    if (started.getSnapshot().status !== "paused") return;
    const done = (await started.steps()).filter(({ status }) => status === "completed").map(({ block, item }) => `${block} ${item ?? ""}`);
    const run = await executorOf(after).open(started.id);
    const { verdict } = await run.plan();
    const moved = await run.resume({ definition: "latest" }).catch((error: { readonly code: string }) => error.code);
    expect(moved === "DEFINITION_MISMATCH").toBe(verdict === "needs_migration");
    if (moved === "DEFINITION_MISMATCH") return;
    moves++;
    const began = shop.began.length;
    await answer(run, 100);
    expect(run.getSnapshot().status).toBe("completed");
    const steps = await run.steps();
    expect(new Set(steps.map(({ block }) => block))).toEqual(new Set(after.map(({ id }) => id)));
    expect(steps.filter(({ status }) => status !== "completed" && status !== "skipped")).toEqual([]);
    for (const unit of shop.began.slice(began)) expect(done).not.toContain(unit.replace(/\[(\d+)\]/, " $1"));
    const read = await executorOf(after).open(started.id);
    expect(await read.steps()).toEqual(steps);
  });
  await fc.assert(property, { numRuns: RUNS });
  expect(moves).toBeGreaterThan(RUNS / 8);
}, 600_000);
