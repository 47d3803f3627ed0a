import { WorkflowError } from "../core/model/errors.ts";

/** The range of entries as whole numbers. Throws `STORE_QUERY_INVALID` for anything else. */
export function readRange(range: { readonly from?: number; readonly to?: number } = {}): { readonly from: number; readonly to: number } {
  const { from = 0, to = Number.MAX_SAFE_INTEGER } = range;
  if (isPosition(from) && isPosition(to)) return { from, to };
  throw new WorkflowError("STORE_QUERY_INVALID", `Entries are read from one whole number to another, not from ${from} to ${to}.`);
}

function isPosition(value: unknown): boolean {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
