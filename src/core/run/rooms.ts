import type { CheckpointInfo, ListedCheckpoint, RunContext } from "../model/checkpoint.ts";
import type { CheckpointDifference, ReviewItem, RevisionPreview, RunTree } from "../model/history.ts";
import type { CleanupReport, Recovery, StoreMetrics } from "../model/maintenance.ts";
import type { FileValue } from "../model/file-value.ts";
import type { JournalRecord } from "../model/journal.ts";
import type { RunFile } from "../model/run-file.ts";
import type { MovePlan } from "../model/move-plan.ts";
import type { RunResult } from "../model/result.ts";
import type { Value } from "../model/value.ts";
import type { Workflow } from "../model/workflow.ts";
import type { AbortSignalLike } from "../ports/host.ts";
import type { SecretsProvider } from "../ports/grants.ts";
import type { SecretKeeper } from "../runner/runner.ts";
import type { Page } from "../ports/store.ts";
import type { RunHead, Step } from "../model/run.ts";
import type {
  CheckpointListQuery,
  CleanupOptions,
  ExportOptions,
  ForkOptions,
  ImportOptions,
  JournalQuery,
  RecoverOptions,
  Run,
  RunListQuery,
  RunValues,
  SuperstepOptions,
  TransferOptions,
  WaitOptions,
} from "./api.ts";
import type { OpenRun, Services } from "./services.ts";

/**
 * The rooms above the executor. History is always there, since every page that asks may change an answer. The others are optional, and loaded as one chunk
 * each. `create-executor.ts` says from where. The engine loads a room when it needs it, and before the first block of a workflow that may need it.
 */
export interface Rooms {
  readonly history: HistoryRoom;
  past(): Promise<PastRoom>;
  maintenance(): Promise<MaintenanceRoom>;
  transfer(): Promise<TransferRoom>;
  migration(): Promise<MigrationRoom>;
  schedules(): Promise<SchedulesRoom>;
  secrets(): Promise<SecretsRoom>;
}

/** What the executor and its runs use: the shared services, and the rooms above them. */
export interface RoomServices extends Services {
  readonly rooms: Rooms;
}

/** What changes an answer, and says beforehand what that would run again. */
export interface HistoryRoom {
  /** See `Run.answers`. */
  reviewAnswers(services: Services, run: OpenRun): Promise<readonly ReviewItem[]>;
  /** See `Run.revise`. */
  reviseRun(services: Services, run: OpenRun, pause: string, response: Value): Promise<RunResult>;
  /** See `Run.previewRevise`. */
  previewRevision(services: Services, run: OpenRun, pause: string, response: Value): Promise<RevisionPreview>;
  /** See `Run.back`. */
  goBack(services: Services, run: OpenRun): Promise<RunResult>;
}

/** What looks at the past of a run, compares it, or makes another run of it. */
export interface PastRoom {
  /** See `Executor.fork`. */
  fork(services: Services, checkpoint: string, options: ForkOptions): Promise<OpenRun>;
  /** See `Executor.runs.tree`. */
  forkTree(services: Services, run: string): Promise<RunTree>;
  /** See `Run.steps`. */
  stepsOf(services: Services, run: OpenRun, options: SuperstepOptions): Promise<readonly Step[]>;
  /** See `Run.journal`. */
  journalOf(services: Services, run: OpenRun, query: JournalQuery): Promise<Page<JournalRecord>>;
  /** See `Run.state`. */
  outputsAt(services: Services, run: OpenRun, options: SuperstepOptions): Promise<RunValues>;
  /** See `Run.context`. */
  contextAt(services: Services, run: OpenRun, options: SuperstepOptions): Promise<RunContext>;
  definitionAt(services: Services, run: OpenRun, options: SuperstepOptions): Promise<Workflow>;
  /** See `Run.files`. */
  filesAt(services: Services, run: OpenRun, options: SuperstepOptions): Promise<readonly RunFile[]>;
  /** See `Run.readFile`. */
  readFileAt(services: Services, run: OpenRun, name: string, options: SuperstepOptions): Promise<FileValue>;
  /** See `Executor.runs.list`. */
  searchRuns(services: Services, query: RunListQuery): Promise<Page<RunHead>>;
  /** See `Executor.checkpoints.list`. */
  listCheckpoints(services: Services, query: CheckpointListQuery): Promise<Page<ListedCheckpoint>>;
  /** See `Executor.checkpoints.get`. */
  describeCheckpoint(services: Services, checkpoint: string): Promise<CheckpointInfo>;
  /** See `Executor.checkpoints.diff`. */
  diffCheckpoints(services: Services, from: string, to: string): Promise<CheckpointDifference>;
}

/** What writes runs to files, reads them from files, and hands them over. */
export interface TransferRoom {
  /** See `Executor.runs.export`. */
  exportRun(services: Services, run: string, options: ExportOptions): Promise<string>;
  /** See `Executor.runs.import`. */
  importRun(services: Services, file: string, options: ImportOptions): Promise<Run>;
  /** See `Executor.runs.checkImport`. */
  checkImport(services: Services, file: string, options: ImportOptions): Promise<void>;
  /** See `Executor.runs.transfer`. */
  transferRun(services: Services, run: string, options: TransferOptions): Promise<string>;
}

/** What moves a run to another definition of its workflow. */
export interface MigrationRoom {
  /** See `Run.plan`. */
  planMove(services: Services, run: OpenRun, workflow: Workflow | undefined): Promise<MovePlan>;
  /** Moves a run to the definition that is loaded; see `Run.resume`. */
  moveRun(services: Services, run: OpenRun): Promise<void>;
}

/** What starts runs at the times of schedules. */
export interface SchedulesRoom {
  /** Throws what is wrong with the schedule of a workflow. */
  assertSchedule(workflow: Workflow): void;
  /** See `Executor.runSchedules`; `closing` aborts when the executor is closed. */
  runSchedules(services: Services, options: WaitOptions, closing: AbortSignalLike): Promise<void>;
}

/** What keeps secrets. */
export interface SecretsRoom {
  keepSecrets(services: Services, provider: SecretsProvider | undefined): SecretKeeper;
}

/** What keeps a store from growing without end. */
export interface MaintenanceRoom {
  /** See `Executor.cleanup`. */
  cleanUp(services: Services, options: CleanupOptions): Promise<CleanupReport>;
  /** See `Executor.metrics`. */
  measure(services: Services): Promise<StoreMetrics>;
  /** See `Executor.recover`; `closing` aborts when the executor is closed. */
  recoverRuns(services: Services, options: RecoverOptions, closing: AbortSignalLike): Promise<Recovery>;
  /** See `Executor.checkpoints.trim`. */
  trimCheckpoints(services: Services, maxPerWorkflow: number, workflow?: string): Promise<number>;
  /** See `Executor.checkpoints.delete`. */
  deleteCheckpoint(services: Services, id: string): Promise<boolean>;
  /** See `Executor.runs.delete`. */
  deleteRun(services: Services, id: string): Promise<void>;
}
