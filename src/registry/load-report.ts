import type { Problem } from "../core/model/errors.ts";
import type { FailedWorkflow } from "../core/model/load-failure.ts";

export type { FailedWorkflow };

/** What became of workflows that were to be added to a registry. What is broken keeps nothing else from being added. */
export interface LoadReport {
  readonly loaded: readonly LoadedWorkflow[];
  /** Left out, because a workflow of the same name was there before. */
  readonly skipped: readonly DuplicateWorkflow[];
  /** Added in place of a workflow of the same name. */
  readonly overwritten: readonly DuplicateWorkflow[];
  /** What could not be read, is no valid workflow, or is a duplicate where duplicates are errors. */
  readonly failed: readonly FailedWorkflow[];
}

/** A workflow that was added. */
export interface LoadedWorkflow {
  readonly name: string;
  readonly source?: string;
  readonly warnings: readonly Problem[];
}

/** A workflow of a name that was there already. */
export interface DuplicateWorkflow extends LoadedWorkflow {
  /** Where the other workflow of this name came from. */
  readonly other?: string;
}

/** One report out of several, in their order. */
export function mergeReports(reports: readonly LoadReport[]): LoadReport {
  return {
    loaded: reports.flatMap(({ loaded }) => loaded),
    skipped: reports.flatMap(({ skipped }) => skipped),
    overwritten: reports.flatMap(({ overwritten }) => overwritten),
    failed: reports.flatMap(({ failed }) => failed),
  };
}

/** What failed, under the name that its text gives, else that of its file. */
export function failedWorkflow(
  problems: readonly Problem[],
  { name, source }: { readonly name?: string | undefined; readonly source: string | undefined },
): FailedWorkflow {
  const known = name ?? nameOfFile(source ?? "");
  return { ...(known === undefined ? {} : { name: known }), ...(source === undefined ? {} : { source }), problems };
}

/** `deploy` for `flows/deploy.yaml`; nothing for what ends otherwise. A regular expression would take time in the square of a long text. */
function nameOfFile(source: string): string | undefined {
  const file = source.slice(Math.max(source.lastIndexOf("/"), source.lastIndexOf("\\")) + 1);
  const ending = [".yaml", ".yml"].find((end) => file.endsWith(end) && file !== end);
  return ending === undefined ? undefined : file.slice(0, -ending.length);
}
