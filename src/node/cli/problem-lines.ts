import type { ErrorData, Problem } from "../../index.ts";
import { withoutPlace } from "../../core/model/errors.ts";
import { excerpt } from "./excerpt.ts";
import { plainText } from "./plain-text.ts";
import type { Output } from "./terminal.ts";

/** An error or a warning as lines: where it is, what it is, and the place itself where a file is known. */
export function problemLines(problem: ErrorData | Problem, output: Output): readonly string[] {
  const isWarning = "severity" in problem && problem.severity === "warning";
  const kind = output.paint(isWarning ? "yellow" : "red", `${isWarning ? "warning" : "error"}[${problem.code}]`);
  const place = placeText(problem);
  const message = plainText(withoutPlace(problem)).split("\n");
  if (place === "") return [`${kind} ${message[0]!}`, ...message.slice(1).map((line) => `  ${line}`)];
  return [`${place} ${kind}`, ...message.map((line) => `  ${line}`), ...excerpt(problem, output)];
}

/** A place as editors understand it: `file:line:column`. */
function placeText({ source, line, column, path }: ErrorData): string {
  if (source !== undefined && line !== undefined) return plainText(`${source}:${line}${column === undefined ? "" : `:${column}`}`);
  return plainText(source ?? path ?? "");
}
