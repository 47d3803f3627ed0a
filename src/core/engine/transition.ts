import type { CheckpointRow } from "../model/checkpoint.ts";
import { WorkflowError } from "../model/errors.ts";
import type { AnsweredEntry, CompletedEntry, Entry, FailedEntry, FinishedEntry, PausedEntry, SkippedEntry } from "../model/journal.ts";
import { isRecord, type Values } from "../model/value.ts";
import { COMPLETED, FAILED, PAUSED, PENDING, SKIPPED_BLOCK, WAITING } from "./block-code.ts";
import { codeOf, put, type PauseState, type RunState, type StepRecord } from "./state.ts";
import { unitKey, type Unit } from "./unit.ts";

/** What may follow the end of a run. */
const AFTER_END: ReadonlySet<Entry["type"]> = new Set<Entry["type"]>(["forgotten", "resumed", "transferred", "arrived"]);

/**
 * Folds one more entry into the state of a run. Deterministic: no clock, no chance, no store; the same entries always give the same state.
 * Values in the entry must be decoded. Throws `RUN_CORRUPT` for an entry that cannot follow what came before, so that no state is ever
 * built on a journal with a hole, a repetition or a step before its dependencies.
 */
export function transition(state: RunState, entry: Entry): void {
  if (state.finished && !AFTER_END.has(entry.type)) throw corrupt(state, `an entry "${entry.type}" after the end`);
  if (state.transferredTo !== undefined && entry.type !== "arrived") {
    throw corrupt(state, `an entry "${entry.type}" after the run was handed over`);
  }
  state.entries++;
  if (entry.type !== "started") state.lastAt = entry.at;
  switch (entry.type) {
    case "completed":
    case "failed":
    case "skipped":
      settle(state, entry);
      break;
    case "paused":
      ask(state, entry);
      break;
    case "answered":
      answer(state, entry);
      break;
    case "finished":
      finish(state, entry);
      break;
    default:
      state.compiled.foldRare(state, entry);
  }
  if (state.begun.size > 0) state.compiled.noteEnd(state, entry);
  if (entry.type !== "paused" || !entry.more) markCheckpoints(state);
}

/** Whether an entry takes room for good: what a block carries over to its next execution is replaced by that one, and a base counts its own. */
export function holdsValues({ type }: Entry): boolean {
  return type !== "iterated" && type !== "base";
}

function settle(state: RunState, entry: CompletedEntry | FailedEntry | SkippedEntry): void {
  const unit = unitOf(state, entry);
  const { block, item } = unit;
  const wave = state.compiled.plan.waveOf[block]!;
  takeTurn(state, unit, "a record");
  const code = entry.type === "completed" ? COMPLETED : entry.type === "skipped" ? SKIPPED_BLOCK : FAILED;
  put(state, unit, code, stepRecord(entry, state.retries.get(unitKey(unit))));
  if (item !== undefined) state.compiled.items.settle(state, block, entry.at);
  if (state.blocks[block] === FAILED && state.compiled.workflow.blocks[block]!.continueOnError !== true) {
    // Of several the first of the definition is told, whichever was quicker.
    state.fatal = state.fatal < 0 ? block : Math.min(state.fatal, block);
  }
  state.unsettled[wave] = state.unsettled[wave]! - 1;
}

/** Checks that something may be recorded of a unit now, and ends its waiting. */
export function takeTurn(state: RunState, unit: Unit, what: string): void {
  const before = codeOf(state, unit);
  const isDue = before === PENDING || before === PAUSED || before === WAITING;
  if (!isDue || state.compiled.plan.waveOf[unit.block] !== state.wave) {
    throw corrupt(state, `${what} of block "${state.compiled.plan.ids[unit.block]!}" that is out of its turn`);
  }
  if (before === PENDING) return;
  state.waiting--;
  if (before === PAUSED) closePauses(state, unit);
  else state.sleepers.delete(unitKey(unit));
  state.recheck.delete(unitKey(unit));
}

function stepRecord(entry: CompletedEntry | FailedEntry | SkippedEntry, retries: number | undefined): StepRecord {
  const ms = entry.ms ?? 0;
  if (entry.type === "skipped") return { at: entry.at, ms, skipped: entry.reason };
  const outputs = isRecord(entry.outputs) ? (entry.outputs as Values) : null;
  const record = { at: entry.at, ms, outputs, ...(retries === undefined ? {} : { attempts: retries + 1 }) };
  return entry.type === "failed" ? { ...record, error: entry.error } : record;
}

