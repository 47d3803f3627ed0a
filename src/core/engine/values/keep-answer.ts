import { errorData, isHostError, type ErrorData } from "../../model/errors.ts";
import type { Value } from "../../model/value.ts";
import type { LiveRun } from "../live-run.ts";
import type { Services } from "../services.ts";

export interface KeptAnswer {
  readonly response: Value;
  /** Why it cannot be stored. */
  readonly refusal?: ErrorData;
}

/** An answer as its run will keep it, with its secrets masked and its large bytes stored. Rejects only as the store does. */
export async function keepAnswer({ guard }: Services, { id, session }: LiveRun, given: Value): Promise<KeptAnswer> {
  const response = guard?.mask(id, given) ?? given;
  try {
    return { response: (await session.encode(response, "The answer")).value as Value };
  } catch (error) {
    if (isHostError(error)) throw error;
    const { message } = errorData(error, "VALUE_UNSERIALIZABLE");
    return { response, refusal: { code: "RESPONSE_INVALID", message } };
  }
}
