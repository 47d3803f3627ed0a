import { WorkflowError } from "../../model/errors.ts";
import { assertStoreKey } from "../../model/ids.ts";
import type { Release } from "../../ports/store.ts";
import { holdIdle } from "../deletion.ts";
import type { LiveRun } from "../live-run.ts";
import type { Services } from "../services.ts";

/**
 * Does some work while nothing of a run executes, nor of the runs its blocks called: they are given behind it, each behind its caller, as
 * they stand. Throws `RUN_NOT_FOUND`, `RUN_ACTIVE`, and `RUN_FILE_INVALID` for a run that another one called.
 */
export async function holdFamily<T>(services: Services, id: string, work: (family: readonly LiveRun[]) => Promise<T>): Promise<T> {
  assertStoreKey(id, "The run id");
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
  const releases: Release[] = [];
  try {
    const family = [main];
    // What is added while the list is walked is walked too.
    for (const run of family) {
      releases.push(await holdIdle(services, run));
      for (const unit of run.session.state.callers.values()) {
        const child = await services.find(await run.childId(unit));
        if (child) family.push(child);
      }
    }
    return await work(family);
  } finally {
    for (const release of releases) await release();
  }
}
