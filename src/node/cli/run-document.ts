import type { ErrorData, Pause, RunStatus, RunView, Values } from "../../index.ts";

/** How a run stands, as `--json` tells it. */
export interface RunDocument {
  readonly status: RunStatus;
  readonly run: string;
  readonly workflow: string;
  readonly outputs?: Values;
  /** The questions that wait; `id` is the checkpoint to resume. */
  readonly pauses: readonly Pause[];
  /** Why the run failed or was interrupted, or why an answer was refused. */
  readonly error?: ErrorData;
}

/** A view of a run as a document. `error` takes the place of the run's own. */
export function runDocument(view: RunView, error: ErrorData | undefined = view.error): RunDocument {
  const { status, id, workflow, outputs, pauses } = view;
  return { status, run: id, workflow, ...(outputs ? { outputs } : {}), pauses, ...(error ? { error } : {}) };
}
