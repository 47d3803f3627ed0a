import { WorkflowError } from "../model/errors.ts";
import { DEFAULT_ITERATIONS, MAX_SUPERSTEPS } from "../model/limits.ts";
import { assertRoom, entryText, stepFields } from "./record-step.ts";
import type { Step } from "./step.ts";

/** Records that a block runs once more. Throws `LIMIT_EXCEEDED` for a block or a run that would never end. */
export async function runAgain(step: Step, value: unknown): Promise<void> {
  const { session } = step.around;
  const { state } = session;
  const limit = step.definition.maxIterations ?? DEFAULT_ITERATIONS;
  if (step.iteration >= limit) {
    throw new WorkflowError(
      "LIMIT_EXCEEDED",
      `Block "${step.block}" ran ${limit} times and asked to run again. Let it come to an end, or raise its max_iterations.`,
      { details: { limit } },
    );
  }
  if (state.supersteps >= MAX_SUPERSTEPS) {
    throw new WorkflowError("LIMIT_EXCEEDED", `The blocks of this run asked to run again more than ${MAX_SUPERSTEPS} times.`, {
      details: { limit: MAX_SUPERSTEPS },
    });
  }
  const { encoded, value: decoded } = await session.encode(value ?? null, `What block "${step.block}" carries over`);
  if (step.hasEnded) return;
  const entry = { ...stepFields("iterated", step), value: encoded };
  const text = entryText(entry, `What block "${step.block}" carries over`);
  assertRoom(session, text.length);
  session.record(entry, { ...entry, value: decoded }, { text });
}
