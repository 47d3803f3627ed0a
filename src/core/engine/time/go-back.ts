import { WorkflowError } from "../../model/errors.ts";
import type { Run } from "../face.ts";
import { forkAt } from "../fork-run.ts";
import type { LiveRun } from "../live-run.ts";
import type { Services } from "../services.ts";
import { carryDrafts } from "./carry-drafts.ts";
import { lastAnswer } from "./last-answer.ts";
import { placeOf, storedState } from "./question-place.ts";

/** See `Run.back`. */
export async function goBack(services: Services, run: LiveRun): Promise<Run> {
  const state = await storedState(services, run);
  run.assertHere();
  await services.guard?.secure(run.session);
  const last = await lastAnswer(services, run);
  if (!last) throw nothingBefore(run.id);
  // Going back twice is going back further in the run where the answers are.
  const { revises } = state;
  const isUntouched = revises?.awaits !== undefined && state.entries === revises.place + 1;
  const source = isUntouched ? ((await services.find(revises.run)) ?? run) : run;
  const place = await placeOf(services, source, last);
  const id = await forkAt(services, place, { revises: true });
  const fork = (await services.find(id))!;
  await carryDrafts(services, run, fork);
  await fork.readDrafts();
  // What was under way then goes on; a question that only the called run knows of is asked here.
  fork.drive();
  if (place.pause === undefined) await fork.rest();
  return fork;
}

function nothingBefore(run: string): WorkflowError {
  return new WorkflowError(
    "CHECKPOINT_NOT_FOUND",
    `Run ${run} has no answered question to go back to: it stands at its first one, or what asked the others was deleted.`,
    { details: { run } },
  );
}
