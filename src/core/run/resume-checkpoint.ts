import { WorkflowError } from "../model/errors.ts";
import type { RunResult } from "../model/result.ts";
import type { Value } from "../model/value.ts";
import { checkpointNotFound, entriesAt, isNewest, parsePlace } from "../journal/journal.ts";
import type { ResumeOptions } from "./api.ts";
import type { OpenRun } from "./open-run.ts";
import type { RoomServices } from "./rooms.ts";

/** Goes on from a checkpoint; see `Executor.resume`. */
export async function resumeCheckpoint(
  services: RoomServices,
  id: string,
  response: Value | undefined,
  options: ResumeOptions,
): Promise<RunResult> {
  const place = parsePlace(id);
  const run = await services.find(place.run);
  if (!run) throw checkpointNotFound(id);
  await run.refresh();
  entriesAt(run.session.folded, place);
  if (place.kind === "wave" && response !== undefined) {
    throw new WorkflowError("RESPONSE_UNEXPECTED", `Checkpoint ${id} asks nothing, so it takes no answer. Resume it without one.`, {
      details: { checkpoint: id },
    });
  }
  if (place.kind === "pause" && response === undefined && !options.fork) return responseRequired(run, id, place.number);
  if (options.fork) return (await services.rooms.history()).resumeFork(services, run, place, response);
  if (response !== undefined) return run.answer(id, response);
  if (!isNewest(run.session.folded, place)) return stale(run, id);
  return run.resume();
}

function responseRequired(run: OpenRun, id: string, number: number): RunResult {
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

function stale(run: OpenRun, id: string): RunResult {
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
