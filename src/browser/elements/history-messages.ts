/** What `<wavepoint-history>` says. */
export interface HistoryMessages {
  readonly title: string;
  readonly runs: string;
  readonly runStatus: { readonly [status: string]: string };
  readonly thisRun: string;
  readonly open: string;
  readonly checkpoints: string;
  readonly afterWave: string;
  /** Behind a checkpoint with an answer that was changed since. */
  readonly superseded: string;
  readonly state: string;
  readonly fork: string;
  readonly compareFrom: string;
  readonly compareTo: string;
  readonly compare: string;
  readonly same: string;
  readonly nothing: string;
  readonly inputs: string;
  readonly answers: string;
  change(before: string, after: string): string;
}

/** English. */
export const historyEnglish: HistoryMessages = {
  title: "History",
  runs: "Runs",
  runStatus: { running: "running", paused: "asks", completed: "done", failed: "failed", cancelled: "ended", deleted: "deleted" },
  thisRun: "shown here",
  open: "Open",
  checkpoints: "Checkpoints",
  afterWave: "After wave",
  superseded: "before a change",
  state: "Show",
  fork: "Fork from here",
  compareFrom: "From",
  compareTo: "to",
  compare: "Compare",
  same: "There is no difference.",
  nothing: "nothing",
  inputs: "Inputs",
  answers: "Answers",
  change: (before, after) => `${before} → ${after}`,
};
