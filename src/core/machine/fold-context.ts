import type { CheckpointRow } from "../model/checkpoint.ts";
import type { CompiledWorkflow } from "../definition/definition.ts";
import type { RunPlan } from "./run-plan.ts";
import type { RunState } from "./state.ts";

/** What an entry brings about beside the new state. */
export interface Applied {
  /** Checkpoints that came into being. */
  readonly checkpoints: readonly CheckpointRow[];
  /** Numbers of pauses that take no answer any more. */
  readonly dropped: readonly number[];
}

/** An entry that is being folded: into what, and what it brings about. */
export interface Folding extends Applied {
  readonly plan: RunPlan;
  /** The definition that the run has as the entry comes. */
  readonly compiled: CompiledWorkflow;
  readonly state: RunState;
  readonly checkpoints: CheckpointRow[];
  readonly dropped: number[];
}
