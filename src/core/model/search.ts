import { WorkflowError } from "./errors.ts";
import { MAX_SEARCH_LENGTH } from "./limits.ts";
import type { SearchValue, SearchValues } from "./run.ts";

/** Whether runs can be found by a value. */
export function isSearchValue(value: unknown): value is SearchValue {
  if (typeof value === "string") return value.length > 0 && value.length <= MAX_SEARCH_LENGTH;
  return typeof value === "boolean" || Number.isFinite(value);
}

/** Throws `STORE_QUERY_INVALID` where a store that does not search is asked to. */
export function refuseSearch(where: SearchValues | undefined, reason: string): void {
  if (where === undefined) return;
  throw new WorkflowError(
    "STORE_QUERY_INVALID",
    `This store finds no runs by values: ${reason}. Go through its runs, as executor.runs.list does.`,
  );
}
