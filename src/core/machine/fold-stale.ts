import type { Entry, PausedEntry } from "../model/journal.ts";
import { isRecord, type Values } from "../model/value.ts";
import { COMPLETED, FAILED, PAUSED, SKIPPED_BLOCK, WAITING } from "./block-status.ts";
import type { Folding } from "./fold-context.ts";
import { noteGiven, withdraw } from "./open-units.ts";
import { type Candidate, newPause, turnOf, type RunState } from "./state.ts";
import { corrupt } from "./turns.ts";
import { unitKey, type Unit } from "./unit.ts";

/** What is said of an execution: it began, ended, asked or waits. */
const OF_EXECUTIONS = [
  "completed",
  "failed",
  "skipped",
  "paused",
  "attempted",
  "waiting",
  "iterated",
  "items",
  "began",
  "stopped",
] as const satisfies readonly Entry["type"][];

type StepEntry = Extract<Entry, { readonly type: (typeof OF_EXECUTIONS)[number] }>;

const ofExecutions: ReadonlySet<Entry["type"]> = new Set<Entry["type"]>(OF_EXECUTIONS);

/** Whether an entry says something of an execution. */
export function isOfExecution(entry: Entry): boolean {
  return ofExecutions.has(entry.type);
}

/** Whether an entry is about an execution that began before the last revision of its unit. */
export function isStale({ state, compiled }: Folding, entry: Entry): boolean {
  if (state.revisions === 0 || !isOfExecution(entry)) return false;
  const { block: id, item, turn = 0 } = entry as StepEntry & { readonly item?: number };
  const block = compiled.plan.index.get(id);
  return block !== undefined && turnOf(state, { block, item }) !== turn;
}

/** What it came to does not count now; it is what the unit did last, and holds again where the unit is given the same. */
export function foldStale(folding: Folding, given: Entry): void {
  const entry = given as StepEntry;
  const { state, compiled } = folding;
  const { item } = entry as { readonly item?: number };
  const unit: Unit = { block: compiled.plan.index.get(entry.block)!, ...(item === undefined ? {} : { item }) };
  const key = unitKey(unit);
  const before = state.candidates.get(key);
  if (entry.type === "paused") takeNumber(folding, unit, entry);
  if (entry.type === "began" || entry.type === "items" || entry.type === "stopped") return;
  if (entry.given !== undefined) noteGiven(state, unit, entry.given);
  const goesOn = compiled.workflow.blocks[unit.block]!.continueOnError === true;
  // What a call came to says nothing once an answer in the called run was changed.
  const candidate = state.reopened.has(key) ? undefined : candidateOf(unit, entry, { before, goesOn });
  if (candidate) state.candidates.set(key, candidate);
  else state.candidates.delete(key);
  if (entry.type === "completed") noteEffect(state, unit, entry);
}

/** A question that is no longer of use has its number all the same. */
function takeNumber({ state }: Folding, unit: Unit, entry: PausedEntry): void {
  if (entry.pause !== state.pauses.length) throw corrupt(state, `a question of block "${entry.block}" that is out of its turn`);
  state.pauses.push(newPause(unit, entry));
  withdraw(state, entry.pause);
}

function candidateOf(
  unit: Unit,
  entry: StepEntry,
  { before, goesOn }: { readonly before: Candidate | undefined; readonly goesOn: boolean },
): Candidate | undefined {
  const { at, ms = 0, given } = entry as { readonly at: number; readonly ms?: number; readonly given?: string };
  const pauses = before?.pauses ?? [];
  const base: Candidate = {
    code: COMPLETED,
    record: { at, ms, ...(given === undefined ? {} : { given }) },
    given,
    pauses,
    open: [],
    answered: [],
    call: undefined,
    sleeper: undefined,
    iterations: before?.iterations,
    retries: before?.retries,
  };
  const { record } = base;
  switch (entry.type) {
    case "completed":
      return { ...base, record: { ...record!, outputs: isRecord(entry.outputs) ? (entry.outputs as Values) : null } };
    case "failed":
      return goesOn ? { ...base, code: FAILED, record: { ...record!, outputs: null, error: entry.error } } : undefined;
    case "skipped":
      return { ...base, code: SKIPPED_BLOCK, record: { ...record!, skipped: entry.reason } };
    case "paused":
      if (entry.child !== undefined) return undefined;
      return { ...base, code: PAUSED, pauses: [...pauses, entry.pause], open: [entry.pause] };
    case "waiting": {
      const { until, pause } = entry;
      return {
        ...base,
        code: WAITING,
        record: { ...record!, until },
        sleeper: { ...unit, until, retries: false, woken: undefined, pause },
      };
    }
    default:
      return undefined;
  }
}

/** What must not run twice has run: it is not asked about, and does not run again unasked. */
export function noteEffect(state: RunState, unit: Unit, { given, outputs }: { readonly given?: string; readonly outputs?: unknown }): void {
  const key = unitKey(unit);
  if (!state.begun.has(key)) return;
  state.effects.set(key, { given, outputs: isRecord(outputs) ? (outputs as Values) : null });
  state.begun.delete(key);
}
