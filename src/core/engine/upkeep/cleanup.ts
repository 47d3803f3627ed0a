import { WorkflowError } from "../../model/errors.ts";
import type { Services } from "../services.ts";
import type { CleanupReport } from "../../model/metrics.ts";
import type { CleanupOptions } from "../face.ts";

/** Not built yet. */
export async function cleanUp(_services: Services, _options: CleanupOptions): Promise<CleanupReport> {
  throw new WorkflowError("STORE_FAILED", "Not built yet.");
}
