import type { Workflow } from "../model/workflow.ts";
import type { Host } from "../ports/host.ts";

/** The hash by which a definition is stored and known to its runs. The order of keys makes no difference. */
export function hashDefinition(host: Pick<Host, "hash">, workflow: Workflow): Promise<string> {
  return host.hash(canonicalJson(workflow));
}

/** JSON with the keys of every object in order. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
