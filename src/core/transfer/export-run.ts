import { WorkflowError } from "../model/errors.ts";
import { type ExportOptions, type OpenRun, type Services, holdFamily } from "../run/run.ts";
import { packRuns } from "./pack-runs.ts";
import { type RunFile, RUN_FILE_FORMAT, RUN_FILE_VERSION, type MovedRun } from "./run-file.ts";
import { assertStoreKey, fullRunId } from "../model/ids.ts";
import { encodeBase64 } from "../model/base64.ts";
import { MAX_RUN_FILE_ENTRIES, MAX_RUN_FILE_LENGTH } from "../model/limits.ts";
import type { BlobContent } from "../ports/store.ts";
import type { Host } from "../ports/host.ts";

/** A run as one portable text; see `Executor.runs.export`. */
export async function exportRun(services: Services, run: string, options: ExportOptions): Promise<string> {
  assertOptions(options);
  return holdMoved(services, run, async (family) => writeFile(services, await packFamily(services, family, options), options));
}

/** Reads held runs for a file. */
export function packFamily(
  services: Services,
  family: readonly OpenRun[],
  { drafts = false, secrets = false }: ExportOptions,
): Promise<RunFile> {
  return packRuns(services, family as [OpenRun, ...OpenRun[]], { drafts, secrets });
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

/**
 * Writes a run file: lines of JSON, of which the first says what it is, the last has the SHA-256 of all lines before it, and journals stand as the
 * store has them, an entry a line. Throws `LIMIT_EXCEEDED`.
 */
export async function writeRunFile({ run, definitions, blobs, runs }: RunFile, host: Host): Promise<string> {
  const lines = [JSON.stringify({ format: RUN_FILE_FORMAT, version: RUN_FILE_VERSION, run })];
  for (const [definition, text] of definitions) lines.push(JSON.stringify({ definition, text }));
  for (const [blob, content] of blobs) lines.push(blobLine(blob, content));
  for (const moved of runs) lines.push(runLine(moved), ...moved.texts.map(onOneLine));
  const length = lines.reduce((sum, line) => sum + line.length + 1, 0);
  const entries = runs.reduce((sum, { texts }) => sum + texts.length, 0);
  if (length > MAX_RUN_FILE_LENGTH) throw tooLarge(run, `${length} characters`, MAX_RUN_FILE_LENGTH);
  if (entries > MAX_RUN_FILE_ENTRIES) throw tooLarge(run, `${entries} entries`, MAX_RUN_FILE_ENTRIES);
  const text = lines.join("\n");
  return `${text}\n${JSON.stringify({ sha256: await host.hash(text) })}\n`;
}

function blobLine(blob: string, content: BlobContent): string {
  return JSON.stringify(typeof content === "string" ? { blob, text: content } : { blob, base64: encodeBase64(content) });
}

function runLine({ id, createdAt, fork, base, texts, checkpoints, blobs, drafts, secrets }: MovedRun): string {
  return JSON.stringify({
    run: id,
    createdAt,
    ...(fork ? { fork } : {}),
    ...(base === undefined ? {} : { base }),
    entries: texts.length,
    checkpoints: checkpoints.map(({ kind, number, createdAt: at, entries }) => [kind, number, at, entries]),
    blobs,
    drafts: drafts.map(({ key, text }) => [key, text]),
    secrets: [...secrets],
  });
}

/** Inside JSON a line end is a blank between two tokens. */
function onOneLine(text: string): string {
  return text.replaceAll("\n", " ");
}

function tooLarge(run: string, size: string, limit: number): WorkflowError {
  return new WorkflowError("LIMIT_EXCEEDED", `Run ${run} takes ${size} as a file; ${limit} are allowed.`, { details: { run, limit } });
}
