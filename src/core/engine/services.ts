import type { Workflow } from "../model/workflow.ts";
import type { Grants } from "../ports/grants.ts";
import type { Host } from "../ports/host.ts";
import type { ValueRules } from "../ports/serializer.ts";
import type { RunEvent } from "../ports/observer.ts";
import type { Sealer } from "../ports/sealer.ts";
import type { Store } from "../ports/store.ts";
import type { Policy } from "./policy.ts";
import type { ReadyType } from "./ready-type.ts";
import type { CompiledWorkflow } from "./compile.ts";
import type { Migrate } from "./definition/migrate.ts";
import type { ForkOptions, Run } from "./face.ts";
import type { LiveRun } from "./live-run.ts";
import type { SecretGuard } from "./secrets/secret-guard.ts";
import type { StartRequest } from "./start-run.ts";

/** What the parts of an executor share. */
export interface Services {
  readonly store: Store;
  readonly host: Host;
  /** Block types by name. */
  readonly types: ReadonlyMap<string, ReadyType>;
  readonly policy: Policy;
  readonly maxParallel: number;
  readonly grants: Grants;
  /** What becomes of values that are more than data. */
  readonly values: ValueRules;
  /** Loads what seals files with a passphrase. */
  sealer(): Promise<Sealer>;
  /** What keeps secrets; there is none before a workflow may hold some. */
  readonly guard: SecretGuard | undefined;
  /** Tells those who listen, where somebody does. */
  onEvent: ((event: RunEvent) => void) | undefined;
  /** A loaded workflow. Throws `WORKFLOW_NOT_FOUND`. */
  workflow(name: string): Workflow;
  /** Checks a workflow in full and stores its definition; gives the hash. */
  prepare(workflow: Workflow): Promise<string>;
  /** Whether a workflow of this name is loaded, with another definition than the one with this hash. Known once that was asked for. */
  isOutdated(workflow: string, definition: string): boolean;
  /** Says how runs move to another definition where they cannot as they stand. */
  readonly migrate: Migrate | undefined;
  /** The definition with this hash, loaded or stored, ready to run. */
  definition(hash: string): Promise<CompiledWorkflow>;
  /** Makes a run and stores its first entry. */
  start(request: StartRequest): Promise<LiveRun>;
  /** The one live object of a stored run, or nothing where there is no such run. */
  find(run: string): Promise<LiveRun | undefined>;
  /** Begins to hear of what others change, for somebody who wants to know. */
  listen(): void;
  /** Forgets the live object of a run that was deleted. */
  drop(run: string): void;
  /** Forks, with what the fork does otherwise. */
  fork(checkpoint: string, options?: ForkOptions): Promise<Run>;
  /** A run has come to rest: a good moment to remove what the policy lets go. */
  tidy(): void;
  /** The id of the run that a block of a run calls. */
  childId(run: string, block: string): Promise<string>;
}
