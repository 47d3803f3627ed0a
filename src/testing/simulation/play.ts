import type { Executor } from "../../core/run/run.ts";
import type { ItemView } from "../../core/model/view.ts";
import type { Pause } from "../../core/model/run.ts";
import { isWorkflowError } from "../../core/model/errors.ts";
import type { CheckpointPolicy } from "../../core/journal/journal.ts";
import { loadParts } from "../../core/runner/runner.ts";
import type { Store } from "../../core/ports/store.ts";
import type { Values } from "../../core/model/value.ts";
import { chanceOf, type Chance } from "../seeded-numbers.ts";
import { finishRun } from "./driver.ts";
import { endingOf, type EndingOptions } from "./ending.ts";
import { lookAround } from "./look-around.ts";
import { startMachine, type Machine } from "./machine.ts";
import { randomPlan, type Plan } from "./random-plan.ts";
import { ANSWERS } from "./simulated-blocks.ts";
import { rage, type StormLog, type StormPlace } from "./storm.ts";
import { makeWitness, type Signal } from "./witness.ts";
import { makeWorld } from "./world.ts";

/** Opens stores: each call an empty place, each call of what it gives another store there. */
export type MakeStores = () => Promise<() => Promise<Store>>;

/**
 * From these seeds on workflows have channels, loops and branches, then blocks that add blocks, then blocks that wait for signals and blocks that undo others, then
 * files, with answers that are changed far more often. Those before them stay what they were: some once found a fault.
 */
const FIRST_RICH_SEED = 5_000_000;
const FIRST_GROWING_SEED = 6_000_000;
const FIRST_EVENTFUL_SEED = 7_000_000;
const FIRST_FILING_SEED = 8_000_000;

const NAME = "sim";
const MAIN = `run_${NAME}`;
/** What changes answers of the run that is compared. */
const CHANGES = new Set([`revise ${MAIN}`, `go back ${MAIN}`]);

/** What happened in a simulation that came out well. */
export interface SimulationReport {
  readonly seed: number;
  /** Machines that died at work. */
  readonly crashes: number;
  /** Calls on the store that were made to fail, of machines that lived on. */
  readonly failures: number;
  /** Executions of blocks. */
  readonly executions: number;
  /** Runs that were forked. */
  readonly forks: number;
  /** Answers that were changed, or opened again. */
  readonly revisions: number;
  /** What was done, in its order. */
  readonly acts: readonly string[];
}

/** Plays one simulation; see `simulate`. */
export async function playSimulation(seed: number, makeStores: MakeStores): Promise<SimulationReport> {
  const chance = chanceOf(seed);
  const isEventful = seed >= FIRST_EVENTFUL_SEED;
  const hasFiles = seed >= FIRST_FILING_SEED;
  const plan = randomPlan(chance, { isRich: seed >= FIRST_RICH_SEED, grows: seed >= FIRST_GROWING_SEED, isEventful, hasFiles });
  // How long the first use of code takes to load it would let the same seed go another way.
  await loadParts(plan.workflows, () => "acting");
  const inputs = { said: chance.pick(["hello", ""]) };
  const retention = drawRetention(chance);
  const keepsAll = retention.retention === "full";
  const open = await makeStores();
  const store = await open();
  const world = makeWorld();
  const witness = makeWitness();
  const log: StormLog = { acts: [], crashes: 0, failures: 0, others: [], revisions: 0 };
  let violation: Error | undefined;
  let machines = 0;

  async function start(durabilities: readonly NonNullable<CheckpointPolicy["durability"]>[], storm?: Chance): Promise<Machine> {
    machines += 1;
    return startMachine({
      world,
      witness,
      store: await open(),
      workflows: plan.workflows,
      policy: { ...retention, durability: chance.pick(durabilities) },
      chance: storm,
      seed: seed * 100 + machines,
      onViolation: (error) => (violation ??= error),
    });
  }

  /** Brings the run to an end without any more faults, and compares it with one that was answered so from the start, and that nothing befell. */
  async function end(): Promise<void> {
    const machine = await start(["sync"]);
    if ((await store.head(MAIN)) === undefined) await machine.executor.start("main", inputs, { id: NAME });
    const said = (): string => chance.pick(ANSWERS);
    let sent = 0;
    const nudge = (executor: Executor): Promise<boolean> => wakeAll(executor, store, () => `end${(sent += 1)}`);
    const run = await finishRun(machine.executor, MAIN, said, nudge);
    if (isEventful) {
      for (const other of log.others) if (await store.head(other)) await finishRun(machine.executor, other, said, nudge);
    }
    const answers = witness.answers(MAIN);
    // What was executed before an answer was changed stays among the records.
    const options: EndingOptions = { withSteps: keepsAll && !log.acts.some((act) => CHANGES.has(act)), mayFail: plan.mayFail };
    // It would have to be given up at the same place.
    if (run.getSnapshot().status !== "cancelled") {
      expectSame(
        await unbroken({ like: MAIN, plan, inputs, answers, signals: witness.signals(), options, makeStores }),
        await endingOf(machine.executor, run, options),
        MAIN,
      );
    }
    await lookAround({ machine, store, workflows: plan.workflows, main: MAIN, keepsAll });
    await machine.close();
  }

  try {
    const place: StormPlace = {
      world,
      chance,
      store,
      main: MAIN,
      keepsAll,
      workflows: plan.workflows,
      isEventful,
      isRevised: hasFiles,
      startMachine: () => start(retention.retention === "latest" ? ["sync", "async", "exit"] : ["sync", "async"], chance),
      start: async ({ executor }) => (await executor.start("main", inputs, { id: NAME })).settled(),
    };
    await rage(place, log);
    await witness.check(store);
    log.acts.push("the storm is over");
    await world.until(end(), () => false);
    await witness.check(store);
    if (violation) throw violation;
    const { crashes, failures, others, revisions, acts } = log;
    return { seed, crashes, failures, executions: witness.executions, forks: others.length, revisions, acts };
  } catch (error) {
    const reason = violation ?? (error as Error);
    throw new Error(`${reason.message}\nWhat was done: ${log.acts.join("; ")}.`, { cause: error });
  }
}

