import type { CheckpointRow } from "../model/checkpoint.ts";
import { WorkflowError } from "../model/errors.ts";
import type {
  AnsweredEntry,
  CompletedEntry,
  Entry,
  FailedEntry,
  FinishedEntry,
  ForgottenEntry,
  PausedEntry,
  ReopenedEntry,
  SkippedEntry,
} from "../model/journal.ts";
import { isRecord, type Values } from "../model/value.ts";
import { COMPLETED, FAILED, PAUSED, PENDING, SKIPPED_BLOCK, STOPPED } from "./block-code.ts";
import type { PauseState, RunState, StepRecord } from "./state.ts";

/**
 * Folds one more entry into the state of a run. Deterministic: no clock, no chance, no store; the same entries always give the same state.
 * Values in the entry must be decoded. Throws `RUN_CORRUPT` for an entry that cannot follow what came before, so that no state is ever
 * built on a journal with a hole, a repetition or a step before its dependencies.
 */
export function transition(state: RunState, entry: Entry): void {
  if (state.finished && entry.type !== "forgotten" && entry.type !== "resumed") {
    throw corrupt(state, `an entry "${entry.type}" after the end`);
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
    case "reopened":
      reopen(state, entry);
      break;
    case "called":
      state.callers.add(blockIndex(state, entry.block));
      break;
    case "stopped":
      state.blocks[blockIndex(state, entry.block)] = STOPPED;
      state.records[blockIndex(state, entry.block)] = { at: entry.at, ms: entry.ms ?? 0 };
      break;
    case "resumed":
      resumeFailed(state);
      break;
    case "forgotten":
      forget(state, entry);
      break;
    case "finished":
      finish(state, entry);
      break;
    case "started":
      throw corrupt(state, "a second start");
  }
  if (entry.type !== "paused" || !entry.more) markCheckpoints(state);
}

function settle(state: RunState, entry: CompletedEntry | FailedEntry | SkippedEntry): void {
  const block = blockIndex(state, entry.block);
  const before = state.blocks[block];
  const wave = state.compiled.plan.waveOf[block]!;
  if (wave !== state.wave || (before !== PENDING && before !== PAUSED)) {
    throw corrupt(state, `a record of block "${entry.block}" that is out of its turn`);
  }
  if (before === PAUSED) leavePause(state, block);
  state.recheck.delete(block);
  state.records[block] = stepRecord(entry);
  if (entry.type === "completed") state.blocks[block] = COMPLETED;
  else if (entry.type === "skipped") state.blocks[block] = SKIPPED_BLOCK;
  else {
    state.blocks[block] = FAILED;
    // Of several the first of the definition is told, whichever was quicker.
    if (state.compiled.workflow.blocks[block]!.continueOnError !== true)
      state.fatal = state.fatal < 0 ? block : Math.min(state.fatal, block);
  }
  state.unsettled[wave] = state.unsettled[wave]! - 1;
}

function stepRecord(entry: CompletedEntry | FailedEntry | SkippedEntry): StepRecord {
  const ms = entry.ms ?? 0;
  if (entry.type === "skipped") return { at: entry.at, ms, skipped: entry.reason };
  const outputs = isRecord(entry.outputs) ? (entry.outputs as Values) : null;
  return entry.type === "failed" ? { at: entry.at, ms, outputs, error: entry.error } : { at: entry.at, ms, outputs };
}

function leavePause(state: RunState, block: number): void {
  state.waiting--;
  closePauses(state, block);
}

function closePauses(state: RunState, block: number): void {
  for (const numbers of [state.open, state.answered]) {
    for (const number of numbers) if (state.pauses[number]!.block === block) close(state, state.pauses[number]!);
  }
}

function close(state: RunState, pause: PauseState): void {
  pause.closed = true;
  state.open.delete(pause.entry.pause);
  state.answered.delete(pause.entry.pause);
}

