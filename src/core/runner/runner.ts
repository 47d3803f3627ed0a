/**
 * The runner: makes a run go on in this process. It takes the run's lock, asks the machine, executes blocks with their retries, time limits,
 * items and calls, and records what became of them. Where a runner stands is one of six places, see `standing.ts`.
 */
export { admitInputs, withSecrets } from "./with-secrets.ts";
export { afterConflicts, concludeStored, recordStored } from "./after-conflicts.ts";
export { schemaOf, findEarlier } from "./ask-questions.ts";
export { calledId, calledIdOf, findAllCalled, findCall, findCalled, findCaller, informCaller, revisedEntry } from "./called-run.ts";
export { cancelRun, forgetCheckpoint, recordCancelled } from "./cancel-run.ts";
export { countedAnswer, findPauseProblem, findSignalProblem } from "./check-answer.ts";
export { Definitions } from "./definitions.ts";
export { whyUnavailable, whyUntrusted, loadSession } from "./load-session.ts";
export type { HeldRun } from "./held-run.ts";
export type { RunnerServices, SecretKeeper, StartRequest } from "./services.ts";
export { hasEffect, isOnce, touchesOf, type ReadyType } from "./ready-type.ts";
export { grantedType, resolveInputs } from "./execute-unit.ts";
export { recoverRun } from "./loop.ts";
export { actingBlocks, loadParts, readyWorkflow } from "./parts.ts";
export { Runner } from "./hold-run.ts";
export { liftSuspension, stopRun } from "./stop-run.ts";
export { StepContext } from "./step-context.ts";
export { withTimeLimit } from "./time-limit.ts";
export { whileWaiting, withAnySignal } from "./waiting.ts";
export { MAX_INSTANT, sleepUntilAborted, withWholeClock } from "./clock.ts";
