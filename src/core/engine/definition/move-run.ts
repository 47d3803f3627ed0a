import { WorkflowError } from "../../model/errors.ts";
import type { Services } from "../services.ts";
import type { LiveRun } from "../live-run.ts";

/** Not built yet. */
export async function moveRun(_services: Services, _run: LiveRun): Promise<void> {
  throw new WorkflowError("STORE_FAILED", "Not built yet.");
}
