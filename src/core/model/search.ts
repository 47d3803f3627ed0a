import { WorkflowError } from "./errors.ts";
import { MAX_SEARCH_LENGTH } from "./limits.ts";
import type { SearchValue, SearchValues } from "./run.ts";
import { isName } from "./ids.ts";

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

/** Whether a run has all the values that are asked for. */
export function hasValues(search: SearchValues | undefined, where: SearchValues): boolean {
  return Object.entries(where).every(([name, value]) => search !== undefined && Object.hasOwn(search, name) && search[name] === value);
}

/** Throws `STORE_QUERY_INVALID` for what no run can be found by. */
export function assertSearch(where: SearchValues): void {
  for (const [name, value] of Object.entries(where)) {
    if (isName(name) && isSearchValue(value)) continue;
    throw new WorkflowError(
      "STORE_QUERY_INVALID",
      `Runs cannot be found by ${JSON.stringify(name.slice(0, 200))}: ${isName(name) ? `its value is no text of 1 to ${MAX_SEARCH_LENGTH} characters, number, true or false` : "that is no name"}.`,
    );
  }
}
