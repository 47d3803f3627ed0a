import { WorkflowError } from "../../model/errors.ts";
import type { Services } from "../services.ts";
import type { LiveRun } from "../live-run.ts";
import type { ReviewItem } from "../../model/review.ts";

/** Not built yet. */
export async function reviewAnswers(_services: Services, _run: LiveRun): Promise<readonly ReviewItem[]> {
  throw new WorkflowError("STORE_FAILED", "Not built yet.");
}
