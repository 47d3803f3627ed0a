import {
  createExecutor,
  isWorkflowError,
  type BlockType,
  type Executor,
  type Run,
  type RunResult,
  type Store,
  type Value,
  type Values,
} from "wavepoint";
import { fakeHost } from "wavepoint/testing";
import { stopAt, type StopPoint } from "../../crash-points/stop-at.ts";
import type { Behaviour, World } from "./behaviours.ts";

export interface PlayedBehaviour {
  /** What was executed, as `Behaviour.expect.order` says it. */
  readonly order: readonly string[];
  readonly asked: readonly string[];
  readonly calls: { readonly [name: string]: number };
  /** What must be the same whether a process died on the way or not. */
  readonly ending: {
    readonly outputs: unknown;
    readonly channels: unknown;
    readonly requested: readonly Values[];
    readonly steps: readonly string[];
  };
  /** What was executed again though the store had its outcome. */
  readonly again: readonly string[];
  readonly writes: number;
  readonly hasDied: boolean;
  /** Another process on the same store. */
  readonly reopen: () => Executor;
  /** The ids of the checkpoints that were asked for, in their order. */
  readonly requested: readonly string[];
}

const RUN = "example";
/** More resumes than any of them needs. */
const MAX_RESUMES = 5;

function newWorld(): World & { readonly calls: Map<string, number> } {
  const failed = new Set<string>();
  const calls = new Map<string, number>();
  return {
    calls,
    sandboxes: new Map(),
    failOnce(name) {
      if (failed.has(name)) return;
      failed.add(name);
      throw new Error(`${name} is out of order.`);
    },
    call(name) {
      const count = (calls.get(name) ?? 0) + 1;
      calls.set(name, count);
      return count;
    },
  };
}

/** The same type, which notes each execution by its key, as `run/unit#iteration`. */
function noting(type: BlockType, did: string[]): BlockType {
  return {
    ...type,
    execute(context) {
      did.push((context as { readonly idempotencyKey: string }).idempotencyKey);
      return type.execute(context);
    },
    ...(type.resume && {
      resume(context) {
        did.push(`${(context as { readonly idempotencyKey: string }).idempotencyKey} answered`);
        return type.resume!(context);
      },
    }),
  };
}

/** What the store has the outcome of, named as {@link noting} does. */
async function storedIn(store: Store): Promise<Set<string>> {
  const stored = new Set<string>();
  for (const { id } of (await store.runs()).items) {
    const turns = new Map<string, number>();
    for (const text of await store.read(id)) {
      const { type, block, item } = JSON.parse(text) as { readonly type: string; readonly block: string; readonly item?: number };
      if (type !== "completed" && type !== "iterated" && type !== "paused") continue;
      const unit = `${id}/${block}${item === undefined ? "" : `[${item}]`}`;
      const turn = (turns.get(unit) ?? 0) + 1;
      const name = turn > 1 ? `${unit}#${turn}` : unit;
      stored.add(name);
      if (type === "paused") continue;
      stored.add(`${name} answered`);
      turns.set(unit, turn);
    }
  }
  return stored;
}

/**
 * Plays an example to its end: each answer comes from another process, and a run that failed is resumed. Where `point` is given, the first process dies
 * there, and another one with nothing but the store goes on.
 */
export async function playBehaviour(behaviour: Behaviour, store: Store, point?: StopPoint): Promise<PlayedBehaviour> {
  const { workflow, calls = [], inputs = {}, answers = {} } = behaviour;
  const world = newWorld();
  const did: string[] = [];
  const asked: string[] = [];
  const goOn = async (process: Executor, on: Store): Promise<RunResult> => {
    const isKnown = (await on.head(`run_${RUN}`)) !== undefined;
    const run = isKnown ? await process.open(RUN) : await process.start(workflow.name, inputs, { id: RUN });
    const { status } = run.getSnapshot();
    return isKnown && (status === "running" || status === "failed") ? run.resume() : run.settled();
  };
  const types = behaviour.blocks(world).map((type) => noting(type, did));
  let seed = 1;
  const open = (on: Store): Executor =>
    createExecutor({
      store: on,
      policy: { durability: "sync" },
      workflows: [workflow, ...calls],
      blocks: types,
      host: fakeHost({ seed: seed++, autoAdvance: true }),
    });
  const doomed = stopAt(store, point);
  let place = doomed.store;
  let executor = open(place);
  let [hasDied, mark] = [false, 0];
  let stored = new Set<string>();
  for (let resumes = 0, isOver = false; !isOver;) {
    try {
      const result = await goOn(executor, place);
      if (result.status === "success") isOver = true;
      else if (result.status === "failure" && ++resumes > MAX_RESUMES) throw new Error(result.error.message);
      else if (result.status === "paused") {
        const [question] = result.pauses;
        await executor.close();
        executor = open(place);
        const again = await executor.open(RUN);
        const { id, path, prompt } = again.getSnapshot().pauses.find((one) => one.id === question!.id)!;
        if (!asked.includes(prompt)) asked.push(prompt);
        await again.answer(id, answers[path.join("/")] as Value);
      }
    } catch (error) {
      if (hasDied || !doomed.isReached() || !isWorkflowError(error)) throw error;
      hasDied = true;
      await doomed.quiet();
      await executor.close().catch(() => {});
      stored = await storedIn(store);
      mark = did.length;
      place = store;
      executor = open(place);
    }
  }
  await executor.close();
  const reader = open(store);
  const run = await reader.open(RUN);
  const { items } = await reader.checkpoints.list({ run: run.id, kind: "requested" });
  // By their numbers: processes do not agree on the time.
  const requested = items.toSorted((a, b) => a.id.localeCompare(b.id, "en", { numeric: true }));
  const ending = { ...(await endingOf(run)), requested: requested.map(({ metadata }) => ownOf(metadata ?? {})) };
  await reader.close();
  return {
    order: did.map((name) => name.slice(name.indexOf("/") + 1)),
    asked,
    calls: Object.fromEntries(world.calls),
    ending,
    again: did.slice(mark).filter((name) => stored.has(name)),
    writes: doomed.writes(),
    hasDied,
    reopen: () => open(store),
    requested: requested.map(({ id }) => id),
  };
}

/** Metadata without what the engine adds. */
function ownOf({ block: _block, iteration: _iteration, elapsed_ms: _elapsed, ...own }: Values): Values {
  return own;
}

/** What a run came to. */
export async function endingOf(
  run: Run,
): Promise<{ readonly outputs: unknown; readonly channels: unknown; readonly steps: readonly string[] }> {
  const steps = await run.steps();
  return {
    outputs: run.getSnapshot().outputs,
    channels: (await run.state()).channels,
    steps: steps
      .filter(({ status }) => status !== "failed")
      .map(({ block, item, iteration, status }) => `${block}${item === undefined ? "" : `[${item}]`} ${iteration ?? 1} ${status}`)
      .toSorted(),
  };
}
