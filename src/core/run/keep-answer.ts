import { errorData, isHostError, type ErrorData } from "../model/errors.ts";
import type { Value } from "../model/value.ts";
import type { OpenRun } from "./open-run.ts";
import type { Services } from "./services.ts";

export interface KeptAnswer {
  readonly response: Value;
  /** The same, with what stands under secret keys as it was given: to be checked, and for a called run. */
  readonly opened: Value;
  /** Why it cannot be stored. */
  readonly refusal?: ErrorData;
}

/** An answer as its run will keep it, with markers under secret keys, its secrets masked and its large bytes stored. Rejects only as the store does. */
export async function keepAnswer(services: Services, { id, session }: OpenRun, given: Value): Promise<KeptAnswer> {
  try {
    const { value: hidden } = await session.hideKeys(given);
    const response = services.guard?.mask(id, hidden) ?? hidden;
    const { value } = await session.encode(response, "The answer", { isOwn: true });
    return { response: value as Value, opened: (session.kept?.open(value, new Set()) ?? value) as Value };
  } catch (error) {
    if (isHostError(error)) throw error;
    const { message } = errorData(error, "VALUE_UNSERIALIZABLE");
    return { response: null, opened: null, refusal: { code: "RESPONSE_INVALID", message } };
  }
}
