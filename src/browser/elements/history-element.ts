import type { Executor } from "../../core/run/run.ts";
import { DrawnElement, type Drawing, type DrawingOptions } from "./drawn-element.ts";
import type { createHistory } from "./run-history.ts";

/** What draws the past of runs, once an element asked for it. */
let draw: typeof createHistory | undefined;

/** `<wavepoint-history>`: where a run comes from and what was forked from it, its checkpoints, what differs between them, and forks. */
export class WavepointHistory extends DrawnElement<Executor> {
  /** The executor that has the run. */
  get executor(): Executor | undefined {
    return this.source;
  }

  set executor(executor: Executor | undefined) {
    this.source = executor;
  }

  protected override load(): Promise<void> | undefined {
    return draw ? undefined : import("./run-history.ts").then(({ createHistory }) => void (draw = createHistory));
  }

  protected override creator(executor: Executor | undefined): ((options: DrawingOptions<Executor | undefined>) => Drawing) | undefined {
    return executor && draw;
  }
}
