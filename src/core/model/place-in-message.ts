import type { ErrorData } from "./errors.ts";

/** A message that begins with its place, for those who read nothing but messages. */
export function withPlace(message: string, { line, column }: { readonly line?: number; readonly column?: number }): string {
  return `Line ${line}, column ${column}: ${message}`;
}

/** The message of a problem without its place, to be shown beside it. */
export function withoutPlace(problem: ErrorData): string {
  const lead = withPlace("", problem);
  return problem.message.startsWith(lead) ? problem.message.slice(lead.length) : problem.message;
}
