import { channelCode } from "./channel-scope.ts";
import type { CheckpointRow } from "../model/checkpoint.ts";
import { type Folding, listed } from "./folding.ts";
import { type RunState, unaskedCalls, unsettledIn, waitingIn } from "./state.ts";

/** Notes the places in the journal that are checkpoints: after a wave, and where nothing but answers is missing. */
export function markCheckpoints(folding: Folding): void {
  const { state } = folding;
  // No run goes on from where it undoes what it did.
  if (state.compensation) return;
  if (state.fatal < 0) {
    while (state.wave < state.unsettled.length && state.unsettled[state.wave] === 0) {
      // After a revision a wave in which nothing ran again is passed.
      if (state.wave >= state.furthest || state.ran.delete(state.wave)) endSuperstep(folding, state.entries);
      channelCode(folding)?.passWave(folding);
      state.wave++;
      state.furthest = Math.max(state.furthest, state.wave);
    }
  }
  if (state.round.size > 0 && hasRoundEnded(state)) endSuperstep(folding, state.entries);
  if (state.open.size === 0 || unsettledIn(state) !== waitingIn(state)) return;
  for (const number of state.open) {
    const pause = state.pauses[number]!;
    if (pause.end > 0) continue;
    pause.end = state.entries;
    addCheckpoint(folding, "pause", number, state.entries);
  }
}

/** Whether all that could run has run once in this superstep, so that only what asked to run again is left. */
function hasRoundEnded(state: RunState): boolean {
  const { round, answered } = state;
  return answered.size === 0 && unsettledIn(state) - waitingIn(state) === round.size && unaskedCalls(state).length === 0;
}

/** A superstep ends after so many entries. */
export function endSuperstep(folding: Folding, entries: number): void {
  const { state } = folding;
  if (state.round.size > 0) state.round.clear();
  // A run that fails goes on from where it stood before.
  if (state.fatal >= 0) return;
  addCheckpoint(folding, "wave", state.ends.length, entries);
  state.ends.push(entries);
}

/** A checkpoint is made: a place so many entries from the beginning. */
export function addCheckpoint(folding: Folding, kind: CheckpointRow["kind"], number: number, entries: number): void {
  const { id, started, lastAt } = folding.state;
  const row = { run: id, workflow: started.workflow, kind, number, createdAt: started.at + lastAt, entries };
  folding.checkpoints = listed(folding.checkpoints, row);
}
