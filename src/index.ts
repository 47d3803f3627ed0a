export { defineBlock, type BlockDefinition } from "./core/blocks/define-block.ts";
export {
  defineWorkflow,
  type CheckedWorkflow,
  type Defined,
  type InputsOf,
  type KnownTypes,
  type KnownWorkflows,
  type Mistake,
  type Named,
  type OutputsOf,
  type PausesOf,
  type StartArguments,
} from "./core/definition/definition.ts";
export type { ChannelChangesOf, ChannelsOf } from "./core/model/channel-types.ts";
export { createExecutor, type ExecutorOptions } from "./create-executor.ts";
export {
  WorkflowError,
  isWorkflowError,
  type CausedError,
  type ErrorCode,
  type ErrorData,
  type ErrorPlace,
  type Problem,
} from "./core/model/errors.ts";
export {
  failure,
  invalid,
  pause,
  success,
  waitFor,
  waitUntil,
  type Again,
  type AnswerProblem,
  type AnsweredQuestion,
  type BlockContext,
  type BlockItem,
  type BlockResult,
  type BlockSchema,
  type BlockType,
  type ChannelAccess,
  type ChannelUse,
  type ChildResult,
  type Failure,
  type FileAccess,
  type FileData,
  type InputProblem,
  type Invalid,
  type Paused,
  type Question,
  type ResumeContext,
  type Success,
  type TextPart,
  type TypedBlock,
  type ReceivedEvent,
  type WaitForOptions,
  type Waiting,
} from "./core/ports/block.ts";

export type { OpenedResource, ResourceContext, ResourceType } from "./core/ports/resource.ts";
export type { ChannelReducer } from "./core/ports/reducer.ts";
export { bulkRuns, type BulkAction, type BulkFilter, type BulkOptions, type BulkProgress, type BulkReport } from "./core/run/run.ts";
export { transferRun, type TransferRunOptions } from "./core/run/run.ts";
export { copyStore, type CopyOptions, type CopyProgress, type CopyReport } from "./core/run/run.ts";

export type { Migrate, Migration, Move } from "./core/ports/migrate.ts";
export type {
  CheckpointListQuery,
  CleanupOptions,
  DeclineOptions,
  Executor,
  ExportOptions,
  ForkOptions,
  ImportOptions,
  RecoverOptions,
  ResumeOptions,
  JournalQuery,
  ResumeRunOptions,
  Run,
  RunListQuery,
  RunValues,
  SignalOptions,
  StartOptions,
  SuperstepOptions,
  TransferOptions,
  WaitOptions,
} from "./core/run/run.ts";
export type { CheckpointPolicy } from "./core/journal/journal.ts";
export type { Entry, JournalRecord } from "./core/model/journal.ts";
export type {
  BlockValues,
  CheckpointInfo,
  CheckpointKind,
  CheckpointRow,
  CheckpointSummary,
  ListedCheckpoint,
  RunContext,
} from "./core/model/checkpoint.ts";
export type { CleanupReport, FailedRun, Recovery, StoreMetrics } from "./core/model/maintenance.ts";
export type { BlockDifference, CheckpointDifference, ValueDifference, ReviewItem, RunTree, RevisionPreview } from "./core/model/history.ts";
export type { FieldError } from "./core/model/value-problem.ts";
export type { Answer, FileValue } from "./core/model/file-value.ts";
export type { RunFile } from "./core/model/run-file.ts";
export type { DefinitionDifference, MovePlan } from "./core/model/move-plan.ts";
export type { ResultMetadata, RunResult } from "./core/model/result.ts";
export type {
  AnswerFor,
  AskedAgain,
  CachedFrom,
  EarlierAnswer,
  Pause,
  PauseActions,
  PauseId,
  PauseSummary,
  SearchValue,
  SearchValues,
  PreviousRun,
  RunFork,
  RunHead,
  RunParent,
  RunProgress,
  RunStatus,
  PauseReason,
  SkipReason,
  Step,
  StepStatus,
} from "./core/model/run.ts";
export type { RunPolicy } from "./core/model/policy.ts";
export type { FormRule, JsonChoice, JsonSchema, JsonType } from "./core/model/json-schema.ts";
export { type LocalizedText, pickText } from "./core/model/localized-text.ts";
export type { Value, Values } from "./core/model/value.ts";
export type { BlockStatus, BlockView, ItemView, RunView, WaveView } from "./core/model/view.ts";
export type {
  Block,
  CachePolicy,
  ChannelDeclaration,
  Dependency,
  FileOutput,
  InputDeclaration,
  OutputDeclaration,
  RetryPolicy,
  Schedule,
  ValueType,
  Workflow,
} from "./core/model/workflow.ts";
export type { FileContent, Files, ReadOptions, ScratchFolder, WriteOptions, WrittenFile } from "./core/ports/files.ts";
export type { Capability, Grants, Models, SecretsProvider } from "./core/ports/grants.ts";
export type { HttpRequest, HttpResponse, Network } from "./core/ports/network.ts";
export type {
  CacheEvent,
  CleanedEvent,
  ScheduledEvent,
  DroppedEvent,
  LimitEvent,
  OutputEvent,
  RecordedEvent,
  ResourceEvent,
  RunEvent,
  StoredEvent,
} from "./core/ports/observer.ts";
export type { OutputStream, Shell, ShellCall, ShellOutcome } from "./core/ports/shell.ts";
export type { AbortControllerLike, AbortSignalLike, ByteStreamLike, Host, PlatformSignal } from "./core/ports/host.ts";
export type { Serializer } from "./core/ports/serializer.ts";
export type { StandardIssue, StandardJsonSchema, StandardResult, StandardSchema } from "./core/ports/standard-schema.ts";
export type {
  Base,
  BlobContent,
  CheckpointQuery,
  Commit,
  DamagedRun,
  Note,
  Page,
  Release,
  ResultCache,
  RunQuery,
  Store,
  StoreUsage,
} from "./core/ports/store.ts";
