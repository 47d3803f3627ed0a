import { WorkflowError } from "../../model/errors.ts";
import { groupBy } from "../../model/group-by.ts";
import { pauseId } from "../../model/ids.ts";
import type { PausedEntry } from "../../model/journal.ts";
import type { Value } from "../../model/value.ts";
import { openUntil, pruned, readPast } from "../../journal/journal.ts";
import {
  callAddress,
  callersOf,
  type FoldedRun,
  type RunState,
  unaskedCalls,
  type Unit,
  unitKey,
  unitName,
} from "../../machine/machine.ts";
import type { Services } from "../../run/run.ts";
import { storedRun } from "../past/load-checkpoint.ts";

/** Where in the journal of a run a new run begins. */
export interface PastPlace {
  readonly run: string;
  readonly checkpoint: string;
  /** How many entries of its journal are shared. */
  readonly entries: number;
  /** Answers that are given to pauses which are open there, by their number. */
  readonly answers?: ReadonlyMap<number, Value>;
}

interface CalledPlace extends PastPlace {
  readonly unit: Unit;
  /** What tells the call from the first one of the unit; see `Caller`. */
  readonly workflow: string | undefined;
}

/** Where the called runs begin that a new run needs, with the calls: the last one of each unit, and those before it that asked. */
export async function calledPlaces(
  services: Services,
  { compiled, state }: FoldedRun,
  answers?: PastPlace["answers"],
): Promise<readonly CalledPlace[]> {
  const waiting = waitingCalls(state);
  const asking = groupBy(
    state.pauses.filter(({ entry }) => entry.child !== undefined),
    unitKey,
  );
  const places: CalledPlace[] = [];
  for (const unit of callersOf(state)) {
    const last = unit.caller!.workflow;
    const asked = (asking.get(unitKey(unit)) ?? []).map(({ workflow }) => workflow);
    for (const workflow of new Set([last, ...asked])) {
      const address = callAddress({ compiled }, unit, workflow);
      const called = await services.find(await services.childId(state.id, address));
      const pauses = workflow === last ? waiting.get(unitName(compiled.plan.ids[unit.block] ?? "", unit.item)) : undefined;
      const known = unit.childEntries?.get(workflow ?? "");
      if (!called || (!pauses && known === undefined)) {
        // Where no question is open it may be called anew; else the answer would find no one.
        if (!pauses) continue;
        throw new WorkflowError(
          "RUN_NOT_FOUND",
          `The run that block "${address}" of run ${state.id} called was deleted, so there is no way back to what it asked. Begin at another checkpoint.`,
          { details: { run: state.id, block: address } },
        );
      }
      const there = await storedRun(services, called);
      const entries = pauses
        ? Math.min(...pauses.map(({ child }) => openUntil(there, there.state.pauses[child!]!)))
        : Math.min(known!, there.state.entries);
      places.push({
        unit,
        workflow,
        run: called.id,
        checkpoint: pauseId(called.id, pauses?.[0]?.child ?? 0),
        entries: Math.min(entries, await revisedFrom(services, there, state.revisions)),
        answers: new Map((pauses ?? []).flatMap(({ pause, child }) => answerOf(state, pause, answers).map((answer) => [child!, answer]))),
      });
    }
  }
  return places;
}

/** How many entries a called run had before it followed any revision of its caller after the first `revisions`. Throws `CHECKPOINT_PRUNED`. */
async function revisedFrom(services: Services, called: FoldedRun, revisions: number): Promise<number> {
  const { id, cause, entered, entries } = called.state;
  if (Math.max(cause, entered) <= revisions) return entries;
  const kept = await readPast(services, id, 0, entries);
  const first = kept.findIndex((entry) => (entry.type === "revised" || entry.type === "reentered") && (entry.cause ?? 0) > revisions);
  if (first < 0) throw pruned(called, "What was before that");
  return entries - kept.length + first;
}

/** What a called run is answered: by the fork, or by its caller, which has noted the answer and not yet looked what came of it. */
function answerOf({ pauses }: RunState, pause: number, answers: PastPlace["answers"]): readonly Value[] {
  if (answers?.has(pause)) return [answers.get(pause)!];
  const noted = pauses[pause]!.answer;
  return noted && !noted.action ? [noted.response as Value] : [];
}

/** The questions of called runs that are open in a run, or the last answer where none is, by the unit that called. */
function waitingCalls(state: RunState): ReadonlyMap<string, readonly PausedEntry[]> {
  const waiting = new Map<string, PausedEntry[]>();
  for (const number of new Set([...state.open, ...unaskedCalls(state).map(({ pause }) => pause)])) {
    const { entry, withdrawn } = state.pauses[number]!;
    const unit = unitName(entry.block, entry.item);
    if (entry.child !== undefined && !withdrawn) waiting.set(unit, [...(waiting.get(unit) ?? []), entry]);
  }
  return waiting;
}
