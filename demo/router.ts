/** Which page the address names. */
export type Route =
  | { readonly page: "home" }
  | { readonly page: "examples"; /** Only workflows that have all of these. */ readonly tags: readonly string[] }
  | { readonly page: "workflow"; readonly workflow: string }
  | { readonly page: "run"; readonly run: string };

const RUN = "#/run/";
const WORKFLOW = "#/workflow/";
const TAGS = "#/tags/";
/** The address of the list of all workflows, from `#` on. */
export const EXAMPLES = "#/examples";

/** Reads the part of an address from `#` on; what names nothing known is the home page. */
export function parseRoute(hash: string): Route {
  try {
    if (hash.startsWith(RUN)) return { page: "run", run: decodeURIComponent(hash.slice(RUN.length)) };
    if (hash.startsWith(WORKFLOW)) return { page: "workflow", workflow: decodeURIComponent(hash.slice(WORKFLOW.length)) };
    if (hash === EXAMPLES) return { page: "examples", tags: [] };
    if (hash.startsWith(TAGS)) return { page: "examples", tags: hash.slice(TAGS.length).split(",").map(decodeURIComponent) };
  } catch {
    // What cannot be decoded names nothing.
  }
  return { page: "home" };
}

/** The address of a run's page, from `#` on. */
export function runAddress(run: string): string {
  return RUN + encodeURIComponent(run);
}

/** The address of a workflow's page, from `#` on. */
export function workflowAddress(workflow: string): string {
  return WORKFLOW + encodeURIComponent(workflow);
}

/** The address of the list of workflows that have all of these tags, from `#` on. */
export function tagsAddress(tags: readonly string[]): string {
  return tags.length === 0 ? EXAMPLES : TAGS + tags.map(encodeURIComponent).join(",");
}
