/**
 * The runner: makes a run go on in this process. It takes the run's lock, asks the machine, executes blocks with their retries, time limits,
 * items and calls, and records what became of them. Where a runner stands is one of six places, see `standing.ts`.
 */
export { admitInputs } from "./admit-inputs.ts";
export { afterConflicts } from "./after-conflicts.ts";
export { schemaOf } from "./ask-questions.ts";
export { cancelRun, forgetCheckpoint, recordCancelled } from "./cancel-run.ts";
export { findPauseProblem } from "./check-answer.ts";
export { Definitions } from "./definitions.ts";
export { findBar } from "./find-bar.ts";
export type { HeldRun } from "./held-run.ts";
export { hasEffect, isOnce } from "./effects-of-blocks.ts";
export { loadSession } from "./load-session.ts";
export { grantedType, resolveInputs } from "./ready-step.ts";
export type { ReadyType } from "./ready-type.ts";
export { findEarlier } from "./earlier-answer.ts";
export { revisedEntry } from "./pass-on.ts";
export { recoverRun } from "./recover-run.ts";
export { Runner } from "./run-loop.ts";
export type { SecretKeeper } from "./secret-keeper.ts";
export type { RunnerServices } from "./services.ts";
export type { StartRequest } from "./start-request.ts";
export { Step } from "./step.ts";
export { StepsUnderWay } from "./steps-under-way.ts";
export { withTimeLimit } from "./time-limit.ts";
export { whileWaiting } from "./waiting.ts";
export { MAX_INSTANT, withWholeClock } from "./whole-clock.ts";
