import type { Entry } from "../../model/journal.ts";
import { pauseId } from "../../model/ids.ts";
import { MAX_CALL_DEPTH } from "../../model/limits.ts";
import { checkpointNotFound, parsePlace, pruned } from "../checkpoints.ts";
import { openUntil, type ForkPlace } from "../fork-run.ts";
import type { LiveRun } from "../live-run.ts";
import { foldRun, readPast } from "../read-run.ts";
import type { Services } from "../services.ts";
import type { PauseState, RunState } from "../state.ts";
import { unitName } from "../unit.ts";
import { getCalled, isForkOf } from "./called-run.ts";

/** A question of a run: the calls that lead to the run whose block asks, outermost first, and the number of the pause there. */
export interface QuestionAddress {
  readonly calls: readonly string[];
  readonly pause: number;
}

/** A question with the run whose block asks it. */
export interface FoundQuestion extends QuestionAddress {
  readonly asker: LiveRun;
  readonly asked: PauseState;
}

/**
 * Finds a question by the id it has in a run or in a run that this one called, directly or not. Throws `CHECKPOINT_NOT_FOUND`, and
 * `RUN_NOT_FOUND` where the run that asked was deleted.
 */
export async function findQuestion(services: Services, run: LiveRun, id: string): Promise<FoundQuestion> {
  const place = parsePlace(id);
  if (place.kind !== "pause") throw checkpointNotFound(id);
  const calls: string[] = place.run === run.id ? [] : await callsTo(services, run, place.run, id);
  let asker = run;
  for (const unit of calls) asker = await getCalled(services, asker.id, unit);
  let number = place.number;
  for (;;) {
    const asked: PauseState | undefined = asker.session.state.pauses[number];
    if (!asked || asked.forgotten) throw checkpointNotFound(id);
    const { child, block, item } = asked.entry;
    if (child === undefined) return { calls, pause: number, asker, asked };
    calls.push(unitName(block, item));
    asker = await getCalled(services, asker.id, calls.at(-1)!);
    number = child;
  }
}

/** The calls that lead from a run to another one. */
async function callsTo(services: Services, run: LiveRun, to: string, id: string): Promise<string[]> {
  const calls: string[] = [];
  let called = await services.find(to);
  while (called?.session.state.started.parent && calls.length < MAX_CALL_DEPTH) {
    const { parent } = called.session.state.started;
    calls.unshift(parent.block);
    if (await isForkOf(services, run.id, parent.run)) return calls;
    called = await services.find(parent.run);
  }
  throw checkpointNotFound(id);
}

/** Where a run, and those it called, stood before a question was answered. Throws `RUN_NOT_FOUND`, `CHECKPOINT_PRUNED`. */
export async function placeOf(services: Services, run: LiveRun, { calls, pause }: QuestionAddress): Promise<ForkPlace> {
  const state = await storedState(services, run);
  const [unit, ...inner] = calls;
  if (unit === undefined) return { run: run.id, checkpoint: pauseId(run.id, pause), entries: keptUntil(state, pause), pause };
  const below = await placeOf(services, await getCalled(services, run.id, unit), { calls: inner, pause });
  const asked = state.pauses.findLast(
    ({ entry }) => unitName(entry.block, entry.item) === unit && entry.child !== undefined && entry.child === below.pause,
  );
  const entries = asked ? keptUntil(state, asked.entry.pause) : await entriesBeside(services, state, { unit, place: below });
  const checkpoint = asked ? pauseId(run.id, asked.entry.pause) : below.checkpoint;
  return { run: run.id, checkpoint, entries, pause: asked?.entry.pause, below: { unit, place: below } };
}

/** How many entries there were while a question was open. Throws `CHECKPOINT_PRUNED` where they are no longer kept. */
function keptUntil(state: RunState, pause: number): number {
  const entries = openUntil(state, pause);
  if (entries < state.base) throw pruned(state, `What was before the answer to pause ${pauseId(state.id, pause)}`);
  return entries;
}

/** The state of a run as its journal has it, entry by entry. */
export async function storedState(services: Services, run: LiveRun): Promise<RunState> {
  if (run.active) await run.session.flushed();
  else await run.update();
  const { session } = run;
  return session.isFaithful || !session.head ? session.state : foldRun(services, run.id, session.head.entries);
}

/** How many entries of a run can stand beside a called run that is at a place of its own, which this run never noticed. */
async function entriesBeside(services: Services, state: RunState, { unit, place }: NonNullable<ForkPlace["below"]>): Promise<number> {
  const called = await foldRun(services, place.run, place.entries);
  const isThere = (entry: Entry): boolean => {
    if (entry.type === "called") return true;
    const pause = entry.type === "answered" ? state.pauses[entry.pause]!.entry : entry.type === "paused" ? entry : undefined;
    const there = pause?.child === undefined ? undefined : called.pauses[pause.child];
    return there !== undefined && (entry.type === "paused" || there.answer !== undefined);
  };
  const entries = await readPast(services, state.id, state.base, state.entries);
  let cut: number | undefined;
  for (const [i, entry] of entries.entries()) {
    const about = entry.type === "answered" ? state.pauses[entry.pause]!.entry : entry;
    if (!("block" in about) || unitName(about.block, "item" in about ? about.item : undefined) !== unit) continue;
    if (isThere(entry)) cut = undefined;
    else cut ??= state.base + i;
  }
  return cut ?? state.entries;
}
