import { type ErrorData, WorkflowError, isWorkflowError } from "../../core/model/errors.ts";

/** What was thrown, as it crosses: structured cloning would take its code, place and details from it. */
export type ThrownData = { readonly cause?: ThrownData; readonly stack?: string | undefined } & (
  { readonly workflow: ErrorData } | { readonly name: string; readonly message: string } | { readonly value: string }
);

/** Causes of causes beyond this are left out: they may lead in a circle. */
const MAX_CAUSES = 8;

export function packThrown(thrown: unknown, depth = 0): ThrownData {
  if (!(thrown instanceof Error) && !isWorkflowError(thrown)) return { value: String(thrown) };
  const { stack, cause, name, message } = thrown;
  return {
    ...(isWorkflowError(thrown) ? { workflow: thrown.toJSON() } : { name, message }),
    ...(cause === undefined || depth === MAX_CAUSES ? {} : { cause: packThrown(cause, depth + 1) }),
    stack,
  };
}

/** The error again: a {@link WorkflowError} as one, any other with its name and message. */
export function unpackThrown(data: ThrownData): unknown {
  if ("value" in data) return data.value;
  const options = data.cause ? { cause: unpackThrown(data.cause) } : {};
  const error =
    "workflow" in data ? unpackWorkflowError(data.workflow, options) : Object.assign(new Error(data.message, options), { name: data.name });
  return Object.assign(error, { stack: data.stack });
}

function unpackWorkflowError({ code, message, details = {}, ...place }: ErrorData, options: { readonly cause?: unknown }): WorkflowError {
  return new WorkflowError(code, message, { ...options, place, details });
}

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
