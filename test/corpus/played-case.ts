import type { CheckpointInfo, Pause, RunView, Step, Values } from "wavepoint";
import type { CaseStatus } from "./case.ts";

/** How one step of a case ended: the first run, or one answer. */
export interface StepOutcome {
  readonly status: CaseStatus | "deleted";
  /** Everything a person would be told, where it failed. */
  readonly error?: string;
}

/** A pause the case got, in the order of arrival. */
export interface SeenPause {
  readonly pause: Pause;
  /** The checkpoint as it stood when the pause was seen first. */
  readonly info: CheckpointInfo | undefined;
  /** Whether the checkpoint was still there at the end. */
  readonly kept: boolean;
}

/** What happened when a case was played. */
export interface Played {
  readonly steps: readonly StepOutcome[];
  /** The run that counts, as it stands at the end; nothing where none could be started. */
  readonly view?: RunView;
  readonly records: readonly Step[];
  readonly pauses: readonly SeenPause[];
  readonly counts: Counts;
  readonly countsBeforeLast: Counts;
  readonly checkpoints: { readonly auto: number; readonly pause: number };
  /** Nothing where the engine gives none. */
  readonly channels?: Values | undefined;
  /** How many runs the store holds, runs that blocks called left out. */
  readonly runs: number;
}

/** How often each block executed; blocks of called workflows only where the first workflow has none of that id. */
export type Counts = ReadonlyMap<string, number>;
