import { WorkflowError } from "../model/errors.ts";
import { MAX_CALL_DEPTH } from "../model/limits.ts";
import { checkpointNotFound, parsePlace } from "../journal/journal.ts";
import {
  addressOf,
  callAddress,
  callerIn,
  callersOf,
  type PauseState,
  type RunReading,
  type RunState,
  standingOf,
  type Unit,
  type UnitState,
} from "../machine/machine.ts";
import { calledIdOf, findCaller } from "../runner/runner.ts";
import { askingAddresses, unitOfAddress } from "./called-addresses.ts";
import { isPersonsAnswer, type OpenRun, type Services, withdrawn } from "../run/run.ts";

/** Where a question is: the calls that lead to the run that asks, outermost first, and the number of an asking there. */
export interface QuestionAddress {
  readonly calls: readonly string[];
  readonly pause: number;
}

/** A question with the run that asks it. */
export interface FoundQuestion extends QuestionAddress {
  readonly asker: OpenRun;
  /** The asking that counts now. */
  readonly asked: PauseState;
}

/**
 * Finds a question by the id of any of its askings, in a run or in one that it called, directly or not. Throws `PAUSE_WITHDRAWN`, as a refusal, where
 * the run that asked is no longer called; `CHECKPOINT_NOT_FOUND`; and `RUN_NOT_FOUND` where the run that asked was deleted.
 */
export async function findQuestion(services: Services, run: OpenRun, id: string): Promise<FoundQuestion> {
  const place = parsePlace(id);
  if (place.kind !== "pause") throw checkpointNotFound(id);
  const calls = place.run === run.id ? [] : await callsTo(services, run, place.run, id);
  let asker = await askerOf(services, run, calls);
  // The block calls another workflow than that now.
  if (asker.id !== place.run) throw withdrawn(id);
  let number = place.number;
  for (;;) {
    const { state } = asker.session;
    const asked = state.pauses[number];
    if (!asked || asked.forgotten) throw checkpointNotFound(id);
    const { child } = asked.entry;
    if (child === undefined) break;
    const call = callName(asker.session, asked, callAddress(asker.session, asked, asked.workflow));
    // The block calls another workflow now.
    if (call === undefined) throw withdrawn(id);
    calls.push(call);
    asker = await calledRun(services, asker, calls.at(-1)!);
    number = child;
  }
  const { state } = asker.session;
  const pause = currentAsking(state, number);
  return { calls, pause, asker, asked: state.pauses[pause]! };
}

/** The latest asking of the question that an asking belongs to. */
export function currentAsking({ pauses }: RunState, number: number): number {
  let current = number;
  for (let next = pauses[current]?.supersededBy; next !== undefined; next = pauses[current]?.supersededBy) current = next;
  return current;
}

/** The outermost caller of a run. A revision begins there, so that no caller completes with outdated outputs of its called run. */
export async function outermost(services: Services, run: OpenRun): Promise<OpenRun> {
  const caller = await findCaller(services, run.session);
  return caller ? outermost(services, caller) : run;
}

/** The run to which calls lead, as it is stored. Throws `RUN_NOT_FOUND`. */
export async function askerOf(services: Services, run: OpenRun, calls: readonly string[]): Promise<OpenRun> {
  let asker = run;
  for (const unit of calls) asker = await calledRun(services, asker, unit);
  return asker;
}

async function calledRun(services: Services, run: OpenRun, unit: string): Promise<OpenRun> {
  const called = await services.find(await calledIdOf(services, run.session, unit));
  if (!called) {
    throw new WorkflowError(
      "RUN_NOT_FOUND",
      `The run that block "${unit}" of run ${run.id} called was deleted, so there is no way back to what it asked.`,
      { details: { run: run.id, block: unit } },
    );
  }
  await called.update();
  return called;
}

/** The calls that lead from a run to the run with the id `to`. */
async function callsTo(services: Services, run: OpenRun, to: string, id: string): Promise<string[]> {
  const calls: string[] = [];
  let called = await services.find(to);
  while (called?.session.state.started.parent && calls.length < MAX_CALL_DEPTH) {
    const { parent } = called.session.state.started;
    called = await services.find(parent.run);
    const { block: name } = parent;
    calls.unshift((called && callName(called.session, unitOfAddress(called.session, name), name)) ?? callerIn(name));
    if (run.id === parent.run) return calls;
  }
  throw checkpointNotFound(id);
}

interface Ranked extends QuestionAddress {
  readonly rank: number;
  /** The askings of the question in the run at hand, newest first. */
  readonly askings: readonly number[];
}

/**
 * The question that a person answered last, in a run or in those that it called. A changed answer keeps the place of the first one. Nothing where no
 * question was answered.
 */
export async function lastAnswered(services: Services, run: OpenRun): Promise<QuestionAddress | undefined> {
  return (await answered(services, run)).reduce<Ranked | undefined>((last, one) => (last && last.rank > one.rank ? last : one), undefined);
}

async function answered(services: Services, run: OpenRun): Promise<readonly Ranked[]> {
  const { compiled, state } = run.session;
  const found: Ranked[] = [];
  for (const number of [...state.units.values()].flatMap((unit) => standingOf(state, unit))) {
    const pause = state.pauses[number]!;
    if (pause.entry.child !== undefined || !isPersonsAnswer(pause)) continue;
    found.push({ calls: [], pause: number, rank: pause.rank, askings: askingsBefore(state, number) });
  }
  for (const unit of callersOf(state)) {
    // A call that a revision opened does not count until it is kept or made again. A block that was added and taken back never counts.
    if (compiled.plan.waveOf[unit.block]! < 0 || !isStanding(state, unit)) continue;
    for (const address of askingAddresses(run.session, unit)) {
      const called = await services.find(await services.childId(state.id, address));
      await called?.update();
      const own = state.pauses.filter(
        (pause) => pause.entry.child !== undefined && callAddress(run.session, pause, pause.workflow) === address,
      );
      const inside = called ? await answered(services, called) : [];
      for (const one of inside)
        found.push({ ...one, calls: [callName(run.session, unit, address)!, ...one.calls], ...placeHere(own, one) });
    }
  }
  return found;
}

/**
 * How `calls` names a run that a unit called: the last one by the name of the unit alone, an earlier one by its whole address. Nothing where its
 * questions do not count.
 */
export function callName(reading: RunReading, unit: Unit, address: string): string | undefined {
  if (addressOf(reading, unit) === address) return callerIn(address);
  if (!askingAddresses(reading, unit).has(address)) return undefined;
  return address.includes("~") ? address : `${address}~`;
}

/** The place of an answer in a called run, as its caller ranks it: when the caller first noted it, else after all answers that it noted of that run. */
function placeHere(own: readonly PauseState[], { askings, rank }: Ranked): Pick<Ranked, "rank" | "askings"> {
  const inside = new Set(askings);
  const known = own.filter(({ entry, answer }) => answer && inside.has(entry.child!));
  const last = own.reduce((most, one) => Math.max(most, one.rank), -1);
  return { rank: known[0]?.rank ?? last + rank / (rank + 1), askings: known.map(({ entry }) => entry.pause).toReversed() };
}

function askingsBefore({ pauses }: RunState, number: number): readonly number[] {
  const askings: number[] = [];
  for (let next: number | undefined = number; next !== undefined; next = pauses[next]!.supersedes) askings.push(next);
  return askings;
}

function isStanding({ items }: RunState, { block, item, candidate }: UnitState): boolean {
  return candidate?.given === undefined && (item === undefined || items.has(block));
}
