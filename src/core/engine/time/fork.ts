import { WorkflowError } from "../../model/errors.ts";
import type { Services } from "../services.ts";
import type { ForkOptions, Run } from "../face.ts";

/** Not built yet. */
export async function fork(_services: Services, _checkpoint: string, _options: ForkOptions): Promise<Run> {
  throw new WorkflowError("STORE_FAILED", "Not built yet.");
}
