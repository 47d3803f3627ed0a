import type { Session } from "../journal/journal.ts";
import { COMPLETED, countBlocks, FAILED, OPENED, outputsOf, reasonOf, SKIPPED_BLOCK, statusOf } from "../machine/machine.ts";
import type { ResultMetadata, RunResult } from "../model/result.ts";
import type { Pause } from "../model/run.ts";

/** The result of a run for callers that wait; nothing while there is something to execute. `pauses` gives its open questions. */
export function resultOf(session: Session, pauses: () => readonly Pause[]): RunResult | undefined {
  const result = outcomeOf(session, pauses);
  return result && session.isOutdated ? { ...result, outdated: true } : result;
}

function outcomeOf(session: Session, pauses: () => readonly Pause[]): RunResult | undefined {
  const { state } = session;
  const { id: run, finished } = state;
  if (!finished && statusOf(state) !== "paused") return undefined;
  const metadata = figuresOf(session);
  if (!finished) return { status: "paused", run, ...reasonOf(state), pauses: pauses(), metadata };
  if (finished.status === "completed") return { status: "success", run, outputs: outputsOf(state) ?? {}, metadata };
  const error = session.failure ?? { code: "RUN_CANCELLED", message: "The run was cancelled." };
  return { status: "failure", run, error, metadata };
}

function figuresOf(session: Session): ResultMetadata {
  const { compiled, state } = session;
  const counts = new Uint32Array(OPENED + 1);
  for (const code of state.blocks) counts[code]!++;
  return {
    // Clocks of two machines differ.
    executionTimeSeconds: Math.max(0, state.lastAt / 1000),
    executionWaves: compiled.plan.waves.length,
    totalBlocks: countBlocks(session),
    completed: counts[COMPLETED]!,
    failed: counts[FAILED]!,
    skipped: counts[SKIPPED_BLOCK]!,
  };
}
