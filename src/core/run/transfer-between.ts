import { assertOptions } from "../model/assert-options.ts";
import { errorData, WorkflowError } from "../model/errors.ts";
import type { Executor, ExportOptions, Run } from "./api.ts";

/** Between which executors a run moves, and what goes along beside its files and drafts. */
export interface TransferRunOptions extends Omit<ExportOptions, "drafts"> {
  /** The executor that has the run now. */
  readonly from: Executor;
  /** The executor that gets it. */
  readonly to: Executor;
  /** Where it goes, in words: shown to those who try to continue at the old place. Give the same again where the call is repeated. */
  readonly place: string;
  /** Whether the new place accepts the definition that the run brings; else it goes on only with one that is loaded there. Default: false. */
  readonly accept?: boolean;
}

/**
 * Moves a run, with the runs it called, its files and its drafts, from one executor to another: from a page to its server, or back. Gives the run at its
 * new place. First the new place looks at a copy: a run leaves only for a place that can be reached and can go on with it. Then it leaves, and then it
 * arrives. Between these two it goes on nowhere: where the call fails there, or its process dies, call again with the same `place`. A call too many does
 * no harm, unless the run was deleted at its new place meanwhile. Throws what `export`, `checkImport`, `transfer` and `import` throw; the errors of the
 * last one name the way on.
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
