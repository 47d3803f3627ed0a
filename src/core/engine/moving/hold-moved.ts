import { WorkflowError } from "../../model/errors.ts";
import { assertStoreKey, fullRunId } from "../../model/ids.ts";
import { holdFamily } from "../hold-family.ts";
import type { LiveRun } from "../live-run.ts";
import type { Services } from "../services.ts";

/**
 * Does some work on a run that is to be moved, and on the runs its blocks called, while nothing of them executes. Throws `RUN_NOT_FOUND`,
 * `RUN_ACTIVE`, and `RUN_FILE_INVALID` for a run that another one called.
 */
export async function holdMoved<T>(services: Services, address: string, work: (family: readonly LiveRun[]) => Promise<T>): Promise<T> {
  assertStoreKey(address, "The run id");
  const id = fullRunId(address);
  const main = await services.find(id);
  if (!main) {
    throw new WorkflowError("RUN_NOT_FOUND", `Run ${id} was not found. It may have been deleted, or belong to another store.`, {
      details: { run: id },
    });
  }
  const { parent } = main.session.state.started;
  if (parent) {
    throw new WorkflowError(
      "RUN_FILE_INVALID",
      `Run ${id} works for run ${parent.run}, which called it, and makes no file of its own. Export that one: the runs it called go along.`,
      { details: { run: id, caller: parent.run } },
    );
  }
  return holdFamily(services, main, work);
}
