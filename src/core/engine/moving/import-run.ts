import { WorkflowError } from "../../model/errors.ts";
import type { Services } from "../services.ts";
import type { ImportOptions, Run } from "../face.ts";

/** Not built yet. */
export async function importRun(_services: Services, _file: string, _options: ImportOptions): Promise<Run> {
  throw new WorkflowError("STORE_FAILED", "Not built yet.");
}
