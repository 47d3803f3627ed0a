import { WorkflowError, type ErrorData } from "../../model/errors.ts";
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
export async function acceptAnswer(services: Services, question: Asked, given: Value): Promise<Value> {
  const { response, problem } = await lookAtAnswer(services, question, given);
  if (problem) throw new WorkflowError(problem.code, problem.message, problem.details ? { details: problem.details } : {});
  return response;
}

/** What is wrong with an answer to a question, whoever else has answered it; nothing where it will do. Changes nothing. */
export async function findRefusal(services: Services, run: LiveRun, pause: string, given: Value): Promise<ErrorData | undefined> {
  return (await lookAtAnswer(services, await findQuestion(services, run, pause), given)).problem;
}

type Asked = Pick<FoundQuestion, "asker" | "asked">;

async function lookAtAnswer(
  services: Services,
  { asker, asked }: Asked,
  given: Value,
): Promise<{ readonly response: Value; readonly problem: ErrorData | undefined }> {
  await services.guard?.secure(asker.session);
  const { response, refusal } = await keepAnswer(services, asker, given);
  return { response, problem: refusal ?? (await findPauseProblem(services, asker.session.state, asked, response)) };
}

function withAnswer(place: ForkPlace, response: Value): ForkPlace {
  const { below, pause } = place;
  if (!below) return { ...place, answers: new Map([[pause!, response]]) };
  return { ...place, below: { ...below, place: withAnswer(below.place, response) } };
}
