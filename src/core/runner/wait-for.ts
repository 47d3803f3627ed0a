import { WorkflowError } from "../model/errors.ts";
import { MAX_SUPERSTEPS } from "../model/limits.ts";
import { stepFields } from "./record-step.ts";
import type { Step } from "./step.ts";

/**
 * Records that a block continues at an instant, in milliseconds since the epoch. One that is past counts as running again: throws
 * `LIMIT_EXCEEDED` for a run that would never end.
 */
export function waitFor(step: Step, instant: number): void {
  if (!Number.isFinite(instant))
    throw new WorkflowError("BLOCK_FAILED", `Block "${step.block}" waits for no instant. Give waitUntil milliseconds.`);
  if (step.hasEnded) return;
  const { session } = step.around;
  const { started, supersteps } = session.state;
  const fields = stepFields("waiting", step);
  const until = instant - started.at;
  if (until <= fields.at && supersteps >= MAX_SUPERSTEPS) {
    throw new WorkflowError(
      "LIMIT_EXCEEDED",
      `The blocks of this run asked to run again more than ${MAX_SUPERSTEPS} times. Give waitUntil an instant that is to come.`,
      { details: { limit: MAX_SUPERSTEPS } },
    );
  }
  session.record({ ...fields, ...(step.answers === undefined ? {} : { pause: step.answers }), until });
}
