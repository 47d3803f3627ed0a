import { WorkflowError } from "../../model/errors.ts";
import type { Workflow } from "../../model/workflow.ts";
import type { BlockType } from "../../ports/block.ts";
import type { Capability, Grants } from "../../ports/grants.ts";
import type { ProblemList } from "./problem-list.ts";

const ADVICE: { readonly [capability in Capability]: string } = {
  files:
    "Give createExecutor grants: { files }, made by nodeFiles of wavepoint/node in Node or by opfsFiles of wavepoint/browser in a browser.",
  shell: "Commands run in Node only: give createExecutor grants: { shell }, made by nodeShell of wavepoint/node.",
  network: "Give createExecutor grants: { network }, made by allowHosts of wavepoint/network.",
};

/** Reports blocks whose type needs what the host did not grant. */
export function checkGrants(
  workflow: Workflow,
  {
    blockTypes,
    grants,
    problems,
  }: { readonly blockTypes: ReadonlyMap<string, BlockType>; readonly grants: Grants; readonly problems: ProblemList },
): void {
  const report = (path: string, id: string, type: string, capability: Capability): void =>
    problems.error("CAPABILITY_MISSING", path, missingGrant(id, type, capability), { details: { block: id, type, capability } });
  for (const [i, { id, type, outputs }] of workflow.blocks.entries()) {
    const missing = blockTypes.get(type)?.needs?.find((capability) => grants[capability] === undefined);
    if (missing) report(`blocks[${i}].type`, id, type, missing);
    else if (outputs && !grants.files) report(`blocks[${i}].outputs`, id, type, "files");
  }
}

/** Throws `CAPABILITY_MISSING` for a block that runs where its workflow was not checked: a run that was begun elsewhere. */
export function refuseUngranted(id: string, { type }: BlockType, capability: Capability): never {
  throw new WorkflowError("CAPABILITY_MISSING", missingGrant(id, type, capability), { details: { block: id, type, capability } });
}

function missingGrant(id: string, type: string, capability: Capability): string {
  return `Block "${id}" of type ${type} needs "${capability}", which this executor was not granted. ${ADVICE[capability]}`;
}
