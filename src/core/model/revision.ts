/** What a revision would do, found out without running anything. */
export interface RevisionPreview {
  /** Blocks whose steps are taken over. */
  readonly kept: readonly string[];
  /** Blocks whose questions would be asked again, or for the first time. */
  readonly asked: readonly string[];
  /** Blocks that would run again, or for the first time, those that ask included. */
  readonly rerun: readonly string[];
  /** Of these, the ones that change something outside of the run, or call a workflow that may. */
  readonly effects: readonly string[];
  /** Of these, the ones that must not run twice and have run: each asks before it runs again, where it is given something else. */
  readonly once: readonly string[];
  /** Blocks that ran and would be skipped. */
  readonly skipped: readonly string[];
  /** Of these, the ones that must not run twice and have run: what they did is not undone. */
  readonly leftDone: readonly string[];
  /** Blocks of which it follows only while it runs, because what they depend on is not known before. They are among `rerun` or `asked`. */
  readonly uncertain: readonly string[];
}
