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
 * Records the end of a run: its outputs, or the block that failed it. The run fails if its outputs cannot be made. Records nothing where another entry came
 * while they were made: the run may have been cancelled, or an answer changed.
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

/** Records that a run ends without outputs, once its blocks with `compensate` are undone. */
export function recordUnsuccessful(session: Session, end: Pick<CompensatingEntry, "status" | "error" | "stopped">): void {
  const type = owedBy(session).length > 0 ? "compensating" : "finished";
  session.record({ type, at: session.now(), ...end });
}

/** Records the end of a run once it has undone what it did; names what it could not undo. */
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

/** The outputs, with values under secret keys, which a caller gets too. A run without a caller leaves out those that this process lacks. */
async function makeOutputs(services: RunnerServices, session: Session, signal: PlatformSignal): Promise<Values> {
  const { compiled, scope } = session;
  const { started } = session.state;
  const { kept } = session;
  if (!kept) return compiled.outputs(scope);
  const read = (missing: Set<string>): Values => compiled.outputs(kept.scope(scope, missing));
  return started.parent ? withSecrets(services, session, { read, signal }) : read(new Set());
}
