import { WorkflowError } from "./errors.ts";
import { isName } from "./ids.ts";
import { MAX_SEARCH_LENGTH } from "./limits.ts";
import type { SearchValues } from "./run.ts";
import { isSearchValue } from "./search.ts";

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
