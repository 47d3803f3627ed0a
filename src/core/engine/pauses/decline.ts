import { WorkflowError } from "../../model/errors.ts";
import type { Services } from "../services.ts";
import type { LiveRun } from "../live-run.ts";
import type { RunResult } from "../../model/result.ts";
import type { DeclineOptions } from "../face.ts";

/** Not built yet. */
export async function declinePause(_services: Services, _run: LiveRun, _pause: string, _options: DeclineOptions): Promise<RunResult> {
  throw new WorkflowError("STORE_FAILED", "Not built yet.");
}
