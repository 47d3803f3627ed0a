import type { JournalParts } from "../journal/journal.ts";
import type { Workflow } from "../model/workflow.ts";
import type { Grants } from "../ports/grants.ts";
import type { HeldRun } from "./held-run.ts";
import type { ReadyType } from "./ready-type.ts";
import type { StartRequest } from "./start-request.ts";
import type { SecretKeeper } from "./secret-keeper.ts";

/** What making runs go on takes of an executor. */
export interface RunnerServices extends JournalParts {
  /** Block types by name. */
  readonly types: ReadonlyMap<string, ReadyType>;
  readonly maxParallel: number;
  readonly grants: Grants;
  /** What keeps secrets; there is none before a workflow may hold some. */
  readonly guard: SecretKeeper | undefined;
  loadGuard(): Promise<SecretKeeper>;
  /** A loaded workflow. Throws `WORKFLOW_NOT_FOUND`. */
  workflow(name: string): Workflow;
  /** Checks a workflow in full and stores its definition; gives the hash. */
  prepare(workflow: Workflow): Promise<string>;
  /** Makes a run and stores its first entry. */
  startRun(request: StartRequest): Promise<HeldRun>;
  /** The one live object of a stored run, or nothing where there is no such run. */
  find(run: string): Promise<HeldRun | undefined>;
  /** Begins to listen to what other tabs and processes change. */
  listen(): void;
  /** A run of a workflow has come to rest: a good moment to remove what the policy lets go. */
  tidy(workflow: string): void;
  /** The id of the run that a block of a run calls. */
  childId(run: string, block: string): Promise<string>;
}
