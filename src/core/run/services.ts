import type { Migrate } from "../ports/migration.ts";
import type { RunEvent } from "../ports/observer.ts";
import type { Sealer } from "../ports/sealer.ts";
import type { RunnerServices, StartRequest } from "../runner/runner.ts";
import type { ForkOptions, Run } from "./api.ts";
import type { OpenRun } from "./open-run.ts";

/** What the parts of an executor share. */
export interface Services extends RunnerServices {
  /** Loads what seals files with a passphrase. */
  sealer(): Promise<Sealer>;
  /** Gives events to those who listen, where there are any. */
  onEvent: ((event: RunEvent) => void) | undefined;
  /** Says how runs move to another definition where they cannot as they stand. */
  readonly migrate: Migrate | undefined;
  start(request: StartRequest): Promise<OpenRun>;
  find(run: string): Promise<OpenRun | undefined>;
  /** Forgets the live object of a run that was deleted. */
  drop(run: string): void;
  /** Forks, with what the fork does otherwise. */
  fork(checkpoint: string, options?: ForkOptions): Promise<Run>;
}
