import { WorkflowError } from "../../model/errors.ts";
import type { Services } from "../services.ts";
import type { RunTree } from "../../model/review.ts";

/** Not built yet. */
export async function forkTree(_services: Services, _run: string): Promise<RunTree> {
  throw new WorkflowError("STORE_FAILED", "Not built yet.");
}
