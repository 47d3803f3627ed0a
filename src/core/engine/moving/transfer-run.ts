import { WorkflowError } from "../../model/errors.ts";
import type { Services } from "../services.ts";
import type { TransferOptions } from "../face.ts";

/** Not built yet. */
export async function transferRun(_services: Services, _run: string, _options: TransferOptions): Promise<string> {
  throw new WorkflowError("STORE_FAILED", "Not built yet.");
}
