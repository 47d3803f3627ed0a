import { join } from "node:path";
import { errorData, WorkflowError } from "../core/model/errors.ts";
import type { Files } from "../core/ports/files.ts";
import { mergeReports, type LoadReport } from "../registry/load-report.ts";
import type { DuplicateOptions, Registry } from "../registry/registry.ts";
import { decodeWorkflow, MAX_WORKFLOW_BYTES } from "../registry/workflow-text.ts";
import { nodeFiles } from "./files/node-files.ts";
import { listWorkflowFiles } from "./list-workflow-files.ts";
import { assertOptions } from "../core/model/assert-options.ts";

/** How directories are read. */
export interface DirectoryOptions extends DuplicateOptions {
  /** Ends the loading with `ABORTED`. Workflows that were added stay. */
  readonly signal?: AbortSignal;
}

/**
 * Adds the workflows of directories and of the folders in them: files named `.yaml` or `.yml`, in the order of their paths. With the default
 * of `onDuplicate` the directory that stands first has priority. Hidden files and folders, `node_modules` and links are passed over or
 * refused; no byte outside a directory is read. What cannot be read, a directory that does not exist included, stands in the report; the
 * rest is added.
 */
export async function loadDirectories(
  registry: Registry,
  directories: readonly string[],
  options: DirectoryOptions = {},
): Promise<LoadReport> {
  assertOptions("loadDirectories", options, { signal: true, onDuplicate: true });
  const reports: LoadReport[] = [];
  for (const directory of directories) reports.push(await loadDirectory(registry, directory, options));
  return mergeReports(reports);
}

async function loadDirectory(registry: Registry, directory: string, { signal, onDuplicate }: DirectoryOptions): Promise<LoadReport> {
  const { paths, failures } = await listWorkflowFiles(directory, signal);
  const reports = failures.map(({ path, error }) => registry.addFailure(join(directory, path), error.toJSON()));
  const files = nodeFiles({ root: directory });
  for (const path of paths) {
    if (signal?.aborted) throw new WorkflowError("ABORTED", "The reading of workflows was aborted.", { cause: signal.reason });
    const source = join(directory, path);
    const text = await readText(files, path).catch((thrown: unknown) => errorData(thrown, "FILE_FAILED"));
    const added =
      typeof text === "string"
        ? registry.addText(text, { source, ...(onDuplicate ? { onDuplicate } : {}) })
        : registry.addFailure(source, text);
    reports.push(added);
  }
  return mergeReports(reports);
}

async function readText(files: Files, path: string): Promise<string> {
  const { bytes } = await files.read(path, { maxBytes: MAX_WORKFLOW_BYTES });
  return decodeWorkflow(bytes);
}
