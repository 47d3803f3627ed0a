import { errorData, isHostError, type ErrorData } from "../model/errors.ts";
import type { Value } from "../model/value.ts";
import type { PauseState } from "../machine/machine.ts";
import { countedAnswer, findPauseProblem } from "../runner/runner.ts";
import { Refusal } from "./refusal.ts";
import type { OpenRun, Services } from "./services.ts";

export interface KeptAnswer {
  readonly response: Value;
  /** The same, with what stands under secret keys as it was given: to be checked, and for a called run. */
  readonly opened: Value;
}

/** An answer as its run will keep it, with markers under secret keys, its secrets masked and its large bytes stored. Throws a refusal. */
export async function keepAnswer(services: Services, { id, session }: OpenRun, given: Value): Promise<KeptAnswer> {
  try {
    const { value: hidden } = await session.hideKeys(given);
    const response = services.guard?.mask(id, hidden) ?? hidden;
    const { value } = await session.encode(response, "The answer", { isOwn: true });
    return { response: value as Value, opened: (session.kept?.open(value, new Set()) ?? value) as Value };
  } catch (error) {
    if (isHostError(error)) throw error;
    throw new Refusal("RESPONSE_INVALID", errorData(error, "VALUE_UNSERIALIZABLE").message);
  }
}

/** The same of what a pause is answered: without what a form does not ask. */
export async function keepReply(services: Services, run: OpenRun, { entry }: PauseState, given: Value): Promise<KeptAnswer> {
  const { value } = await countedAnswer(entry.schema, given);
  return keepAnswer(services, run, value);
}

/** The same of an answer that its question takes. What is checked is what will be stored. Stores nothing but bytes. */
export async function admitAnswer(services: Services, asker: OpenRun, asked: PauseState, given: Value): Promise<KeptAnswer> {
  await services.guard?.secure(asker.session);
  const kept = await keepReply(services, asker, asked, given);
  refuse(await findPauseProblem(services, asker.session, asked, kept.opened));
  return kept;
}

/** Throws what is wrong, if anything is. */
export function refuse(problem: ErrorData | undefined): void {
  if (problem) throw new Refusal(problem.code, problem.message, problem.details && { details: problem.details });
}
