import { WorkflowError } from "../../model/errors.ts";
import type { Services } from "../services.ts";
import type { ExportOptions } from "../face.ts";

/** Not built yet. */
export async function exportRun(_services: Services, _run: string, _options: ExportOptions): Promise<string> {
  throw new WorkflowError("STORE_FAILED", "Not built yet.");
}
