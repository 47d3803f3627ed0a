import { expect, test } from "vitest";
import { isWorkflowError, type Executor, type Run, type Store, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import type { ForkAt } from "../corpus/case.ts";
import { CASES } from "../corpus/case-files.ts";
import { loadCase } from "../corpus/run-case.ts";
import { startProcess } from "./crash-run.ts";
import { everyStopPoint, stopAt, type StopPoint } from "./stop-at.ts";

/** The cases that fork at a block, with what is answered then. */
const forking = CASES.flatMap((theCase) => {
  const [at, ...rest] = theCase.answers;
  const isForked = typeof at === "object" && "start_at" in at && theCase.expect.status === "success" && theCase.expect.runs === 2;
  return isForked ? [{ name: theCase.name, theCase, at, answers: rest as readonly string[] }] : [];
});
type Forking = (typeof forking)[number];

async function processOn(store: Store, workflows: readonly Workflow[], seed: number): Promise<Executor> {
  return (await startProcess(store, workflows, { durability: "sync" }, seed))!.executor;
}

/** Forks the only run of a store, or goes on with the fork that is there. */
async function fork(executor: Executor, store: Store, { fork: place, start_at: startAt, outputs, channels }: ForkAt): Promise<Run> {
  const { items } = await store.runs();
  const made = items.find((head) => head.fork !== undefined);
  if (made) return executor.open(made.id);
  const [kind, number] = place.split(":");
  const rows = (await executor.checkpoints.list({ kind: kind === "auto" ? "wave" : "pause" })).items.toReversed();
  return executor.fork(rows[Number(number)]!.id, { startAt, ...(outputs && { outputs }), ...(channels && { channels }) });
}

async function goOn(executor: Executor, store: Store, { at, answers }: Forking): Promise<unknown> {
  const run = await fork(executor, store, at);
  const { status } = run.getSnapshot();
  let result = await (status === "completed" ? run.settled() : run.resume());
  for (const answer of answers) {
    const [pause] = result.pauses ?? [];
    if (pause) result = await run.answer(pause.id, answer);
  }
  const steps = (await run.steps()).map(({ block, status: standing, outputs, skipped }) => [block, standing, outputs, skipped?.kind]);
  return { outputs: run.getSnapshot().outputs, channels: (await run.state()).channels, steps: steps.toSorted() };
}

/** Starts the run of a case, and forks it in a process that may die. Gives what came of the fork, and how many writes that took. */
async function play(forked: Forking, workflows: readonly Workflow[], point?: StopPoint) {
  const store = memoryStore();
  const first = await processOn(store, workflows, 1);
  const source = await first.start(workflows[0]!.name, forked.theCase.inputs);
  await source.settled();
  const before = await store.read(source.id);
  const doomed = stopAt(store, point);
  const forkHere = async () => goOn(await processOn(doomed.store, workflows, 2), doomed.store, forked);
  let ending = await forkHere().catch((error: unknown) => {
    if (!doomed.isReached() || !isWorkflowError(error)) throw error;
  });
  await doomed.quiet();
  if (point) ending = await goOn(await processOn(store, workflows, 3), store, forked);
  expect(await store.read(source.id)).toEqual(before);
  expect((await store.runs()).items).toHaveLength(2);
  return { ending, writes: doomed.writes() };
}

test("there are such cases", () => {
  expect(forking.length).toBeGreaterThan(3);
});

test.each(forking)("D1: $name: a fork that begins at a block is whole or not there where its process dies at any write", async (forked) => {
  const { workflows } = await loadCase(forked.theCase.workflows);
  const unbroken = await play(forked, workflows);
  expect(unbroken.ending).toMatchObject({ outputs: forked.theCase.expect.outputs });
  for (const point of everyStopPoint(unbroken.writes)) {
    const { ending } = await play(forked, workflows, point);
    expect({ point, ending }).toEqual({ point, ending: unbroken.ending });
  }
});
