import type { CheckpointInfo } from "../../core/model/checkpoint.ts";
import type { RevisionPreview } from "../../core/model/history.ts";
import type { Executor } from "../../core/run/run.ts";
import type { Workflow } from "../../core/model/workflow.ts";
import { DrawnElement, type Drawing, type DrawingOptions } from "./drawn-element.ts";
import type { createGraph, GraphSource } from "./graph/graph.ts";

/** The code that draws graphs, loaded once an element needs it. */
let draw: typeof createGraph | undefined;

/** `<wavepoint-waves>`: the blocks of a run as a graph that shows where it is, and as a list. */
export class WavepointWaves extends DrawnElement<GraphSource> {
  #checkpoint: CheckpointInfo | undefined;
  #preview: RevisionPreview | undefined;

  /** The definition of the run, for the lines between its blocks. Default: the element reads it from the run, a moment later. */
  get workflow(): Workflow | undefined {
    return this.source?.workflow;
  }

  set workflow(workflow: Workflow | undefined) {
    if (workflow !== this.workflow) this.source = { ...this.source, workflow };
  }

  /** The executor of the run, to show called runs inside of blocks. Default: called runs cannot be shown. */
  get executor(): Executor | undefined {
    return this.source?.executor;
  }

  set executor(executor: Executor | undefined) {
    if (executor !== this.executor) this.source = { ...this.source, executor };
  }

  /** A checkpoint of the run, to show its blocks as of then. Default: as of now. */
  get checkpoint(): CheckpointInfo | undefined {
    return this.#checkpoint;
  }

  set checkpoint(checkpoint: CheckpointInfo | undefined) {
    this.#checkpoint = checkpoint;
    this.requestDraw();
  }

  /** The consequences of a changed answer to mark, from the event `wavepoint-preview` of `<wavepoint-run>`. Default: none. */
  get preview(): RevisionPreview | undefined {
    return this.#preview;
  }

  set preview(preview: RevisionPreview | undefined) {
    this.#preview = preview;
    this.requestDraw();
  }

  protected override load(): Promise<void> | undefined {
    return draw ? undefined : import("./graph/graph.ts").then(({ createGraph }) => void (draw = createGraph));
  }

  protected override creator(source: GraphSource = {}): ((options: DrawingOptions<GraphSource | undefined>) => Drawing) | undefined {
    const look = { checkpoint: () => this.#checkpoint, preview: () => this.#preview };
    return draw && ((options) => draw!({ ...options, source, look }));
  }
}
