/**
 * The machine: what a journal means, and what is next. `apply` folds an entry into a state, `decide` names what to do with a state at an instant.
 * Both are pure functions on plain data; a first run, a resume, a crash recovery, a fork and a preview all use them.
 */
export { type Applied, holdsValues } from "./apply.ts";
export { UNTOUCHED, COMPLETED, FAILED, OPENED, PAUSED, PENDING, SKIPPED_BLOCK, STATUS_NAMES, STOPPED, WAITING } from "./block-status.ts";
export { someAncestor, stagesOf } from "./dependencies.ts";
export { isClosed } from "./check-stored-state.ts";
export { type ScopedRun, unitScope } from "./context.ts";
export { isDue, type Decision, type Execution, type Looked } from "./decide.ts";
export { unitsInFlight } from "./fold-began.ts";
export { isOfExecution } from "./fold-stale.ts";
export { FoldedRun, beginFolding } from "./folded-run.ts";
export { givenOf, itemIds, standingOf } from "./given-inputs.ts";
export { initialState } from "./initial-state.ts";
export { hasChangedBefore } from "./kept-units.ts";
export { isNoted, keyNumber } from "./open-units.ts";
export { placeBlocks, type NewIds } from "./place-blocks.ts";
export { QuestionCounter } from "./progress.ts";
export type { RunPlan } from "./run-plan.ts";
export { sameValue } from "./same-value.ts";
export {
  addressOf,
  askedPauses,
  begunAt,
  codeOf,
  deadlineOf,
  itemOf,
  iterationOf,
  openPauses,
  recordOf,
  statusOf,
  turnOf,
  unaskedCalls,
  type Items,
  type PauseAnswer,
  type PauseState,
  type Reopening,
  type RunReading,
  type RunState,
  type Sleeper,
} from "./state.ts";
export { STRETCH, StepRecords, type StepRecord, type Steps } from "./step-records.ts";
export { pausePath, readUnitName, unitKey, unitName, unitOfKey, type Unit, type UnitKey } from "./unit.ts";
