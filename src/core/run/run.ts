/**
 * What users hold: the executor, a run, its view, its questions, answers and drafts. The rooms that stand on this one (history, secrets, transfer,
 * migration, maintenance) are named in `rooms.ts` and handed in.
 */
export type {
  CheckpointListQuery,
  CleanupOptions,
  DeclineOptions,
  Executor,
  ExportOptions,
  ForkOptions,
  ImportOptions,
  ResumeOptions,
  ResumeRunOptions,
  Run,
  RunListQuery,
  RunValues,
  StartOptions,
  SuperstepOptions,
  TransferOptions,
  WaitOptions,
} from "./api.ts";
export { withdrawnError } from "./answer-pause.ts";
export { blobsOfDraft } from "./saved-draft.ts";
export { assembleExecutor } from "./executor.ts";
export { executing, holdFamily, holdIdle } from "./lock-family.ts";
export { keepAnswer } from "./keep-answer.ts";
export { listHeads } from "./lists.ts";
export { weakLiveRuns } from "./live-runs.ts";
export type { OpenRun } from "./open-run.ts";
export type { HistoryRoom, MaintenanceRoom, MigrationRoom, SecretsRoom, TransferRoom } from "./rooms.ts";
export type { Services } from "./services.ts";
