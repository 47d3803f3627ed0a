import type { Run } from "../../core/run/run.ts";
import { isWorkflowError, WorkflowError } from "../../core/model/errors.ts";
import type { RunResult } from "../../core/model/result.ts";
import type { Store } from "../../core/ports/store.ts";
import type { Workflow } from "../../core/model/workflow.ts";
import type { Chance } from "../seeded-numbers.ts";
import { goOn, isAsked, settlePause } from "./driver.ts";
import type { Machine, Weather } from "./machine.ts";
import { eventsOf } from "./random-plan.ts";
import { ANSWERS, isDeclined } from "./simulated-blocks.ts";
import type { Signal } from "./witness.ts";
import type { World } from "./world.ts";

/** What a storm rages on. */
export interface StormPlace {
  readonly world: World;
  readonly chance: Chance;
  /** The store that all machines share, without faults. */
  readonly store: Store;
  /** The run it is about. */
  readonly main: string;
  /** Whether the whole journal is kept. */
  readonly keepsAll: boolean;
  readonly workflows: readonly Workflow[];
  /** Whether signals are sent, runs are stopped for now, forks begin at blocks, and the run itself may be cancelled. */
  readonly isEventful: boolean;
  /** Whether answers are changed as often as they are given. */
  readonly isRevised: boolean;
  startMachine(): Promise<Machine>;
  /** Starts the run on a machine. */
  start(machine: Machine): Promise<unknown>;
}

/** What happened in a storm. */
export interface StormLog {
  readonly acts: string[];
  crashes: number;
  failures: number;
  /** Runs that were forked. */
  readonly others: string[];
  /** How often an answer was changed, or opened again. */
  revisions: number;
}

const MOST_ACTS = 30;
const MOST_MACHINES = 3;
const MOST_OTHERS = 3;
const HOUR_MS = 3_600_000;

/** A fork cannot begin at each block, or with any outputs. */
const REFUSED_BEGINNINGS = new Set(["OUTPUT_INVALID", "REFERENCE_UNKNOWN", "CHANNEL_INVALID"]);

/** Refusals that are right for every call of a machine: another one was first, a run is executed elsewhere, what it looked at is gone. */
const RIGHT_REFUSALS = new Set([
  "PAUSE_ALREADY_ANSWERED",
  "RUN_ACTIVE",
  "RUN_NOT_FOUND",
  "CHECKPOINT_NOT_FOUND",
  "CHECKPOINT_STALE",
  "PAUSE_WITHDRAWN",
  "RUN_ENDED",
  "RUN_EXISTS",
  "RUN_CANCELLED",
]);

type Act = (machine: Machine, target: string) => Promise<unknown>;
type WeightedAct = readonly [weight: number, name: string, act: Act];

/** A signal as it was sent: a sender that has no reply sends it again. */
interface Sent extends Signal {
  readonly run: string;
  readonly id: string;
}

