import { WorkflowError } from "../../model/errors.ts";
import type { Services } from "../services.ts";
import type { StoreMetrics } from "../../model/metrics.ts";

/** Not built yet. */
export async function measure(_services: Services): Promise<StoreMetrics> {
  throw new WorkflowError("STORE_FAILED", "Not built yet.");
}
