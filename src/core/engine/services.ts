import type { Workflow } from "../model/workflow.ts";
import type { Grants, SecretsProvider } from "../ports/grants.ts";
import type { Host } from "../ports/host.ts";
import type { RunEvent } from "../ports/observer.ts";
import type { Store } from "../ports/store.ts";
import type { ReadyType } from "./ready-type.ts";
import type { CompiledWorkflow } from "./compile.ts";
import type { LiveRun } from "./live-run.ts";
import type { RunSecrets } from "./secrets/run-secrets.ts";
import type { Session } from "./session.ts";
import type { StartRequest } from "./start-run.ts";

/** What the parts of an executor share. */
export interface Services {
  readonly store: Store;
  readonly host: Host;
  /** Block types by name. */
  readonly types: ReadonlyMap<string, ReadyType>;
  readonly durability: Durability;
  readonly maxParallel: number;
  readonly grants: Grants;
  readonly provider: SecretsProvider | undefined;
  /** What is secret in runs, by run, for those that have secrets and were started or went on here. */
  readonly secrets: Map<string, RunSecrets>;
  /** Tells those who listen, where somebody does. */
  readonly onEvent: ((event: RunEvent) => void) | undefined;
  /** A loaded workflow. Throws `WORKFLOW_NOT_FOUND`. */
  workflow(name: string): Workflow;
  /** The definition with this hash, loaded or stored, ready to run. */
  definition(hash: string): Promise<CompiledWorkflow>;
  /** Whether a workflow may hold secrets. False only where it holds none. */
  mayHoldSecrets(workflow: Workflow): boolean;
  /**
   * Gets the secrets of a run before anything of it is executed or recorded. Throws `SECRET_MISSING` and `SECRET_TOO_SHORT`; the run is left
   * as it is.
   */
  secure(session: Session): Promise<void> | undefined;
  /** Makes a run and stores its first entry. */
  start(request: StartRequest): Promise<LiveRun>;
  /** The one live object of a stored run, or nothing where there is no such run. */
  find(run: string): Promise<LiveRun | undefined>;
  /** Forgets the live object of a run that was deleted. */
  drop(run: string): void;
  /** The id of the run that a block of a run calls. */
  childId(run: string, block: string): Promise<string>;
}

/**
 * When a step counts as done. `sync`: the next wave waits until it is stored. `async`: it is written in the background, in order, while the
 * run goes on; a pause and the end of a run always wait.
 */
export type Durability = "sync" | "async";
