import { errorData, isHostError, WorkflowError } from "../model/errors.ts";
import type { FinishedEntry } from "../model/journal.ts";
import { MAX_VALUE_LENGTH } from "../model/limits.ts";
import type { Decision } from "./decide.ts";
import type { Session } from "./session.ts";

/** Records the end of a run: its outputs, or which block failed it. Outputs that cannot be made fail the run. */
export async function finishRun(session: Session, decision: Extract<Decision, { do: "finish" }>): Promise<void> {
  try {
    if (decision.status === "failed") session.record(failedEntry(session, decision.block));
    else await recordOutputs(session);
  } catch (error) {
    if (isHostError(error)) throw error;
    if (session.state.finished) return;
    session.record({ type: "finished", status: "failed", at: session.now(), error: errorData(error, "OUTPUT_INVALID") });
  }
}

function failedEntry(session: Session, index: number): FinishedEntry {
  const { compiled, records } = session.state;
  const cause = records.get(index)!.error!;
  const block = compiled.plan.ids[index]!;
  const error = { ...cause, message: `Block "${block}" failed: ${cause.message}`, details: { ...cause.details, block } };
  return { type: "finished", status: "failed", at: session.now(), error };
}

async function recordOutputs(session: Session): Promise<void> {
  const { compiled, scope, started } = session.state;
  const { encoded, value } = await session.encode(compiled.outputs(scope), `The output of workflow "${started.workflow}"`);
  // A cancellation may have come first.
  if (session.state.finished) return;
  const entry: FinishedEntry = { type: "finished", status: "completed", at: session.now(), outputs: encoded };
  const text = JSON.stringify(entry);
  if (text.length > MAX_VALUE_LENGTH) {
    throw new WorkflowError(
      "LIMIT_EXCEEDED",
      `The outputs of the workflow take ${text.length} characters; ${MAX_VALUE_LENGTH} are allowed.`,
      {
        details: { length: text.length, limit: MAX_VALUE_LENGTH },
      },
    );
  }
  session.record(entry, { ...entry, outputs: value }, text);
}
