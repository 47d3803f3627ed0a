import { WorkflowError } from "../../model/errors.ts";
import type { Services } from "../services.ts";
import type { LiveRun } from "../live-run.ts";
import type { Value } from "../../model/value.ts";

/** Not built yet. */
export async function saveDraft(_services: Services, _run: LiveRun, _pause: string, _draft: Value | undefined): Promise<void> {
  throw new WorkflowError("STORE_FAILED", "Not built yet.");
}
