import type { Problem } from "../../index.ts";
import type { Call } from "./command.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { plainJson } from "./plain-text.ts";
import { problemLines } from "./problem-lines.ts";
import type { Terminal } from "./terminal.ts";
import type { WorkflowFile } from "./workflow-file.ts";

/** Reports why a file cannot be run. */
export function reportInvalid({ path, problems }: WorkflowFile, call: Call, terminal: Terminal): ExitCode {
  if (call.has("json")) {
    const { severity: _, ...error } = problems.find(({ severity }) => severity === "error")!;
    terminal.out.write(`${plainJson({ status: "invalid", file: path, error, problems })}\n`);
  } else {
    for (const problem of problems) for (const line of problemLines(problem, terminal.err)) terminal.err.write(`${line}\n`);
    terminal.err.write(`${path} cannot be run: ${countText(problems)}.\n`);
  }
  return EXIT.invalid;
}

/** How many errors and warnings there are: `2 errors, 1 warning`. */
export function countText(problems: readonly Problem[]): string {
  const errors = problems.filter(({ severity }) => severity === "error").length;
  const warnings = problems.length - errors;
  const parts = [errors > 0 ? plural(errors, "error") : "", warnings > 0 ? plural(warnings, "warning") : ""];
  return parts.filter(Boolean).join(", ") || "no problems";
}

/** A count with its noun: `1 run`, `2 runs`. */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
