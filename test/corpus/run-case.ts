import { createExecutor, isWorkflowError } from "wavepoint";
import { builtinBlocks } from "wavepoint/blocks";
import type { CheckpointInfo, Executor, Host, Pause, Run, RunResult, RunView, Store, Values, Workflow } from "wavepoint";
import { checkWorkflow, loadWorkflow } from "wavepoint/yaml";
import type { Answer, Case, ForkAt } from "./case.ts";
import { compareCase } from "./compare-case.ts";
import { describeError } from "./describe-error.ts";
import { pausesInPlanOrder } from "./pauses-in-plan-order.ts";
import type { Counts, Played, SeenPause, StepOutcome } from "./played-case.ts";
import { countBlocks } from "./count-blocks.ts";
import type { BlockCounts } from "./count-blocks.ts";

export interface PlayOptions {
  /** Close the executor and open the store again before every answer, as after a reload of the page. */
  readonly reopen?: boolean;
  /** Where clock and chance come from. Default: the platform. */
  readonly host?: Host;
}

/** Plays a case and gives what differs from its expectations: nothing means it passed. */
export async function runCase(played: Case, openStore: () => Promise<Store>, options: PlayOptions = {}): Promise<string[]> {
  return compareCase(played, await playCase(played, openStore, options));
}

/** Loads the workflows of a case. Gives the problems of the ones that are refused, as a person would read them. */
export async function loadCase(texts: readonly string[]): Promise<{ readonly workflows: Workflow[]; readonly error?: string }> {
  const workflows: Workflow[] = [];
  for (const text of texts) {
    try {
      workflows.push(loadWorkflow(text));
    } catch (thrown) {
      const problems = (await checkWorkflow(text)).problems.filter((problem) => problem.severity === "error");
      return { workflows, error: [describeThrown(thrown), ...problems.map(describeError)].join("\n") };
    }
  }
  return { workflows };
}

async function playCase(played: Case, openStore: () => Promise<Store>, options: PlayOptions): Promise<Played> {
  const { types, counts } = countBlocks(builtinBlocks);
  const loaded = await loadCase(played.workflows);
  const nothing = { records: [], pauses: [], counts: new Map(), countsBeforeLast: new Map(), checkpoints: { auto: 0, pause: 0 }, runs: 0 };
  const rest = played.answers.map((): StepOutcome => ({ status: "failure", error: "there is no run" }));
  if (loaded.error !== undefined) return { ...nothing, steps: [{ status: "load_error", error: loaded.error }, ...rest] };

  const first = loaded.workflows[0]!;
  const host = options.host === undefined ? {} : { host: options.host };
  let executor = createExecutor({ store: await openStore(), workflows: [], blocks: types, ...host });
  try {
    const refused = await loadAll(executor, loaded.workflows);
    if (refused !== undefined) return { ...nothing, steps: [{ status: "load_error", error: refused }, ...rest] };

    const game = createGame(first, counts);
    const steps = [await game.start(executor, played.inputs)];
    let countsBeforeLast = game.counts();
    for (const answer of played.answers) {
      if (options.reopen === true) {
        await executor.close();
        executor = createExecutor({ store: await openStore(), workflows: [], blocks: types, ...host });
        await loadAll(executor, loaded.workflows);
      }
      countsBeforeLast = game.counts();
      steps.push(await game.answer(executor, answer));
    }
    return { ...(await game.end(executor)), steps, countsBeforeLast };
  } finally {
    await executor.close();
  }
}

async function loadAll(executor: Executor, workflows: readonly Workflow[]): Promise<string | undefined> {
  for (const workflow of workflows) {
    try {
      await executor.load(workflow);
    } catch (thrown) {
      return describeThrown(thrown);
    }
  }
  return undefined;
}

