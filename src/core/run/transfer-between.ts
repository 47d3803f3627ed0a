import { assertOptions } from "../model/assert-options.ts";
import { errorData, WorkflowError } from "../model/errors.ts";
import type { Executor, ExportOptions, Run } from "./api.ts";

/** The executors between which a run moves, and what goes along beside files and drafts. */
export interface TransferRunOptions extends Omit<ExportOptions, "drafts"> {
  /** The executor that has the run now. */
  readonly from: Executor;
  /** The executor that gets it. */
  readonly to: Executor;
  /** Where the run goes, in words. People who try to continue it at the old place see them. Pass the same words when you repeat the call. */
  readonly place: string;
  /** Whether the new place accepts the definition of the run. Else the run continues only with a definition that is loaded there. Default: false. */
  readonly accept?: boolean;
}

/**
 * Moves a run, with the runs it called, its files and its drafts, from one executor to another: from a page to its server, or back. Gives the run at its
 * new place. First the new place checks a copy, so a run leaves only for a place that can be reached and can continue it. Then the run leaves, and then it
 * arrives. In between it continues nowhere: if the call fails there, or its process dies, call again with the same `place`. An extra call does no harm,
 * unless the run was deleted at its new place meanwhile. Throws what `export`, `checkImport`, `transfer` and `import` throw; errors of `import` say how to
 * go on.
 */
export async function transferRun(run: string, options: TransferRunOptions): Promise<Run> {
  assertOptions("transferRun", options, { from: true, to: true, place: true, accept: true, passphrase: true, secrets: true });
  const { from, to, place, accept = false, ...rest } = options;
  const { passphrase } = rest;
  const along = { ...rest, drafts: true };
  const taking = { accept, ...(passphrase !== undefined && { passphrase }) };
  const { transferredTo } = (await from.open(run)).getSnapshot();
  if (transferredTo === undefined) await to.runs.checkImport(await from.runs.export(run, along), taking);
  const file = await from.runs.transfer(run, { to: place, ...along });
  try {
    return await to.runs.import(file, taking);
  } catch (cause) {
    const { code, message, details } = errorData(cause, "STORE_FAILED");
    throw new WorkflowError(
      code,
      `Run ${run} has left for ${place}, and it is not known to have arrived. Call transferRun again, with the same place. ${message}`,
      { details: { ...details, run, to: place }, cause },
    );
  }
}
