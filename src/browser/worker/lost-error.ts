import { isWorkflowError, WorkflowError } from "../../core/model/errors.ts";

/** `WORKER_LOST`: the worker ended, or never came so far as to serve. */
export function lostError(wasReady: boolean, cause?: unknown): WorkflowError {
  const message = wasReady
    ? "The worker ended, and it is not known how far the call had come. What was stored is kept: look at the run, then call again."
    : `The worker could not be started${reasonOf(cause)}`;
  return new WorkflowError("WORKER_LOST", message, cause ? { cause } : {});
}

/** An error of ours says what to do. */
function reasonOf(cause: unknown): string {
  if (isWorkflowError(cause)) return `: ${cause.message}`;
  const why = cause ? `: ${(cause instanceof Error ? cause.message : String(cause)).replace(/\.$/, "")}` : "";
  return `${why}. Check its address, and that the content security policy allows it ("worker-src").`;
}
