/**
 * The machine: what a journal means, and what is next. `apply` folds an entry into a state, `decide` names what to do with a state at an instant.
 * Both are pure functions on plain data; a first run, a resume, a crash recovery, a fork and a preview all use them.
 */
export { type Applied, holdsValues } from "./apply.ts";
export {
  COMPLETED,
  FAILED,
  isSettled,
  OPENED,
  PAUSED,
  PENDING,
  SETTLED,
  SKIPPED_BLOCK,
  STATUS_NAMES,
  STOPPED,
  UNTOUCHED,
  WAITING,
} from "./block-status.ts";
export { addedPart } from "./added-part.ts";
export { ancestorsOf, dependentsOf, readersOf, someAncestor, stagesOf } from "./dependencies.ts";
export { isClosed } from "./is-closed.ts";
export { channelCode, channelOf, channelPart, channelScope, channelValues, lookUpChannel } from "./channel-scope.ts";
export { countBlocks, outcomeScope, type ScopedRun, unitScope, withoutChannels } from "./context.ts";
export { owedBy } from "./fold-compensation.ts";
export { isDue, type Decision, type Ending, type Execution, type Looked } from "./decide.ts";
export { isOfExecution } from "./fold-execution.ts";
export { filesFor, filesOf, found, type RunFiles, showFiles } from "./files.ts";
export { FoldedRun, beginFolding } from "./folded-run.ts";
export { givenOf, inputsGiven, isNoted, itemIds, keyNumber } from "./given-inputs.ts";
export { unitsInFlight } from "./in-flight.ts";
export { initialState } from "./initial-state.ts";
export { hasChangedBefore } from "./kept-units.ts";
export { memoOf } from "./memos.ts";
export { placeBlocks, type NewIds } from "./place-blocks.ts";
export { QuestionCounter } from "./count-questions.ts";
export { isUnanswered, standingOf } from "./fold-questions.ts";
export { definitionOf, type RunPlan } from "./run-plan.ts";
export { reasonOf, statusOf } from "./run-status.ts";
export { openedBefore, resourceKey, type ResourceName } from "./resources.ts";
export { deliver, type Deliveries, recountSignals, schemaOfEvent } from "./signals.ts";
export { isSuperseded } from "./fold-revised.ts";
export {
  addressesOf,
  addressOf,
  askedInCalls,
  begunAt,
  callAddress,
  callerIn,
  codeOf,
  deadlineOf,
  itemOf,
  iterationOfCall,
  openPauses,
  outputsOf,
  type OpenResource,
  recordOf,
  standingCalls,
  unaskedCalls,
  waitingUnits,
  type PauseAnswer,
  type PauseState,
  type RunReading,
  type RunState,
  type Signal,
} from "./state.ts";
export { STRETCH, StepRecords, type StepRecord, type Steps } from "./step-records.ts";
export {
  callersOf,
  type Effect,
  type KnownEffect,
  iterationOf,
  turnOf,
  unitState,
  wokenFor,
  type Items,
  type Reopening,
  type UnitState,
} from "./unit-state.ts";
export { pausePath, readUnitName, unitKey, unitName, type Unit, type UnitKey } from "./unit.ts";
