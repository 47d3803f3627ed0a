import { encodeBase64 } from "../model/base64.ts";
import { WorkflowError } from "../model/errors.ts";
import { MAX_RUN_FILE_ENTRIES, MAX_RUN_FILE_LENGTH } from "../model/limits.ts";
import type { Host } from "../ports/host.ts";
import { RUN_FILE_FORMAT, RUN_FILE_VERSION } from "../model/journal.ts";
import type { MovedRun, RunFile } from "./run-file.ts";

/**
 * Writes a run file: lines of JSON, of which the first says what it is, the last has the SHA-256 of all lines before it, and journals stand as the
 * store has them, an entry a line. Throws `LIMIT_EXCEEDED`.
 */
export async function writeRunFile({ run, definitions, blobs, runs }: RunFile, host: Host): Promise<string> {
  const lines = [JSON.stringify({ format: RUN_FILE_FORMAT, version: RUN_FILE_VERSION, run })];
  for (const [definition, text] of definitions) lines.push(JSON.stringify({ definition, text }));
  for (const [blob, content] of blobs) {
    lines.push(JSON.stringify(typeof content === "string" ? { blob, text: content } : { blob, base64: encodeBase64(content) }));
  }
  for (const moved of runs) lines.push(runLine(moved), ...moved.texts.map(onOneLine));
  const length = lines.reduce((sum, line) => sum + line.length + 1, 0);
  const entries = runs.reduce((sum, { texts }) => sum + texts.length, 0);
  if (length > MAX_RUN_FILE_LENGTH) throw tooLarge(run, `${length} characters`, MAX_RUN_FILE_LENGTH);
  if (entries > MAX_RUN_FILE_ENTRIES) throw tooLarge(run, `${entries} entries`, MAX_RUN_FILE_ENTRIES);
  const text = lines.join("\n");
  return `${text}\n${JSON.stringify({ sha256: await host.hash(text) })}\n`;
}

function runLine({ id, texts, secrets, ...about }: MovedRun): string {
  return JSON.stringify({ run: id, ...about, entries: texts.length, secrets: Object.fromEntries(secrets) });
}

/** Inside JSON a line end is a blank between two tokens. */
function onOneLine(text: string): string {
  return text.replaceAll("\n", " ");
}

function tooLarge(run: string, size: string, limit: number): WorkflowError {
  return new WorkflowError("LIMIT_EXCEEDED", `Run ${run} takes ${size} as a file; ${limit} are allowed.`, { details: { run, limit } });
}
