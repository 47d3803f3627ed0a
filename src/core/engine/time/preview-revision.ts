import { WorkflowError } from "../../model/errors.ts";
import type { Services } from "../services.ts";
import type { LiveRun } from "../live-run.ts";
import type { Value } from "../../model/value.ts";
import type { RevisionPreview } from "../../model/revision.ts";

/** Not built yet. */
export async function previewRevision(_services: Services, _run: LiveRun, _pause: string, _response: Value): Promise<RevisionPreview> {
  throw new WorkflowError("STORE_FAILED", "Not built yet.");
}
