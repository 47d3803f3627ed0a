import { WorkflowError } from "../../model/errors.ts";
import type { Services } from "../services.ts";
import type { LiveRun } from "../live-run.ts";
import type { Run } from "../face.ts";

/** Not built yet. */
export async function goBack(_services: Services, _run: LiveRun): Promise<Run> {
  throw new WorkflowError("STORE_FAILED", "Not built yet.");
}