/** The moves of one case. The executor is given to each, because it may be another one after a reopening. */
function createGame(workflow: Workflow, blockCounts: BlockCounts) {
  const seen: SeenPause[] = [];
  const mainRuns = new Set<string>();
  let current: string | undefined;

  async function look(executor: Executor): Promise<RunView | undefined> {
    if (current === undefined) return undefined;
    mainRuns.add(current);
    const view = (await executor.open(current)).getSnapshot();
    for (const pause of pausesInPlanOrder(view)) {
      if (seen.some((other) => isSame(other.pause, pause))) continue;
      seen.push({ pause, info: await infoOf(executor, pause.id), kept: true });
    }
    return view;
  }

  async function attempt(executor: Executor, move: () => Promise<RunResult>): Promise<StepOutcome> {
    let outcome: StepOutcome;
    try {
      outcome = outcomeOf(await move());
    } catch (thrown) {
      outcome = { status: "failure", error: describeThrown(thrown) };
    }
    await look(executor);
    return outcome;
  }

  /** The pause that was asked last and still waits; where none waits, the last one there was. */
  async function newestPause(executor: Executor): Promise<string> {
    const open = new Set((await look(executor))?.pauses.map((pause) => pause.id));
    const newest = seen.findLast(({ pause }) => open.has(pause.id)) ?? seen.at(-1);
    if (newest === undefined) throw new Error("the case answers, but nothing has been asked");
    return newest.pause.id;
  }

  /** `pause:N` (as this case got them), `auto:N` (oldest first), `id:X`. */
  async function checkpointAt(executor: Executor, place: string): Promise<string> {
    const [, kind, rest] = /^(pause|auto|id):(.*)$/s.exec(place) ?? [];
    if (kind === "id") return rest!;
    const ids =
      kind === "pause" ? seen.map(({ pause }) => pause.id) : kind === "auto" ? await waveCheckpoints(executor, workflow.name) : [];
    const id = ids[Number(rest)];
    if (id === undefined) throw new Error(`there is no checkpoint "${place}", only ${ids.length} of its kind`);
    return id;
  }

  async function resume(executor: Executor, checkpoint: string, item: { readonly response?: Values[string]; readonly fork?: boolean }) {
    const result = await executor.resume(checkpoint, item.response, item.fork === undefined ? {} : { fork: item.fork });
    if (item.fork === true) current = result.run;
    return result;
  }

  /** Goes on with another run, which is looked at from then on. */
  async function turnTo(run: Run): Promise<RunResult> {
    current = run.id;
    return run.settled();
  }

  async function forkAt(executor: Executor, { fork, start_at: startAt, outputs, channels }: ForkAt): Promise<RunResult> {
    const checkpoint = await checkpointAt(executor, fork);
    return turnTo(await executor.fork(checkpoint, { startAt, ...(outputs && { outputs }), ...(channels && { channels }) }));
  }

  return {
    start(executor: Executor, inputs: Values): Promise<StepOutcome> {
      return attempt(executor, async () => turnTo(await executor.start(workflow.name, inputs)));
    },

    async answer(executor: Executor, answer: Answer): Promise<StepOutcome> {
      if (current === undefined) return { status: "failure", error: "there is no run" };
      if (typeof answer === "string") {
        const pause = await newestPause(executor);
        return attempt(executor, () => executor.answer(pause, answer));
      }
      if ("delete" in answer) {
        const checkpoint = await checkpointAt(executor, answer.delete);
        if (await executor.checkpoints.delete(checkpoint)) return { status: "deleted" };
        return { status: "failure", error: `Checkpoint ${checkpoint} not found` };
      }
      if ("back" in answer) return attempt(executor, async () => (await executor.open(current!)).back());
      if ("revise" in answer) {
        const pause = await checkpointAt(executor, answer.revise);
        return attempt(executor, async () => (await executor.open(current!)).revise(pause, answer.response));
      }
      if ("start_at" in answer) return attempt(executor, () => forkAt(executor, answer));
      if ("continue" in answer) {
        return attempt(executor, async () => turnTo(await executor.start(workflow.name, answer.continue, { after: current! })));
      }
      const checkpoint = await checkpointAt(executor, "resume" in answer ? answer.resume : answer.checkpoint);
      return attempt(executor, () => resume(executor, checkpoint, answer));
    },

    counts(): Counts {
      const main = new Map<string, number>();
      const called = new Map<string, number>();
      for (const [run, blocks] of blockCounts.byRun) {
        const totals = run === current || mainRuns.has(run) ? main : called;
        for (const [block, times] of blocks) totals.set(block, (totals.get(block) ?? 0) + times);
      }
      const ofFirst = new Set(workflow.blocks.map((block) => block.id));
      return new Map([...[...called].filter(([block]) => !ofFirst.has(block)), ...main]);
    },

    async end(executor: Executor): Promise<Omit<Played, "steps" | "countsBeforeLast">> {
      const view = await look(executor);
      const pauses = await Promise.all(
        seen.map(async ({ pause, info }) => ({ pause, info, kept: (await infoOf(executor, pause.id)) !== undefined })),
      );
      return {
        ...(view === undefined ? {} : { view }),
        records: current === undefined ? [] : await (await executor.open(current)).steps(),
        channels: current === undefined ? undefined : await channelsOf(await executor.open(current)),
        runs: await countRuns(executor),
        pauses,
        counts: this.counts(),
        checkpoints: {
          auto: (await waveCheckpoints(executor, workflow.name)).length,
          pause: (await checkpointIds(executor, workflow.name, "pause")).length,
        },
      };
    },
  };
}

function isSame(a: Pause, b: Pause): boolean {
  return a.id === b.id && a.prompt === b.prompt && a.askedAt === b.askedAt && a.path.join("/") === b.path.join("/");
}

async function infoOf(executor: Executor, checkpoint: string): Promise<CheckpointInfo | undefined> {
  try {
    return await executor.checkpoints.get(checkpoint);
  } catch (thrown) {
    if (isWorkflowError(thrown) && thrown.code === "CHECKPOINT_NOT_FOUND") return undefined;
    throw thrown;
  }
}

async function channelsOf(run: Run): Promise<Values | undefined> {
  return ((await run.state()) as { readonly channels?: Values }).channels;
}

async function countRuns(executor: Executor): Promise<number> {
  let count = 0;
  let after: string | undefined;
  do {
    const page = await executor.runs.list(after === undefined ? {} : { after });
    count += page.items.filter((head) => head.parent === undefined).length;
    after = page.next;
  } while (after !== undefined);
  return count;
}

function waveCheckpoints(executor: Executor, workflow: string): Promise<string[]> {
  return checkpointIds(executor, workflow, "wave");
}

/** Oldest first. */
async function checkpointIds(executor: Executor, workflow: string, kind: "wave" | "pause"): Promise<string[]> {
  const ids: string[] = [];
  let after: string | undefined;
  do {
    const page = await executor.checkpoints.list({ workflow, kind, ...(after === undefined ? {} : { after }) });
    ids.push(...page.items.map((item) => item.id));
    after = page.next;
  } while (after !== undefined);
  return ids.toReversed();
}

function outcomeOf(result: RunResult): StepOutcome {
  return result.status === "failure" ? { status: "failure", error: describeError(result.error) } : { status: result.status };
}

/** Only errors of the package may be thrown; anything else is a fault of its own and goes on. */
function describeThrown(thrown: unknown): string {
  if (isWorkflowError(thrown)) return describeError(thrown.toJSON());
  throw thrown;
}
