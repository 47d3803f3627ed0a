import { WorkflowError } from "../../model/errors.ts";
import type { Services } from "../services.ts";
import { dropRows, surplusRows } from "./automatic-checkpoints.ts";

/** See `Executor.checkpoints.trim`. */
export async function trimCheckpoints(services: Services, maxPerWorkflow: number): Promise<number> {
  if (!Number.isSafeInteger(maxPerWorkflow) || maxPerWorkflow < 0) {
    throw new WorkflowError("POLICY_INVALID", "How many checkpoints of each workflow stay is a whole number from 0.");
  }
  return dropRows(services, await surplusRows(services, maxPerWorkflow));
}
