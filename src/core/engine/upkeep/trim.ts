import { WorkflowError } from "../../model/errors.ts";
import type { Services } from "../services.ts";

/** Not built yet. */
export async function trimCheckpoints(_services: Services, _maxPerWorkflow: number): Promise<number> {
  throw new WorkflowError("STORE_FAILED", "Not built yet.");
}
