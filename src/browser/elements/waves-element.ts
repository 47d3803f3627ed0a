import type { CheckpointInfo } from "../../core/model/checkpoint.ts";
import type { RevisionPreview } from "../../core/model/history.ts";
import type { Executor } from "../../core/run/run.ts";
import type { Workflow } from "../../core/model/workflow.ts";
import { DrawnElement, type Drawing, type DrawingOptions } from "./drawn-element.ts";
import type { createGraph, GraphSource } from "./graph/graph.ts";

/** What draws graphs, once an element asked for it. */
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

  /** The executor that has the run, to show what blocks called. Default: that cannot be shown. */
  get executor(): Executor | undefined {
    return this.source?.executor;
  }

  set executor(executor: Executor | undefined) {
    if (executor !== this.executor) this.source = { ...this.source, executor };
  }

  /** A checkpoint of the run, to show how its blocks stood there. Default: they are shown as they stand now. */
  get checkpoint(): CheckpointInfo | undefined {
    return this.#checkpoint;
  }

  set checkpoint(checkpoint: CheckpointInfo | undefined) {
    this.#checkpoint = checkpoint;
    this.requestDraw();
  }

  /** What a changed answer would do, to be marked in the graph: what `wavepoint-preview` of `<wavepoint-run>` tells. Default: nothing is marked. */
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
