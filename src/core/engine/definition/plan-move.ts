import { WorkflowError } from "../../model/errors.ts";
import type { Services } from "../services.ts";
import type { LiveRun } from "../live-run.ts";
import type { MovePlan } from "../../model/move-plan.ts";
import type { Workflow } from "../../model/workflow.ts";

/** Not built yet. */
export async function planMove(_services: Services, _run: LiveRun, _workflow: Workflow | undefined): Promise<MovePlan> {
  throw new WorkflowError("STORE_FAILED", "Not built yet.");
}
