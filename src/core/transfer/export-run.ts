import { WorkflowError } from "../model/errors.ts";
import { assertStoreKey, fullRunId } from "../model/ids.ts";
import { type ExportOptions, holdFamily, type OpenRun, type Services } from "../run/run.ts";
import { packRuns } from "./pack-runs.ts";
import type { RunFile } from "./run-file.ts";
import { writeRunFile } from "./write-run-file.ts";

/** A run as one portable text; see `Executor.runs.export`. */
export async function exportRun(services: Services, run: string, options: ExportOptions): Promise<string> {
  assertOptions(options);
  return holdMoved(services, run, async (family) => writeFile(services, await packRuns(services, family, options), options));
}

/** Writes what was packed, sealed where a passphrase is given. */
export async function writeFile(services: Services, packed: RunFile, { passphrase }: ExportOptions): Promise<string> {
  const text = await writeRunFile(packed, services.host);
  return passphrase === undefined ? text : (await services.sealer()).seal(text, passphrase);
}

/** Throws where the options of a file contradict each other, before anything happens. */
export function assertOptions({ passphrase, secrets }: ExportOptions): void {
  if (secrets && passphrase === undefined) {
    throw new WorkflowError("SECRET_MISPLACED", "Secrets go along only in a file that is sealed: give a passphrase, or leave them out.");
  }
  if (passphrase !== undefined && (typeof passphrase !== "string" || passphrase === "")) {
    throw new WorkflowError("RUN_FILE_INVALID", "A passphrase is a text that is not empty. No file was made.");
  }
}

/**
 * Does some work on a run that is to be moved, and on the runs its blocks called, while nothing of them executes. Throws `RUN_NOT_FOUND`,
 * `RUN_ACTIVE`, and `RUN_FILE_INVALID` for a run that another one called.
 */
export async function holdMoved<T>(services: Services, address: string, work: (family: readonly OpenRun[]) => Promise<T>): Promise<T> {
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