/** Lets machines come and go and do all that can be done to a run, in any order, until it has ended or enough has happened. */
export async function rage(place: StormPlace, log: StormLog): Promise<void> {
  const { world, chance, store, main } = place;
  let machines: Machine[] = [];
  let isAlone = true;

  const sent: Sent[] = [];
  let signals = 0;
  const eventful: readonly WeightedAct[] = [
    [8, "signal", signal],
    [2, "stop", stop],
    [1, "recover", ({ executor }) => executor.recover()],
    [1, "fork inside", forkInside],
    [1, "give up", giveUp],
  ];
  const revising: readonly WeightedAct[] = [
    [7, "revise", revise],
    [3, "go back", goBack],
  ];
  const acts: readonly WeightedAct[] = [
    [6, "go on", (machine, target) => goOn(machine.executor, target)],
    [10, "answer", answer],
    [2, "draft", draft],
    [1, "answer wrongly", answerWrongly],
    [1, "look", look],
    [1, "fork", fork],
    [2, "revise", revise],
    [2, "go back", goBack],
    [1, "cancel", cancel],
    [1, "clean up", cleanUp],
    [1, "forget snapshots", forgetSnapshots],
    [1, "jump", async () => world.jump(chance.between(-2, 48) * HOUR_MS)],
    ...(place.isEventful ? eventful : []),
    ...(place.isRevised ? revising : []),
  ];
  const lots = acts.flatMap(([weight, name, act]) => Array.from({ length: weight }, () => ({ name, act })));

  async function answer({ executor }: Machine, target: string): Promise<void> {
    const { run, result } = await goOn(executor, target);
    if (result.status !== "paused" || result.pauses.length === 0) return;
    const pause = chance.pick(result.pauses);
    const settled = await settlePause(run, pause, () => chance.pick(ANSWERS));
    // A crash between a draft and the look at whether it is still wanted leaves one that is never shown.
    if (settled.status === "failure" || !isAlone || log.crashes > 0) return;
    const key = `draft.${pause.id.split(".").at(-1)!}`;
    const left = await store.notes(target, key);
    if (left.some((note) => note.key === key)) throw new Error(`${pause.id} was answered and still has its draft.`);
  }

  async function draft({ executor }: Machine, target: string): Promise<void> {
    const run = await executor.open(target);
    const { pauses } = run.getSnapshot();
    if (pauses.length > 0) await run.saveDraft(chance.pick(pauses).id, chance.happens(0.2) ? undefined : `dr${chance.between(0, 99)}`);
  }

  async function answerWrongly({ executor }: Machine, target: string): Promise<void> {
    const run = await executor.open(target);
    const pause = run.getSnapshot().pauses.find(isAsked);
    if (pause === undefined || isDeclined(pause.prompt)) return;
    const result = await run.answer(pause.id, chance.pick(["", "no such answer", 1]));
    const code = result.status === "failure" ? result.error.code : result.status;
    // What another machine did before may have taken the question away.
    if (!["RESPONSE_INVALID", "PAUSE_ALREADY_ANSWERED", "PAUSE_WITHDRAWN", "RUN_CANCELLED"].includes(code)) {
      throw new Error(`A wrong answer to ${pause.id} gave ${code}.`);
    }
  }

  /** Everything that can be listed can be read. */
  async function look({ executor }: Machine, target: string): Promise<void> {
    const { items } = await executor.checkpoints.list({ run: target });
    for (const { id } of items) await executor.checkpoints.get(id).catch(forgivePruned);
    const run = await executor.open(target);
    await run.state();
    await run.answers().catch(forgivePruned);
    await run.steps().catch(forgivePruned);
    await executor.metrics();
  }

  async function fork({ executor }: Machine, target: string): Promise<void> {
    const { items } = await executor.checkpoints.list({ run: target });
    const made = items.length > 0 && (await executor.fork(chance.pick(items).id).catch(forgivePruned));
    if (made) log.others.push(made.id);
  }

  async function revise({ executor }: Machine, target: string): Promise<void> {
    const run = await executor.open(target);
    const asked = ((await run.answers().catch(forgivePruned)) ?? []).filter(
      ({ status, type, prompt }) => status === "answered" && type === "Simulated" && prompt !== undefined,
    );
    if (asked.length === 0) return;
    const { pause } = chance.pick(asked);
    const response = chance.pick(ANSWERS);
    await run.previewRevise(pause!, response);
    noteRevision(run, await run.revise(pause!, response));
  }

  async function goBack({ executor }: Machine, target: string): Promise<void> {
    const run = await executor.open(target);
    noteRevision(run, await run.back());
  }

  function noteRevision(run: Run, { error }: RunResult): void {
    // A run that failed later on was changed all the same.
    if (error && run.getSnapshot().error?.code !== error.code) throw new WorkflowError(error.code, error.message, error);
    log.revisions += 1;
  }

  /** Only runs beside the one it is about are given up. */
  async function cancel({ executor }: Machine): Promise<void> {
    const other = log.others.at(-1);
    if (other !== undefined) await (await executor.open(other)).cancel();
  }

  async function cleanUp({ executor }: Machine): Promise<void> {
    const before = await familyOf(store, main);
    await executor.cleanup({ ttlMs: chance.pick([1, HOUR_MS]), maxPerWorkflow: chance.between(1, 5) });
    const after = await familyOf(store, main);
    const lost = before.filter((run) => !after.includes(run));
    if (lost.length > 0 && !(await hasEnded())) throw new Error(`A cleanup has removed what a run needs: ${lost.join(", ")}.`);
  }

  async function forgetSnapshots(_machine: Machine, target: string): Promise<void> {
    for (const { key } of await store.notes(target, "snapshot.")) if (chance.happens(0.7)) await store.putNote(target, key, undefined);
  }

  /** Sends a signal to the run or to one that it called, whether anything waits for it or not; some a second time. */
  async function signal({ executor }: Machine, target: string): Promise<void> {
    const again = sent.length > 0 && chance.happens(0.15) ? chance.pick(sent) : undefined;
    const next = again ?? (await drawSignal(target));
    if (next === undefined) return;
    if (!again) sent.push(next);
    const { run, name, value, id } = next;
    await executor.signal(run, name, value, { id });
    // What was acknowledged is there, also while other things go on.
    if (!place.keepsAll) return;
    const texts = await store.read(run);
    const isStored = texts.some((text) => text.includes(`"type":"signalled"`) && text.includes(`"id":"${id}"`));
    if (!isStored && (await store.head(run))) throw new Error(`${run} took the signal ${name} ${value}, and does not have it.`);
  }

  async function drawSignal(target: string): Promise<Sent | undefined> {
    const run = chance.pick(await familyOf(store, target));
    const head = run === undefined ? undefined : await store.head(run);
    const workflow = place.workflows.find(({ name }) => name === head?.workflow);
    const names = workflow ? eventsOf(workflow) : [];
    if (names.length === 0) return undefined;
    signals += 1;
    const id = `s${signals}`;
    return { run: run!, name: chance.pick(names), value: id, id };
  }

  /** Nothing but a resume lets a stopped run go on. */
  async function stop({ executor }: Machine, target: string): Promise<void> {
    const family = await familyOf(store, target);
    const run = chance.happens(0.2) ? chance.pick(family) : target;
    await executor.stop(run);
    if (!isAlone) return;
    await executor.recover();
    const head = await store.head(run);
    if (head?.status !== "paused" || head.reason !== "stopped") throw new Error(`${run} was stopped for now, and is ${head?.status}.`);
  }

  /** Forks one that begins at a block, with outputs of what has none. */
  async function forkInside({ executor }: Machine, target: string): Promise<void> {
    if (log.others.length >= MOST_OTHERS) return;
    const { items } = await executor.checkpoints.list({ run: target });
    const { blocks } = place.workflows[0]!;
    const startAt = chance.pick(blocks).id;
    if (items.length === 0) return;
    const from = chance.pick(items).id;
    const outputs = blocks.filter(({ forEach, id }) => forEach === undefined && id !== startAt && chance.happens(0.2));
    for (const given of [Object.fromEntries(outputs.map(({ id }) => [id, { did: `${id} given` }])), {}]) {
      try {
        const made = await executor.fork(from, { startAt, outputs: given }).catch(forgivePruned);
        if (made) log.others.push(made.id);
        return;
      } catch (error) {
        if (!isWorkflowError(error) || !REFUSED_BEGINNINGS.has(error.code)) throw error;
      }
    }
  }

  /** The run itself is cancelled, now and then. */
  async function giveUp({ executor }: Machine): Promise<void> {
    if (chance.happens(0.3)) await (await executor.open(main)).cancel();
  }

  /** Throws errors, except those about something that the policy has removed. */
  function forgivePruned(error: unknown): undefined {
    const isGone = isWorkflowError(error) && (error.code === "CHECKPOINT_PRUNED" || error.code === "CHECKPOINT_NOT_FOUND");
    if (!isGone || (error.code === "CHECKPOINT_PRUNED" && place.keepsAll)) throw error;
  }

  async function hasEnded(): Promise<boolean> {
    const head = await store.head(main);
    return head !== undefined && head.status !== "running" && head.status !== "paused";
  }

  function drawWeather(): Weather | undefined {
    if (!chance.happens(0.5)) return undefined;
    const code = chance.pick(["STORE_FAILED", "STORE_LOST", "STORE_QUOTA"] as const);
    return { after: chance.between(1, 25), what: chance.pick(["crash", "crash", "fail"]), when: chance.pick(["before", "after"]), code };
  }

  /** Lets a machine do something, until it is done or the machine is dead. */
  async function act(machine: Machine): Promise<void> {
    const isThere = (await store.head(main)) !== undefined;
    const mayMake = log.others.length < MOST_OTHERS;
    const drawn = chance.pick(lots);
    const target = log.others.length > 0 && chance.happens(0.25) ? chance.pick(log.others) : main;
    const { name, act } = isThere
      ? drawn.name === "fork" && !mayMake
        ? lots[0]!
        : drawn
      : { name: "start", act: () => place.start(machine) };
    log.acts.push(`${name} ${target}`);
    const failures = machine.failures;
    machine.expect(drawWeather());
    try {
      await world.until(act(machine, target), () => machine.isDead);
    } catch (error) {
      if (!isWorkflowError(error)) throw error;
      const wasHurt = machine.failures > failures || (machine.failures > 0 && error.code.startsWith("STORE_"));
      // A machine that answers or continues accepts what others wrote; what is made of a run that another one gives up meanwhile is
      // refused.
      const wasOvertaken = error.code === "STORE_CONFLICT" && name !== "answer" && name !== "go on";
      if (!wasHurt && !wasOvertaken && !RIGHT_REFUSALS.has(error.code)) throw error;
    }
    machine.expect(undefined);
    if (machine.isDead) log.acts.push("it crashed");
  }

  for (let turns = 0; turns < MOST_ACTS && !(await hasEnded()); turns += 1) {
    if (machines.length < MOST_MACHINES && (machines.length === 0 || chance.happens(0.3))) machines.push(await place.startMachine());
    const first = chance.pick(machines);
    const second = chance.pick(machines);
    // Two that start the same run know nothing of each other before it is stored.
    const isThere = (await store.head(main)) !== undefined;
    isAlone = !isThere || first === second || chance.happens(0.6);
    await (isAlone ? act(first) : Promise.all([act(first), act(second)]));
    log.crashes += machines.filter(({ isDead }) => isDead).length;
    machines = machines.filter(({ isDead }) => !isDead);
  }
  for (const machine of machines) {
    log.failures += machine.failures;
    if (chance.happens(0.5)) await machine.die();
    else await world.until(machine.close(), () => machine.isDead);
  }
}

/** A run and all that it called, directly or not, as far as they are stored. */
async function familyOf(store: Store, run: string): Promise<readonly string[]> {
  const { items } = await store.runs({ limit: 1_000 });
  const family = new Set(items.some(({ id }) => id === run) ? [run] : []);
  for (let size = -1; size !== family.size;) {
    size = family.size;
    for (const { id, parent } of items) if (parent && family.has(parent.run)) family.add(id);
  }
  return [...family];
}
