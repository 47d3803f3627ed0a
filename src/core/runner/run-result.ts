import type { Session } from "../journal/journal.ts";
import { outputsOf, reasonOf, statusOf } from "../machine/machine.ts";
import type { RunResult } from "../model/result.ts";
import type { Pause } from "../model/run.ts";

/** How a run stands for those who wait for it; nothing while there is something to execute. `pauses` are its open questions. */
export function resultOf(session: Session, pauses: () => readonly Pause[]): RunResult | undefined {
  const result = outcomeOf(session, pauses);
  return result && session.isOutdated ? { ...result, outdated: true } : result;
}

function outcomeOf(session: Session, pauses: () => readonly Pause[]): RunResult | undefined {
  const { state } = session;
  const { id: run, finished } = state;
  if (finished?.status === "completed") return { status: "success", run, outputs: outputsOf(state) ?? {} };
  if (finished) return { status: "failure", run, error: session.failure ?? { code: "RUN_CANCELLED", message: "The run was cancelled." } };
  return statusOf(state) === "paused" ? { status: "paused", run, ...reasonOf(state), pauses: pauses() } : undefined;
}
