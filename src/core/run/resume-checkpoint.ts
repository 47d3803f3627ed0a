import { WorkflowError } from "../model/errors.ts";
import type { RunResult } from "../model/result.ts";
import type { Value } from "../model/value.ts";
import { checkpointNotFound, entriesAt, isNewest, parsePlace } from "../journal/journal.ts";
import type { ResumeOptions } from "./api.ts";
import { refuse } from "./admit-answer.ts";
import { orFailure, Refusal } from "./refusal.ts";
import type { RoomServices } from "./rooms.ts";
import type { OpenRun } from "./services.ts";

/** Continues from a checkpoint, and deletes it then if asked to; see `Executor.resume`. */
export async function resumeCheckpoint(
  services: RoomServices,
  id: string,
  response: Value | undefined,
  options: ResumeOptions,
): Promise<RunResult> {
  const result = await goOnFrom(services, id, response, options);
  if (options.deleteAfter && !options.fork && result.status !== "failure") {
    await (await services.rooms.maintenance()).deleteCheckpoint(services, id);
  }
  return result;
}

async function goOnFrom(services: RoomServices, id: string, response: Value | undefined, options: ResumeOptions): Promise<RunResult> {
  const place = parsePlace(id);
  const run = await services.find(place.run);
  if (!run) throw checkpointNotFound(id);
  // An answer counts, and may be repeated, even if the state at its question is no longer kept.
  if (place.kind === "pause" && response !== undefined && !options.fork) return run.answer(id, response);
  await run.refresh();
  const { folded, state } = run.session;
  entriesAt(folded, place);
  if (place.kind !== "pause" && response !== undefined) {
    throw new WorkflowError("RESPONSE_UNEXPECTED", `Checkpoint ${id} asks nothing, so it takes no answer. Resume it without one.`, {
      details: { checkpoint: id },
    });
  }
  if (options.fork) return orFailure(run.id, resumeFork(services, id, place.number, response));
  if (place.kind !== "pause" && isNewest(folded, place)) return run.resume();
  const refusal = place.kind === "pause" ? required(id, state.pauses[place.number]!.entry.prompt) : stale(run, id);
  return { status: "failure", run: run.id, error: refusal.toJSON() };
}

/** Forks a run and continues the fork, with an answer if it waits for one. A wrong answer makes no fork. */
async function resumeFork(services: RoomServices, id: string, pause: number, response: Value | undefined): Promise<RunResult> {
  const made = await (await services.rooms.past()).fork(services, id, response === undefined ? {} : { answers: { [id]: response } });
  if (response === undefined) return made.resume();
  const settle = async (): Promise<RunResult> => {
    const result = await made.settled();
    refuse(made.session.state.pauses[pause]?.refusal);
    return result;
  };
  return orFailure(made.id, settle());
}

function required(id: string, prompt: string): Refusal {
  return new Refusal("RESPONSE_REQUIRED", `Checkpoint ${id} is paused: an answer is required. The question was: ${prompt}`, {
    details: { checkpoint: id, prompt },
  });
}

function stale(run: OpenRun, id: string): Refusal {
  return new Refusal(
    "CHECKPOINT_STALE",
    `Run ${run.id} has gone on since checkpoint ${id}. Resume it with fork: true; that makes a new run and leaves this one as it is.`,
    { details: { checkpoint: id } },
  );
}
