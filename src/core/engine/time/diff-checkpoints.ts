import { WorkflowError } from "../../model/errors.ts";
import type { Services } from "../services.ts";
import type { CheckpointDifference } from "../../model/difference.ts";

/** Not built yet. */
export async function diffCheckpoints(_services: Services, _from: string, _to: string): Promise<CheckpointDifference> {
  throw new WorkflowError("STORE_FAILED", "Not built yet.");
}
