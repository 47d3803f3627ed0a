import { RUN_STATUSES, type RunStatus } from "../../core/model/run.ts";

/** Which runs a list shows. */
export interface RunsFilter {
  readonly status?: RunStatus;
  readonly workflow?: string;
  /** What is looked for: a text, or values by name: `plan=team seats=2`. */
  readonly find?: string;
}

/** What a dashboard shows. */
export type Route =
  { readonly page: "runs"; readonly filter: RunsFilter } | { readonly page: "run"; readonly run: string; readonly part: string };

const RUN = "#/run/";
/** The part of a run's page that its address need not name. */
const FIRST_PART = "graph";

/** Reads the part of an address from `#` on. What names nothing leads to all runs. */
export function parseRoute(hash: string): Route {
  if (hash.startsWith(RUN)) {
    const [run = "", part = FIRST_PART] = hash.slice(RUN.length).split("/").map(decoded);
    if (run !== "") return { page: "run", run, part };
  }
  const query = new URLSearchParams(hash.slice(hash.indexOf("?") + 1));
  const status = RUN_STATUSES.find((known) => known === query.get("status"));
  const workflow = query.get("workflow");
  const find = query.get("find");
  return { page: "runs", filter: { ...(status && { status }), ...(workflow && { workflow }), ...(find && { find }) } };
}

/** The address of a list, from `#` on. */
export function runsAddress(filter: RunsFilter = {}): string {
  const query = new URLSearchParams(Object.entries(filter).filter(([, value]) => value));
  return query.size === 0 ? "#/" : `#/?${query}`;
}

/** The address of a run's page, from `#` on. */
export function runAddress(run: string, part: string = FIRST_PART): string {
  return `${RUN}${encodeURIComponent(run)}${part === FIRST_PART ? "" : `/${part}`}`;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // What cannot be decoded names nothing.
    return "";
  }
}
