import type { Pause } from "../model/run.ts";
import type { Value } from "../model/value.ts";
import type { Workflow } from "../model/workflow.ts";
import type { Migrate } from "../ports/migrate.ts";
import type { RunEvent } from "../ports/observer.ts";
import type { Sealer } from "../ports/host.ts";
import type { HeldRun, RunnerServices, StartRequest } from "../runner/runner.ts";
import type { Run } from "./api.ts";

/** What the parts of an executor share. */
export interface Services extends RunnerServices {
  /** Loads what seals files with a passphrase. */
  sealer(): Promise<Sealer>;
  /** Gives events to those who listen, where there are any. */
  onEvent: ((event: RunEvent) => void) | undefined;
  /** Maps blocks of runs that cannot move to another definition as they are. */
  readonly migrate: Migrate | undefined;
  /** All that are loaded. */
  workflows(): readonly Workflow[];
  startRun(request: StartRequest): Promise<OpenRun>;
  find(run: string): Promise<OpenRun | undefined>;
  /** Forgets the live object of a run that was deleted. */
  drop(run: string): void;
}

/** A run that this executor holds, with all that users can do with it. */
export interface OpenRun extends HeldRun, Run {
  /** The questions that wait for an answer. */
  pauses(): readonly Pause[];
  /** Waits, at most so many milliseconds, and reads what others wrote meanwhile. */
  watch(ms: number): Promise<void>;
  /** Reads the drafts of the open questions and shows them. */
  readDrafts(): Promise<void>;
  /** Shows a draft that was saved here, or that there is none. */
  showDraft(pause: number, draft: SavedDraft | undefined): void;
}

/** What a person has typed so far. */
export interface SavedDraft {
  /** As JSON; equal texts are the same draft. */
  readonly text: string;
  readonly value: Value;
}
