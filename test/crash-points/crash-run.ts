import { createExecutor, isWorkflowError } from "wavepoint";
import { builtinBlocks } from "wavepoint/blocks";
import type { CheckpointPolicy, Executor, Pause, Run, Step, Store, Value, Values, Workflow } from "wavepoint";
import { fakeHost } from "wavepoint/testing";
import type { Answer, Case } from "../corpus/case.ts";
import { countBlocks } from "../corpus/count-blocks.ts";
import type { BlockCounts } from "../corpus/count-blocks.ts";
import { loadCase } from "../corpus/run-case.ts";
import { pausesInPlanOrder } from "../corpus/pauses-in-plan-order.ts";
import { unitName } from "../../src/core/machine/unit.ts";
import { stopAt } from "./stop-at.ts";
import type { StopPoint } from "./stop-at.ts";

/** What must be the same whether a process died on the way or not. */
export interface Ending {
  readonly status: string;
  readonly outputs: string;
  readonly error: string | undefined;
  /** By block; without times and without ids of runs. */
  readonly steps: readonly string[];
  /** The questions that are open. */
  readonly pauses: readonly string[];
}

export interface CrashRun {
  readonly ending: Ending;
  /** Writes to the store until the end, or until the process died. */
  readonly writes: number;
  /** Whether the store failed at all: a point behind the last write is none. */
  readonly isReached: boolean;
  /** Blocks that were executed again though the store held their completed step. */
  readonly repeated: readonly string[];
}

/** Whether a case can be cut at any write: only plain answers, since a fork or a deletion leaves no mark to go on from. */
export function isCuttable(theCase: Case): boolean {
  return theCase.answers.every((answer) => typeof answer === "string" || ("checkpoint" in answer && answer.fork !== true));
}

export interface Process {
  readonly executor: Executor;
  readonly store: Store;
  readonly counts: BlockCounts;
}

/**
 * Runs a case. Where `point` is given the process dies there, and another one with nothing but the store goes on. Gives nothing where the
 * case does not begin to run.
 */
export async function runWithCrash(
  theCase: Case,
  store: Store,
  policy: CheckpointPolicy,
  point?: StopPoint,
): Promise<CrashRun | undefined> {
  const { workflows, error } = await loadCase(theCase.workflows);
  if (error !== undefined) return undefined;
  const game = createGame(theCase, workflows[0]!);
  const doomed = stopAt(store, point);
  try {
    const first = await startProcess(doomed.store, workflows, policy, 1);
    if (first === undefined || !(await game.play(first))) return undefined;
    if (!doomed.isReached()) return { ending: await game.ending(first), writes: doomed.writes(), isReached: false, repeated: [] };
  } catch (thrown) {
    if (!doomed.isReached() || !isWorkflowError(thrown)) throw thrown;
  }
  await doomed.quiet();
  const second = (await startProcess(store, workflows, policy, 2))!;
  const completed = await countSteps(second.executor, store, ({ status }) => status === "completed");
  await game.play(second);
  const reader = (await startProcess(store, workflows, policy, 3))!;
  const all = await countSteps(reader.executor, store, ({ status }) => status !== "skipped");
  // What repeats has as many steps left as it runs again.
  const repeated = [...completed].flatMap(([key, { run, block, count }]) => {
    const executed = second.counts.byRun.get(run)?.get(block) ?? 0;
    return executed > all.get(key)!.count - count ? [block] : [];
  });
  return { ending: await game.ending(reader), writes: doomed.writes(), isReached: true, repeated };
}

/** An executor of its own over a store that all share. Nothing where a workflow is refused. */
export async function startProcess(
  store: Store,
  workflows: readonly Workflow[],
  policy: CheckpointPolicy,
  seed: number,
): Promise<Process | undefined> {
  const { types, counts } = countBlocks(builtinBlocks);
  const executor = createExecutor({ store, blocks: types, policy, host: fakeHost({ seed, autoAdvance: true }) });
  try {
    for (const workflow of workflows) await executor.load(workflow);
  } catch (thrown) {
    if (isWorkflowError(thrown) && !thrown.code.startsWith("STORE_")) return undefined;
    throw thrown;
  }
  return { executor, store, counts };
}

/** How far a game is. */
export interface Progress {
  /** The questions that came up. */
  readonly seen: readonly string[];
  /** How many answers were given, the one that is being given included. */
  readonly given: number;
  readonly pending: { readonly question: string; readonly response: Value } | undefined;
}

/** Answers what a case asks. */
export interface Game {
  /** Starts the run, or goes on with the one that is stored. Gives whether there is one. */
  play(process: Process): Promise<boolean>;
  ending(process: Process): Promise<Ending>;
  progress(): Progress;
}

