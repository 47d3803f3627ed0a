import type { Workflow } from "../../core/model/workflow.ts";
import { DrawnElement, type Drawing, type DrawingOptions } from "./drawn-element.ts";
import { createWaves } from "./waves.ts";

/** `<wavepoint-waves>`: the blocks of a run as a graph that shows where it is, and as a list. */
export class WavepointWaves extends DrawnElement<Workflow> {
  /** The definition of the run, for the lines between its blocks. Default: none are drawn. */
  get workflow(): Workflow | undefined {
    return this.source;
  }

  set workflow(workflow: Workflow | undefined) {
    this.source = workflow;
  }

  protected override creator(): (options: DrawingOptions<Workflow | undefined>) => Drawing {
    return createWaves;
  }
}
