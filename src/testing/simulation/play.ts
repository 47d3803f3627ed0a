import type { CheckpointPolicy } from "../../core/engine/policy.ts";
import type { Store } from "../../core/ports/store.ts";
import type { Values } from "../../core/model/value.ts";
import type { SimulationReport } from "../simulate.ts";
import { chanceOf, type Chance } from "./chance.ts";
import { finishRun } from "./driver.ts";
import { endingOf, type EndingOptions } from "./ending.ts";
import { loadParts } from "./load-parts.ts";
import { lookAround } from "./look-around.ts";
import { startMachine, type Machine } from "./machine.ts";
import { randomPlan, type Plan } from "./random-plan.ts";
import { ANSWERS } from "./simulated-blocks.ts";
import { rage, type StormLog, type StormPlace } from "./storm.ts";
import { makeWitness } from "./witness.ts";
import { makeWorld } from "./world.ts";

/** Opens stores: each call an empty place, each call of what it gives another store there. */
export type MakeStores = () => Promise<() => Promise<Store>>;

const NAME = "sim";
const MAIN = `run_${NAME}`;

/** Plays one simulation; see `simulate`. */
export async function playSimulation(seed: number, makeStores: MakeStores): Promise<SimulationReport> {
  await loadParts();
  const chance = chanceOf(seed);
  const plan = randomPlan(chance);
  const inputs = { said: chance.pick(["hello", ""]) };
  const retention = drawRetention(chance);
  const keepsAll = retention.retention === "full";
  const options: EndingOptions = { withSteps: keepsAll, mayFail: plan.mayFail };
  const open = await makeStores();
  const store = await open();
  const world = makeWorld();
  const witness = makeWitness();
  const log: StormLog = { acts: [], crashes: 0, failures: 0, others: [], revisions: [] };
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

  /** Brings the run, and one that revises it, to an end without any more faults, and compares them with runs that nothing befell. */
  async function end(): Promise<void> {
    const machine = await start(["sync"]);
    if ((await store.head(MAIN)) === undefined) await machine.executor.start("main", inputs, { id: NAME });
    const said = (): string => chance.pick(ANSWERS);
    const run = await finishRun(machine.executor, MAIN, said);
    const answers = witness.answers(MAIN);
    expectSame(await unbroken({ like: MAIN, plan, inputs, answers, options, makeStores }), await endingOf(run, options), MAIN);

    const revision = log.revisions.find(({ source }) => source === MAIN);
    const head = revision && (await store.head(revision.run));
    if (revision && head && head.status !== "cancelled") {
      const revised = await finishRun(machine.executor, revision.run, said);
      const all = new Map<string, string>([...answers, [revision.prompt, revision.response], ...witness.answers(revision.run)]);
      const states = { ...options, withSteps: false };
      expectSame(
        await unbroken({ like: revision.run, plan, inputs, answers: all, options: states, makeStores }),
        await endingOf(revised, states),
        revision.run,
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
      startMachine: () => start(retention.retention === "latest" ? ["sync", "async", "exit"] : ["sync", "async"], chance),
      start: async ({ executor }) => (await executor.start("main", inputs, { id: NAME })).settled(),
    };
    await rage(place, log);
    await witness.check(store);
    log.acts.push("the storm is over");
    await world.until(end(), () => false);
    await witness.check(store);
    if (violation) throw violation;
    const { crashes, failures, others, acts } = log;
    return { seed, crashes, failures, executions: witness.executions, forks: others.length, acts };
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
  readonly options: EndingOptions;
  readonly makeStores: MakeStores;
}

/** How the run ends where nothing goes wrong, nobody else is there, and the same is answered. */
async function unbroken({ like, plan, inputs, answers, options, makeStores }: UnbrokenRun): Promise<string> {
  const open = await makeStores();
  const world = makeWorld();
  let violation: Error | undefined;
  const machine = startMachine({
    world,
    witness: makeWitness(),
    store: await open(),
    workflows: plan.workflows,
    policy: {},
    chance: undefined,
    seed: 1,
    onViolation: (error) => (violation ??= error),
  });
  async function play(): Promise<string> {
    await machine.executor.start("main", inputs, { id: NAME });
    const run = await finishRun(machine.executor, MAIN, ({ prompt }) => {
      // Where a run fails, what is asked beside the failure may have been left without an answer.
      const answer = answers.get(prompt) ?? (options.mayFail ? ANSWERS[0] : undefined);
      if (answer === undefined) throw new Error(`"${prompt}" is asked where nothing goes wrong, and was not asked in ${like}.`);
      return answer;
    });
    return endingOf(run, options);
  }
  const ending = await world.until(play(), () => false);
  await machine.close();
  if (violation) throw violation;
  return ending!;
}

function drawRetention(chance: Chance): Pick<CheckpointPolicy, "retention" | "window"> & { readonly retention: string } {
  const retention = chance.pick(["full", "full", "latest", "windowed"] as const);
  return retention === "windowed" ? { retention, window: chance.between(1, 4) } : { retention };
}

function expectSame(wanted: string, found: string, run: string): void {
  if (wanted !== found) throw new Error(`${run} ended otherwise than where nothing goes wrong:\n${found}\nand should have:\n${wanted}`);
}
