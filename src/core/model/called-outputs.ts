import type { Values } from "./value.ts";

/** What is known of a called workflow when it has completed. */
export interface CalledFigures {
  /** Its name. */
  readonly workflow: string;
  /** Milliseconds from its start to its end. */
  readonly executionTimeMs: number;
  readonly totalBlocks: number;
  readonly executionWaves: number;
}

/** The outputs of a block that called a workflow. The figures give way to what the workflow declares under the same names. */
export function calledOutputs({ workflow, executionTimeMs, totalBlocks, executionWaves }: CalledFigures, outputs: Values): Values {
  return {
    success: true,
    workflow,
    workflow_name: workflow,
    execution_time_ms: executionTimeMs,
    execution_time: executionTimeMs / 1_000,
    total_blocks: totalBlocks,
    execution_waves: executionWaves,
    ...outputs,
  };
}