function closePauses(state: RunState, { block, item }: Unit): void {
  for (const numbers of [state.open, state.answered]) {
    for (const number of numbers) {
      const pause = state.pauses[number]!;
      if (pause.block === block && pause.item === item) close(state, pause);
    }
  }
}

/** Nothing is expected of a pause any more. */
export function close(state: RunState, pause: PauseState): void {
  pause.closed = true;
  if (state.open.delete(pause.entry.pause)) {
    state.gone.push(pause.entry.pause);
    pause.leftAt = state.entries - 1;
  }
  state.answered.delete(pause.entry.pause);
}

function ask(state: RunState, entry: PausedEntry): void {
  const unit = unitOf(state, entry);
  if (entry.pause !== state.pauses.length) throw corrupt(state, `a question of block "${entry.block}" that is out of its turn`);
  // Questions of a called run stand beside each other. Otherwise a block that asks again has taken note of its last answer.
  if (entry.child === undefined || codeOf(state, unit) !== PAUSED) {
    takeTurn(state, unit, "a question");
    state.waiting++;
  }
  state.recheck.delete(unitKey(unit));
  put(state, unit, PAUSED, { at: entry.at, ms: entry.ms ?? 0 });
  state.pauses.push({
    ...unit,
    entry,
    metadata: isRecord(entry.metadata) ? entry.metadata : {},
    answer: undefined,
    closed: false,
    forgotten: false,
    isOver: false,
    refusal: undefined,
    end: 0,
  });
  state.open.add(entry.pause);
}

function answer(state: RunState, entry: AnsweredEntry): void {
  const pause = state.pauses[entry.pause];
  if (!pause || pause.answer || pause.closed) throw corrupt(state, `an answer to pause ${entry.pause}, which is not open`);
  const { response, action, by, at } = entry;
  pause.answer = { response, action, by, at, place: state.entries - 1 };
  pause.refusal = undefined;
  pause.isOver = by === "timeout";
  state.open.delete(entry.pause);
  state.gone.push(entry.pause);
  if (pause.entry.child === undefined) state.answered.add(entry.pause);
  else {
    // The called run has the answer; what is left to do here is to look how it stands.
    pause.closed = true;
    state.recheck.set(unitKey(pause), entry.pause);
  }
}

function finish(state: RunState, entry: FinishedEntry): void {
  state.finished = entry;
  if (entry.status === "cancelled") state.gone.push(...state.open);
  state.outputs = isRecord(entry.outputs) ? (entry.outputs as Values) : undefined;
}

/** Notes the places in the journal that are checkpoints: after a wave, and where nothing but answers is missing. */
function markCheckpoints(state: RunState): void {
  if (state.fatal < 0) {
    while (state.wave < state.unsettled.length && state.unsettled[state.wave] === 0) {
      addCheckpoint(state, "wave", state.ends.length);
      state.ends.push(state.entries);
      if (state.round.size > 0) state.round.clear();
      state.wave++;
    }
  }
  if (state.open.size === 0 || state.unsettled[state.wave] !== state.waiting) return;
  for (const number of state.open) {
    const pause = state.pauses[number]!;
    if (pause.end > 0) continue;
    pause.end = state.entries;
    addCheckpoint(state, "pause", number);
  }
}

function addCheckpoint({ id, started, lastAt, entries, fresh }: RunState, kind: CheckpointRow["kind"], number: number): void {
  fresh.push({ run: id, workflow: started.workflow, kind, number, createdAt: started.at + lastAt, entries });
}

/** The unit an entry is about. Throws `RUN_CORRUPT`. */
export function unitOf(state: RunState, entry: { readonly block: string; readonly item?: number }): Unit {
  const block = blockIndex(state, entry.block);
  const { item } = entry;
  if (item === undefined) return { block };
  const items = state.items.get(block);
  if (!items || items.codes[item] === undefined)
    throw corrupt(state, `about item ${item} of block "${entry.block}", which it does not have`);
  return { block, item };
}

/** The number of a block. Throws `RUN_CORRUPT`. */
export function blockIndex(state: RunState, id: string): number {
  const index = state.compiled.plan.index.get(id);
  if (index === undefined) throw corrupt(state, `a record of block "${id}", which the workflow does not have`);
  return index;
}

export function corrupt(state: RunState, what: string): WorkflowError {
  return new WorkflowError(
    "RUN_CORRUPT",
    `The journal of run ${state.id} is damaged: entry ${state.entries} is ${what}. The run was left as it is; other runs are not touched.`,
    { details: { run: state.id, entry: state.entries } },
  );
}
