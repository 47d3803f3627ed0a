import { parseTemplate } from "../expression/parse-template.ts";
import { templateReferences } from "../expression/references.ts";
import type { Value } from "../model/value.ts";
import type { Workflow } from "../model/workflow.ts";

/** Which secrets a workflow wants. */
export interface SecretNeeds {
  /** The names of its `${secrets.NAME}`, each once. */
  readonly named: readonly string[];
  /** The names of its secret inputs. */
  readonly inputs: readonly string[];
}

const known = new WeakMap<Workflow, SecretNeeds>();

/** Reads from a checked workflow which secrets it wants; once for each workflow object. */
export function secretNeeds(workflow: Workflow): SecretNeeds {
  let needs = known.get(workflow);
  if (!needs) {
    const named = new Set<string>();
    for (const { inputs } of workflow.blocks) if (inputs) collectNames(inputs, named);
    const inputs = Object.entries(workflow.inputs ?? {}).filter(([, { secret }]) => secret === true);
    needs = { named: [...named], inputs: inputs.map(([name]) => name) };
    known.set(workflow, needs);
  }
  return needs;
}

function collectNames(value: Value, names: Set<string>): void {
  if (typeof value === "string") {
    if (!value.includes("${") || !value.includes("secrets")) return;
    for (const { path } of templateReferences(parseTemplate(value))) if (path[0] === "secrets") names.add(String(path[1]));
  } else if (typeof value === "object" && value !== null) for (const member of Object.values(value)) collectNames(member, names);
}
