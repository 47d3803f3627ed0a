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
  JournalQuery,
  RecoverOptions,
  ResumeOptions,
  ResumeRunOptions,
  Run,
  RunListQuery,
  RunValues,
  SignalOptions,
  StartOptions,
  SuperstepOptions,
  TransferOptions,
  WaitOptions,
} from "./api.ts";
export { admitAnswer } from "./admit-answer.ts";
export { answerPauses } from "./answer-pause.ts";
export { type BulkAction, type BulkFilter, type BulkOptions, type BulkProgress, type BulkReport, bulkRuns } from "./bulk-runs.ts";
export { type CopyOptions, type CopyProgress, type CopyReport, copyStore } from "./copy-store.ts";
export { blobsOfDraft } from "./drafts.ts";
export { assembleExecutor } from "./executor.ts";
export { LiveRuns } from "./live-runs.ts";
export { executing, holdFamily, holdIdle } from "./lock-family.ts";
export { isPersonsAnswer, viewPauses } from "./pause-view.ts";
export { assertNotCompensated, orFailure, Refusal, withdrawn } from "./refusal.ts";
export type { HistoryRoom, MaintenanceRoom, MigrationRoom, PastRoom, SchedulesRoom, SecretsRoom, TransferRoom } from "./rooms.ts";
export type { OpenRun, Services } from "./services.ts";
export { transferRun, type TransferRunOptions } from "./transfer-between.ts";
