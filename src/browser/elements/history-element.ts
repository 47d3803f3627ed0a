import type { Executor } from "../../core/run/run.ts";
import { DrawnElement, type Drawing, type DrawingOptions } from "./drawn-element.ts";
import { createHistory } from "./run-history.ts";

/** `<wavepoint-history>`: where a run comes from and what was forked from it, its checkpoints, what differs between them, and forks. */
export class WavepointHistory extends DrawnElement<Executor> {
  /** The executor that has the run. */
  get executor(): Executor | undefined {
    return this.source;
  }

  set executor(executor: Executor | undefined) {
    this.source = executor;
  }

  protected override creator(executor: Executor | undefined): ((options: DrawingOptions<Executor | undefined>) => Drawing) | undefined {
    return executor && createHistory;
  }
}
