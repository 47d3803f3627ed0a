/** What a file holds, as the page of `wavepoint dev` shows it. */
export interface ShownWorkflow {
  readonly file: string;
  /** The name of the workflow that is run: the last one that was right. Absent where there was none yet. */
  readonly name?: string;
  /** Whether the file is right as it is now. */
  readonly isRight: boolean;
  readonly problems: readonly ShownProblem[];
}

export interface ShownProblem {
  /** `file:line:column`. */
  readonly place: string;
  /** Whether it is an error or a warning, with its code. */
  readonly kind: string;
  readonly message: string;
  /** The place in the file, as the terminal shows it. */
  readonly lines: readonly string[];
}

/** The run that a page is to show. */
export interface OpenedRun {
  /** Absent where none could be started. */
  readonly run?: string;
  /** What became of the run that was asked for, or why there is none. */
  readonly told?: string;
}