function ask(state: RunState, entry: PausedEntry): void {
  const block = blockIndex(state, entry.block);
  const before = state.blocks[block];
  if (entry.pause !== state.pauses.length || (before !== PENDING && before !== PAUSED)) {
    throw corrupt(state, `a question of block "${entry.block}" that is out of its turn`);
  }
  if (before === PENDING) state.waiting++;
  // A block that asks again has taken note of its last answer. Questions of a called run stand beside each other.
  else if (entry.child === undefined) closePauses(state, block);
  state.recheck.delete(block);
  state.blocks[block] = PAUSED;
  state.records[block] = { at: entry.at, ms: entry.ms ?? 0 };
  state.pauses.push({
    block,
    entry,
    metadata: isRecord(entry.metadata) ? entry.metadata : {},
    answer: undefined,
    closed: false,
    forgotten: false,
    refusal: undefined,
    end: 0,
  });
  state.open.add(entry.pause);
}

function answer(state: RunState, entry: AnsweredEntry): void {
  const pause = state.pauses[entry.pause];
  if (!pause || pause.answer || pause.closed) throw corrupt(state, `an answer to pause ${entry.pause}, which is not open`);
  pause.answer = { response: entry.response };
  pause.refusal = undefined;
  state.open.delete(entry.pause);
  if (pause.entry.child === undefined) state.answered.add(entry.pause);
  else {
    // The called run has the answer; what is left to do here is to look how it stands.
    pause.closed = true;
    state.recheck.add(pause.block);
  }
}

function reopen(state: RunState, entry: ReopenedEntry): void {
  const pause = state.pauses[entry.pause];
  if (!pause?.answer || pause.closed) throw corrupt(state, `a refusal of an answer that pause ${entry.pause} does not have`);
  pause.answer = undefined;
  pause.refusal = entry.error;
  state.answered.delete(entry.pause);
  state.open.add(entry.pause);
}

function resumeFailed(state: RunState): void {
  state.finished = undefined;
  state.fatal = -1;
  for (let block = 0; block < state.blocks.length; block++) {
    if (state.blocks[block] !== FAILED || state.compiled.workflow.blocks[block]!.continueOnError === true) continue;
    const wave = state.compiled.plan.waveOf[block]!;
    state.blocks[block] = PENDING;
    state.records[block] = undefined;
    state.unsettled[wave] = state.unsettled[wave]! + 1;
    state.retrying.add(block);
  }
}

function forget(state: RunState, entry: ForgottenEntry): void {
  if (entry.wave !== undefined) state.forgottenWaves.add(entry.wave);
  if (entry.pause === undefined) return;
  const pause = state.pauses[entry.pause];
  if (!pause) throw corrupt(state, `a deletion of pause ${entry.pause}, which was never asked`);
  pause.forgotten = true;
  close(state, pause);
}

function finish(state: RunState, entry: FinishedEntry): void {
  state.finished = entry;
  state.outputs = isRecord(entry.outputs) ? (entry.outputs as Values) : undefined;
}

/** Notes the places in the journal that are checkpoints: after a wave, and where nothing but answers is missing. */
function markCheckpoints(state: RunState): void {
  if (state.fatal < 0) {
    while (state.wave < state.unsettled.length && state.unsettled[state.wave] === 0) {
      state.waveEnds[state.wave] = state.entries;
      addCheckpoint(state, "wave", state.wave);
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

function blockIndex(state: RunState, id: string): number {
  const index = state.compiled.plan.index.get(id);
  if (index === undefined) throw corrupt(state, `a record of block "${id}", which the workflow does not have`);
  return index;
}

function corrupt(state: RunState, what: string): WorkflowError {
  return new WorkflowError(
    "RUN_CORRUPT",
    `The journal of run ${state.id} is damaged: entry ${state.entries} is ${what}. The run was left as it is; other runs are not touched.`,
    { details: { run: state.id, entry: state.entries } },
  );
}