interface UnbrokenRun {
  /** The run with which it is compared. */
  readonly like: string;
  readonly plan: Plan;
  readonly inputs: Values;
  /** By prompt. */
  readonly answers: ReadonlyMap<string, string>;
  /** By run. */
  readonly signals: ReadonlyMap<string, readonly Signal[]>;
  readonly options: EndingOptions;
  readonly makeStores: MakeStores;
}

/** How the run ends without failures, with one machine alone, and with the same answers. */
async function unbroken({ like, plan, inputs, answers, signals, options, makeStores }: UnbrokenRun): Promise<string> {
  const open = await makeStores();
  const store = await open();
  const world = makeWorld();
  let violation: Error | undefined;
  const machine = startMachine({
    world,
    witness: makeWitness(),
    store,
    workflows: plan.workflows,
    policy: {},
    chance: undefined,
    seed: 1,
    onViolation: (error) => (violation ??= error),
  });
  const left = new Map([...signals].map(([run, all]) => [run, all.filter(({ name }) => !name.startsWith("end "))]));
  /** Sends each run the signals that it took, and where it may fail more, for what waits beside the failure. */
  async function nudge(executor: Executor): Promise<boolean> {
    for (const { id } of (await store.runs({ limit: 1_000 })).items) {
      const next = left.get(id)?.shift();
      if (next === undefined) continue;
      await (await executor.open(id)).signal(next.name, next.value).catch(forgiveEnded);
      return true;
    }
    return options.mayFail && wakeAll(executor, store, () => "more");
  }
  async function play(): Promise<string> {
    await machine.executor.start("main", inputs, { id: NAME });
    const respond = ({ prompt }: Pause): string => {
      // Where a run fails, what is asked beside the failure may have been left without an answer.
      const answer = answers.get(prompt) ?? (options.mayFail ? ANSWERS[0] : undefined);
      if (answer === undefined) throw new Error(`"${prompt}" is asked where nothing goes wrong, and was not asked in ${like}.`);
      return answer;
    };
    const run = await finishRun(machine.executor, MAIN, respond, nudge);
    return endingOf(machine.executor, run, options);
  }
  const ending = await world.until(play(), () => false);
  await machine.close();
  if (violation) throw violation;
  return ending!;
}

/** Lets runs go on that were stopped for now, and sends others what they wait for. Gives whether there was any. */
async function wakeAll(executor: Executor, store: Store, nextValue: () => string): Promise<boolean> {
  let isAny = false;
  for (const { id } of (await store.runs({ status: "paused", limit: 1_000 })).items) {
    const run = await executor.open(id);
    const { reason, waves } = run.getSnapshot();
    const units = waves.flatMap(({ blocks }) => blocks.flatMap((block): readonly Omit<ItemView, "key">[] => block.items ?? [block]));
    const events = units.flatMap((unit) => (unit.status === "waiting" ? (unit.events ?? []) : []));
    if (reason === undefined && events.length === 0) continue;
    isAny = true;
    if (reason !== undefined) await run.resume();
    else for (const name of events) await run.signal(name, nextValue()).catch(forgiveEnded);
    await run.settled();
  }
  return isAny;
}

function forgiveEnded(error: unknown): void {
  if (!isWorkflowError(error) || error.code !== "RUN_ENDED") throw error;
}

function drawRetention(chance: Chance): Pick<CheckpointPolicy, "retention" | "window"> & { readonly retention: string } {
  const retention = chance.pick(["full", "full", "latest", "windowed"] as const);
  return retention === "windowed" ? { retention, window: chance.between(1, 4) } : { retention };
}

function expectSame(wanted: string, found: string, run: string): void {
  if (wanted !== found) throw new Error(`${run} ended otherwise than where nothing goes wrong:\n${found}\nand should have:\n${wanted}`);
}
