import { WorkflowError } from "../../model/errors.ts";
import type { Services } from "../services.ts";
import type { LiveRun } from "../live-run.ts";
import type { Value } from "../../model/value.ts";
import type { ReviseOptions, Run } from "../face.ts";

/** Not built yet. */
export async function reviseRun(
  _services: Services,
  _run: LiveRun,
  _pause: string,
  _response: Value,
  _options: ReviseOptions,
): Promise<Run> {
  throw new WorkflowError("STORE_FAILED", "Not built yet.");
}
