import { errorData, isHostError, WorkflowError } from "../model/errors.ts";
import type { FinishedEntry } from "../model/journal.ts";
import { MAX_VALUE_LENGTH } from "../model/limits.ts";
import type { Values } from "../model/value.ts";
import type { PlatformSignal } from "../ports/host.ts";
import type { Decision } from "../machine/machine.ts";
import type { RunnerServices } from "./services.ts";
import { withSecrets } from "./with-secrets.ts";
import type { Session } from "../journal/journal.ts";

interface Finish {
  readonly decision: Extract<Decision, { do: "finish" }>;
  readonly signal: PlatformSignal;
}

/** Records the end of a run: its outputs, or which block failed it. Outputs that cannot be made fail the run. */
export async function finishRun(services: RunnerServices, session: Session, { decision, signal }: Finish): Promise<void> {
  try {
    if (decision.status === "failed") session.record(failedEntry(session, decision.block));
    else await recordOutputs(services, session, signal);
  } catch (error) {
    if (isHostError(error)) throw error;
    if (session.state.finished) return;
    session.record({ type: "finished", status: "failed", at: session.now(), error: errorData(error, "OUTPUT_INVALID") });
  }
}

function failedEntry(session: Session, index: number): FinishedEntry {
  const { compiled, state } = session;
  const cause = state.records.get(index)!.error!;
  const block = compiled.plan.ids[index]!;
  const error = { ...cause, message: `Block "${block}" failed: ${cause.message}`, details: { ...cause.details, block } };
  return { type: "finished", status: "failed", at: session.now(), error };
}

async function recordOutputs(services: RunnerServices, session: Session, signal: PlatformSignal): Promise<void> {
  const outputs = await makeOutputs(services, session, signal);
  const { encoded, value } = await session.encode(outputs, `The output of workflow "${session.state.started.workflow}"`);
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
  session.record(entry, { ...entry, outputs: value }, { text });
}

/** The outputs, with what stands under secret keys: a caller gets that too. A run without one does without what is not in this process. */
async function makeOutputs(services: RunnerServices, session: Session, signal: PlatformSignal): Promise<Values> {
  const { compiled, scope } = session;
  const { started } = session.state;
  const { kept } = session;
  if (!kept) return compiled.outputs(scope);
  const read = (missing: Set<string>): Values => compiled.outputs(kept.scope(scope, missing));
  return started.parent ? withSecrets(services, session, { read, signal }) : read(new Set());
}
