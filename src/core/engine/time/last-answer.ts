import type { Entry } from "../../model/journal.ts";
import type { LiveRun } from "../live-run.ts";
import { PENDING } from "../block-code.ts";
import { pruned } from "../checkpoints.ts";
import { readPast } from "../read-run.ts";
import type { Services } from "../services.ts";
import { codeOf, type PauseState, type RunState } from "../state.ts";
import { unitKey, unitName } from "../unit.ts";
import { findCalled } from "./called-run.ts";
import { storedState, type QuestionAddress } from "./question-place.ts";

/** How far into the journal of a run is looked: up to an entry, or to where a question was asked. */
type Limit = { readonly entries: number } | { readonly asked: number } | undefined;

/**
 * The question that was answered last in a run or in one that it called, before a limit. What nobody answered in time does not count. Nothing where
 * none was answered, or where the run that asked was deleted. Throws `CHECKPOINT_PRUNED` where that is no longer kept.
 */
export async function lastAnswer(services: Services, run: LiveRun, limit?: Limit): Promise<QuestionAddress | undefined> {
  const state = await storedState(services, run);
  const entries = await readPast(services, run.id, state.base, state.entries);
  if (!limit) {
    // What is called right now came after all that is recorded here.
    for (const unit of state.callers.values()) {
      if (codeOf(state, unit) !== PENDING) continue;
      const found = await lastInside(services, run, unitName(state.compiled.plan.ids[unit.block]!, unit.item));
      if (found) return found;
    }
  }
  for (let i = placeOfLimit(entries, state, limit) - 1; i >= 0; i--) {
    const found = await answerAt(services, run, { state, entry: entries[i]!, place: state.base + i });
    if (found) return found;
  }
  if (!state.pauses.some((pause, number) => isLetGo(state, { pause, number, limit }))) return undefined;
  const source = await sharedPast(services, state, limit);
  if (!source) throw pruned(state, "What was answered before");
  return lastAnswer(services, source.run, source.limit);
}

interface Asked {
  readonly pause: PauseState;
  readonly number: number;
  readonly limit: Limit;
}

/** Whether a question was answered before the limit, in that part of the journal that is no longer kept. */
function isLetGo({ base }: RunState, { pause, number, limit }: Asked): boolean {
  if (!counts(pause) || pause.answer!.place >= base) return false;
  return !limit || ("entries" in limit ? pause.answer!.place < limit.entries : number < limit.asked);
}

/** Of a run that has just gone back: the run whose past it shares, which may still have it entry by entry, and how far it shares that. */
async function sharedPast(
  services: Services,
  { revises, entries }: RunState,
  limit: Limit,
): Promise<{ readonly run: LiveRun; readonly limit: Limit } | undefined> {
  if (revises?.awaits === undefined || entries !== revises.place + 1) return undefined;
  const run = await services.find(revises.run);
  const shared = limit && "entries" in limit ? Math.min(limit.entries, revises.place) : revises.place;
  return run && { run, limit: limit && "asked" in limit ? limit : { entries: shared } };
}

/** Whether somebody answered a question, which was not taken back since. What nobody answered in time, and what the engine asks, does not count. */
function counts({ answer, forgotten, entry }: PauseState): boolean {
  return answer !== undefined && !forgotten && answer.by !== "timeout" && entry.about === undefined;
}

function placeOfLimit(entries: readonly Entry[], { base }: RunState, limit: Limit): number {
  if (!limit) return entries.length;
  // What a run knows may not be stored yet.
  if ("entries" in limit) return Math.min(Math.max(0, limit.entries - base), entries.length);
  return entries.findIndex((entry) => entry.type === "paused" && entry.pause === limit.asked);
}

interface Recorded {
  readonly state: RunState;
  readonly entry: Entry;
  readonly place: number;
}

async function answerAt(services: Services, run: LiveRun, { state, entry, place }: Recorded): Promise<QuestionAddress | undefined> {
  switch (entry.type) {
    case "answered": {
      const pause = state.pauses[entry.pause]!;
      const { answer, entry: asked } = pause;
      if (!counts(pause) || answer?.place !== place) return undefined;
      if (asked.child === undefined) return { calls: [], pause: entry.pause };
      return lastInside(services, run, unitName(asked.block, asked.item), (called) => answeredIn(called, asked.child!));
    }
    case "paused":
      if (entry.child === undefined) return undefined;
      return lastInside(services, run, unitName(entry.block, entry.item), () => ({ asked: entry.child! }));
    case "completed":
    case "failed":
      return hasCalled(state, entry) ? lastInside(services, run, unitName(entry.block, entry.item)) : undefined;
    default:
      return undefined;
  }
}

function answeredIn({ session }: LiveRun, pause: number): Limit {
  const answer = session.state.pauses[pause]?.answer;
  return answer && { entries: answer.place + 1 };
}

function hasCalled({ compiled, callers, pauses }: RunState, { block, item }: { readonly block: string; readonly item?: number }): boolean {
  const index = compiled.plan.index.get(block) ?? -1;
  const asks = (pause: PauseState): boolean => pause.entry.child !== undefined && pause.block === index && pause.item === item;
  return callers.has(unitKey({ block: index, item })) || pauses.some(asks);
}

async function lastInside(
  services: Services,
  run: LiveRun,
  unit: string,
  limit: (called: LiveRun) => Limit = () => undefined,
): Promise<QuestionAddress | undefined> {
  const called = await findCalled(services, run.id, unit);
  const found = called && (await lastAnswer(services, called, limit(called)));
  return found && { calls: [unit, ...found.calls], pause: found.pause };
}
