import { errorData, type ErrorData, isHostError, WorkflowError } from "../model/errors.ts";
import type { CompensatingEntry, FinishedEntry } from "../model/journal.ts";
import { MAX_VALUE_LENGTH } from "../model/limits.ts";
import type { Values } from "../model/value.ts";
import type { PlatformSignal } from "../ports/host.ts";
import { type Decision, owedBy } from "../machine/machine.ts";
import type { RunnerServices } from "./services.ts";
import { withSecrets } from "./with-secrets.ts";
import type { Session } from "../journal/journal.ts";

interface Finish {
  readonly decision: Extract<Decision, { do: "finish" }>;
  readonly signal: PlatformSignal;
}

/**
 * Records the end of a run: its outputs, or which block failed it. Outputs that cannot be made fail the run. Records nothing where something else was
 * recorded while they were made: the run may have been cancelled, or an answer changed.
 */
export async function finishRun(services: RunnerServices, session: Session, { decision, signal }: Finish): Promise<void> {
  const { entries } = session.state;
  try {
    if (decision.status === "compensated") recordCompensated(session);
    else if (decision.status === "failed") recordUnsuccessful(session, { status: "failed", error: failedBlock(session, decision.block) });
    else await recordOutputs(services, session, signal);
  } catch (error) {
    if (isHostError(error)) throw error;
    if (session.state.entries === entries) recordUnsuccessful(session, { status: "failed", error: errorData(error, "OUTPUT_INVALID") });
  }
}

function failedBlock({ compiled, state }: Session, index: number): ErrorData {
  const cause = state.records.get(index)!.error!;
  const block = compiled.plan.ids[index]!;
  return { ...cause, message: `Block "${block}" failed: ${cause.message}`, details: { ...cause.details, block } };
}

/** Records that a run ends without its outputs. What its blocks did that others undo is undone first. */
export function recordUnsuccessful(session: Session, end: Pick<CompensatingEntry, "status" | "error" | "stopped">): void {
  const type = owedBy(session).length > 0 ? "compensating" : "finished";
  session.record({ type, at: session.now(), ...end });
}

/** Records the end of a run once all that it did is undone; what could not be undone is named. */
function recordCompensated(session: Session): void {
  const { status, error, failed } = session.state.compensation!;
  const names = failed.map((id) => `"${id}"`).join(", ");
  const told =
    failed.length === 0
      ? error
      : {
          ...error,
          message: `${error.message} Not all of it could be undone: ${names} failed.`,
          details: { ...error.details, notUndoneBy: [...failed] },
        };
  session.record({ type: "finished", status, at: session.now(), error: told });
}

async function recordOutputs(services: RunnerServices, session: Session, signal: PlatformSignal): Promise<void> {
  const { entries } = session.state;
  const outputs = await session.openFiles(await makeOutputs(services, session, signal));
  const { encoded, value } = await session.encode(outputs, `The output of workflow "${session.state.started.workflow}"`);
  if (session.state.entries !== entries) return;
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
