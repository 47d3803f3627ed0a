import { WorkflowError } from "../model/errors.ts";
import { pauseId } from "../model/ids.ts";
import type { RunResult } from "../model/result.ts";
import type { Value } from "../model/value.ts";
import { checkpointNotFound, entriesAt, isNewest, parsePlace } from "./checkpoints.ts";
import type { ResumeOptions } from "./face.ts";
import { forkRun } from "./fork-run.ts";
import type { LiveRun } from "./live-run.ts";
import type { Services } from "./services.ts";
import { findRefusal } from "./time/answered-place.ts";

/** Goes on from a checkpoint; see `Executor.resume`. */
export async function resumeCheckpoint(
  services: Services,
  id: string,
  response: Value | undefined,
  options: ResumeOptions,
): Promise<RunResult> {
  const place = parsePlace(id);
  const run = await services.find(place.run);
  if (!run) throw checkpointNotFound(id);
  await run.refresh();
  const { state } = run.session;
  entriesAt(state, place);
  if (place.kind === "wave" && response !== undefined) {
    throw new WorkflowError("RESPONSE_UNEXPECTED", `Checkpoint ${id} asks nothing, so it takes no answer. Resume it without one.`, {
      details: { checkpoint: id },
    });
  }
  if (place.kind === "pause" && response === undefined && !options.fork) return responseRequired(run, id, place.number);
  if (options.fork) {
    // Where its secrets are missing, or the answer is wrong, nothing is copied.
    await services.guard?.secure(run.session);
    const refusal = response === undefined ? undefined : await findRefusal(services, run, id, response);
    if (refusal) return { status: "failure", run: run.id, error: refusal };
    const fork = await services.find(await forkRun(services, state, place));
    return response === undefined ? fork!.resume() : fork!.answer(pauseId(fork!.id, place.number), response);
  }
  if (response !== undefined) return run.answer(id, response);
  if (!isNewest(state, place)) return stale(run, id);
  return run.resume();
}

function responseRequired(run: LiveRun, id: string, number: number): RunResult {
  const { prompt } = run.session.state.pauses[number]!.entry;
  return {
    status: "failure",
    run: run.id,
    error: {
      code: "RESPONSE_REQUIRED",
      message: `Checkpoint ${id} is paused: an answer is required. The question was: ${prompt}`,
      details: { checkpoint: id, prompt },
    },
  };
}

function stale(run: LiveRun, id: string): RunResult {
  return {
    status: "failure",
    run: run.id,
    error: {
      code: "CHECKPOINT_STALE",
      message: `Run ${run.id} has gone on since checkpoint ${id}. Resume it with fork: true; that makes a new run and leaves this one as it is.`,
      details: { checkpoint: id },
    },
  };
}
