import { WorkflowError } from "../../model/errors.ts";
import type { ExportOptions } from "../face.ts";
import type { LiveRun } from "../live-run.ts";
import type { Services } from "../services.ts";
import { holdMoved } from "./hold-moved.ts";
import { packRuns } from "./pack-runs.ts";
import { writeRunFile } from "./write-run-file.ts";

/** A run as one portable text; see `Executor.runs.export`. */
export async function exportRun(services: Services, run: string, options: ExportOptions): Promise<string> {
  assertOptions(options);
  return holdMoved(services, run, (family) => writeFamily(services, family, options));
}

/** Writes held runs as one file, sealed where a passphrase is given. */
export async function writeFamily(services: Services, family: readonly LiveRun[], options: ExportOptions): Promise<string> {
  const { drafts = false, secrets = false, passphrase } = options;
  const packed = await packRuns(services, family as [LiveRun, ...LiveRun[]], { drafts, secrets });
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
