import { WorkflowError } from "../model/errors.ts";
import type { RunState } from "../machine/machine.ts";
import type { RunResult } from "../model/result.ts";

/** Why a run refuses a call. Nothing has changed: methods of the run give it as a failure, and methods that make another run throw it. */
export class Refusal extends WorkflowError {}

/** What the work gives, or the failure of this run where it was refused. */
export async function orFailure(run: string, work: Promise<RunResult>): Promise<RunResult> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { status: "failure", run, error: error.toJSON() };
  }
}

/** Throws where a run undoes what it did, or has done so: it does not continue. */
export function assertNotCompensated({ id, compensation }: RunState): void {
  if (!compensation) return;
  throw new Refusal(
    "RUN_ENDED",
    `Run ${id} has begun to undo what it did, so it does not go on. Fork one of its checkpoints, or start another run.`,
    { details: { run: id } },
  );
}

/** Why a withdrawn question takes no answer. */
export function withdrawn(pause: string): Refusal {
  return new Refusal(
    "PAUSE_WITHDRAWN",
    `The question of pause ${pause} was taken back, since an answer before it was changed. It may be asked again.`,
    { details: { pause } },
  );
}
