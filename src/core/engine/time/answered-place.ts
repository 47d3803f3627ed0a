import { WorkflowError } from "../../model/errors.ts";
import type { Value } from "../../model/value.ts";
import type { ForkPlace } from "../fork-run.ts";
import type { LiveRun } from "../live-run.ts";
import { findPauseProblem } from "../pauses/check-answer.ts";
import type { Services } from "../services.ts";
import { keepAnswer } from "../values/keep-answer.ts";
import { findQuestion, placeOf, type FoundQuestion } from "./question-place.ts";

/** Where a run stood before a question was answered, with another answer. Throws `RESPONSE_INVALID` and what finding it throws. */
export async function answeredPlace(services: Services, run: LiveRun, pause: string, given: Value): Promise<ForkPlace> {
  if (!run.active) await run.update();
  run.assertHere();
  const found = await findQuestion(services, run, pause);
  await services.guard?.secure(run.session);
  const response = await acceptAnswer(services, found, given);
  return withAnswer(await placeOf(services, run, found), response);
}

/** An answer as its run would keep it. Throws `RESPONSE_INVALID` and `RESPONSE_REQUIRED`. */
export async function acceptAnswer(
  services: Services,
  { asker, asked }: Pick<FoundQuestion, "asker" | "asked">,
  given: Value,
): Promise<Value> {
  await services.guard?.secure(asker.session);
  const { response, refusal } = await keepAnswer(services, asker, given);
  const problem = refusal ?? (await findPauseProblem(services, asker.session.state, asked, response));
  if (problem) throw new WorkflowError(problem.code, problem.message, problem.details ? { details: problem.details } : {});
  return response;
}

function withAnswer(place: ForkPlace, response: Value): ForkPlace {
  const { below, pause } = place;
  if (!below) return { ...place, answers: new Map([[pause!, response]]) };
  return { ...place, below: { ...below, place: withAnswer(below.place, response) } };
}
