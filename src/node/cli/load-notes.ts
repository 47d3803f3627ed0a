import type { FailedWorkflow } from "../../registry/index.ts";
import { withoutPlace } from "../../core/model/errors.ts";
import { plainLine } from "./plain-text.ts";
import { note, type Terminal } from "./terminal.ts";

/** Names what was left out of a directory, and why in a few words. */
export function noteFailures(failed: readonly FailedWorkflow[], terminal: Terminal): void {
  for (const { source = "", problems } of failed) {
    const problem = problems.find(({ severity }) => severity === "error")!;
    const { line, column } = problem;
    const place = line === undefined ? source : `${source}:${line}:${column}`;
    note(terminal, `${plainLine(place)} is left out: ${plainLine(withoutPlace(problem))}`);
  }
}
