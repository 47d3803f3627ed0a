import type { Problem } from "../core/model/errors.ts";

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

/** A text that gave no workflow. */
export interface FailedWorkflow {
  readonly source?: string;
  /** At least one error; warnings of the same text stand among them. */
  readonly problems: readonly Problem[];
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

/** The report of something that could not be read at all. */
export function failedReport(source: string, problem: Omit<Problem, "severity" | "source">): LoadReport {
  return { loaded: [], skipped: [], overwritten: [], failed: [{ source, problems: [{ severity: "error", ...problem, source }] }] };
}
