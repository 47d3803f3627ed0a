import type { ErrorData, ErrorPlace, FailedRun, Problem } from "../../index.ts";
import { withBlocksAdvice } from "./block-modules.ts";
import { plainLine, plainText } from "./plain-text.ts";
import { type Output, type Terminal, note } from "./terminal.ts";
import type { FailedWorkflow } from "../../registry/index.ts";
import { withoutPlace } from "../../core/model/errors.ts";
import { readFileSync } from "node:fs";

/** Returns an error or a warning as lines: its place, its message, and the lines of the file if it is known. */
export function problemLines(problem: ErrorData | Problem, output: Output): readonly string[] {
  const kind = output.paint(isWarning(problem) ? "yellow" : "red", kindText(problem));
  const place = placeText(problem);
  const message = plainText(withoutPlace(problem)).split("\n");
  if (place === "") return [`${kind} ${message[0]!}`, ...message.slice(1).map((line) => `  ${line}`)];
  return [`${place} ${kind}`, ...message.map((line) => `  ${line}`), ...excerpt(problem, output)];
}

/** Whether it is an error or a warning, and its code. */
export function kindText(problem: ErrorData | Problem): string {
  return `${isWarning(problem) ? "warning" : "error"}[${problem.code}]`;
}

function isWarning(problem: ErrorData | Problem): boolean {
  return "severity" in problem && problem.severity === "warning";
}

/** A place as editors understand it: `file:line:column`. */
export function placeText({ source, line, column, path }: ErrorData): string {
  if (source !== undefined && line !== undefined) return plainText(`${source}:${line}${column === undefined ? "" : `:${column}`}`);
  return plainText([source, path].filter((part) => part !== undefined).join(" "));
}

/** Names the files of a directory that were left out, and briefly why. */
export function noteFailures(failed: readonly FailedWorkflow[], terminal: Terminal): void {
  for (const { source = "", problems } of failed) {
    const problem = problems.find(({ severity }) => severity === "error")!;
    const { line, column } = problem;
    const place = line === undefined ? source : `${source}:${line}:${column}`;
    note(terminal, `${plainLine(place)} is left out: ${plainLine(withoutPlace(withBlocksAdvice(problem)))}`);
  }
}

/** Names the runs with which something could not be done, and why. */
export function noteFailedRuns(failed: readonly FailedRun[], terminal: Terminal): void {
  for (const { run, error } of failed) for (const line of problemLines(error, terminal.err)) note(terminal, `${run}: ${line}`);
}

/** Characters of a long line that are shown on each side of the place. */
const AROUND = 60;

/** The line of a file where something is wrong, the line before it, and a caret below the place. Nothing if the file cannot be read. */
export function excerpt({ source, line, column = 1 }: ErrorPlace, output: Pick<Output, "paint">): readonly string[] {
  const lines = source === undefined || line === undefined ? [] : readLines(source);
  const wrong = lines[line! - 1];
  if (wrong === undefined) return [];
  const start = Math.max(0, column - 1 - AROUND);
  const gutter = String(line).length;
  const before =
    line! > 1 && lines[line! - 2]!.trim() !== "" ? [numbered(line! - 1, lines[line! - 2]!.slice(start, start + 2 * AROUND))] : [];
  // Tabs stay tabs, so the caret is below its character.
  const indent = plainText(wrong.slice(start, column - 1)).replaceAll(/[^\t]/g, " ");
  return [
    ...before,
    numbered(line!, wrong.slice(start, start + 2 * AROUND)),
    `  ${" ".repeat(gutter)} | ${indent}${output.paint("red", "^")}`,
  ];

  function numbered(number: number, text: string): string {
    return `  ${output.paint("dim", `${String(number).padStart(gutter)} |`)} ${plainText(text)}`.trimEnd();
  }
}

function readLines(source: string): readonly string[] {
  try {
    return readFileSync(source, "utf8")
      .replace(/^\uFEFF/, "")
      .split(/\r?\n/);
  } catch {
    return [];
  }
}