/** The answers of a case, given by one process after another. The next process answers what the last one was about to, if it is still asked. */
export function createGame(theCase: Case, workflow: Workflow, from?: Progress): Game {
  const seen: string[] = [...(from?.seen ?? [])];
  let given = from?.given ?? 0;
  let pending = from?.pending;

  function look(run: Run): readonly Pause[] {
    const view = run.getSnapshot();
    const pauses = pausesInPlanOrder(view);
    for (const pause of pauses) if (!seen.includes(nameOf(pause))) seen.push(nameOf(pause));
    return pauses;
  }

  async function answerPending(run: Run): Promise<void> {
    const pause = look(run).find((open) => nameOf(open) === pending!.question);
    if (pause !== undefined) await run.answer(pause.id, pending!.response);
    pending = undefined;
  }

  return {
    progress: () => ({ seen: [...seen], given, pending }),

    async play({ executor, store }: Process): Promise<boolean> {
      const run = await startOrContinue(executor, store, workflow.name, theCase.inputs);
      if (run === undefined) return false;
      look(run);
      if (pending !== undefined) await answerPending(run);
      for (; given < theCase.answers.length;) {
        pending = questionFor(theCase.answers[given]!, look(run), seen);
        given += 1;
        if (pending !== undefined) await answerPending(run);
      }
      return true;
    },

    async ending({ executor, store }: Process): Promise<Ending> {
      const run = await executor.open((await mainRun(store, workflow.name))!);
      const view = run.getSnapshot();
      return {
        status: view.status,
        outputs: withoutIds(JSON.stringify(withoutTimes(view.outputs)) ?? ""),
        error: view.error === undefined ? undefined : withoutIds(JSON.stringify(view.error)),
        steps: (await run.steps()).map(describeStep).toSorted(),
        pauses: view.pauses.map(nameOf).toSorted(),
      };
    },
  };
}

async function startOrContinue(executor: Executor, store: Store, workflow: string, inputs: Values): Promise<Run | undefined> {
  const stored = await mainRun(store, workflow);
  if (stored !== undefined) {
    const run = await executor.open(stored);
    const { status } = run.getSnapshot();
    if (status === "running" || status === "paused") await run.resume();
    return run;
  }
  try {
    const run = await executor.start(workflow, inputs);
    await run.settled();
    return run;
  } catch (thrown) {
    if (isWorkflowError(thrown) && thrown.code === "INPUT_INVALID") return undefined;
    throw thrown;
  }
}

async function mainRun(store: Store, workflow: string): Promise<string | undefined> {
  const { items } = await store.runs({ workflow, topLevel: true });
  return items[0]?.id;
}

function questionFor(answer: Answer, open: readonly Pause[], seen: readonly string[]): { question: string; response: Value } | undefined {
  const names = open.map(nameOf);
  if (typeof answer === "string") {
    const newest = seen.findLast((name) => names.includes(name));
    return newest === undefined ? undefined : { question: newest, response: answer };
  }
  if (!("checkpoint" in answer) || answer.response === undefined) return undefined;
  const question = seen[Number(answer.checkpoint.slice("pause:".length))];
  return question === undefined ? undefined : { question, response: answer.response };
}

interface StepCount {
  readonly run: string;
  readonly block: string;
  readonly count: number;
}

/** How many such steps each unit of each run has, by both names. */
async function countSteps(executor: Executor, store: Store, isSuch: (step: Step) => boolean): Promise<ReadonlyMap<string, StepCount>> {
  const { items } = await store.runs({ limit: 1_000 });
  const counts = new Map<string, StepCount>();
  for (const { id: run } of items) {
    for (const step of await (await executor.open(run)).steps()) {
      const block = unitName(step.block, step.item);
      const key = `${run} ${block}`;
      if (isSuch(step)) counts.set(key, { run, block, count: (counts.get(key)?.count ?? 0) + 1 });
    }
  }
  return counts;
}

/** A question by what it asks: its id begins with that of the run, and that differs from process to process. */
function nameOf(pause: Pause): string {
  return `${pause.path.join("/")}: ${pause.prompt}`;
}

function describeStep({ block, item, status, outputs, error, skipped, attempts }: Step): string {
  return withoutIds(JSON.stringify({ block, item, status, outputs: withoutTimes(outputs), error, skipped, attempts }));
}

export function withoutIds(text: string): string {
  return text.replace(/\b(?:run|chk|pause)_[0-9a-z]+(?:\.\d+)?/g, "<id>");
}

export function withoutTimes(value: unknown): unknown {
  return value === undefined
    ? undefined
    : JSON.parse(JSON.stringify(value, (key, item: unknown) => (/_ms$|_seconds$|_time$/.test(key) ? 0 : item)));
}
