import type { ErrorData } from "wavepoint";

/** An error as a person would be shown it: code, message, place. */
export function describeError(error: ErrorData): string {
  const place = [error.path, error.line === undefined ? undefined : `line ${error.line}`].filter((part) => part !== undefined).join(", ");
  return `${error.code}: ${error.message}${place === "" ? "" : ` (${place})`}`;
}
