import type { Executor } from "../../core/run/run.ts";
import { DrawnElement, type Drawing, type DrawingOptions } from "./drawn-element.ts";
import type { createHistory } from "./run-history.ts";

/** The code that draws the past of runs, loaded once an element needs it. */
let draw: typeof createHistory | undefined;

/** `<wavepoint-history>`: the family of a run, its checkpoints, the differences between them, and forking from one. */
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
