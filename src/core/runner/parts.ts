import { type CompiledWorkflow, compileWorkflow, type Part } from "../definition/definition.ts";
import { channelPart } from "../machine/machine.ts";
import type { Workflow } from "../model/workflow.ts";

/** The parts of the engine that only some workflows need. */
const PARTS: readonly Part[] = [channelPart];

/** Loads the parts of the engine that any of these workflows needs. */
export async function loadParts(workflows: readonly Workflow[]): Promise<void> {
  await Promise.all(PARTS.map((part) => workflows.some(part.isNeededBy) && part.load()));
}

/** Compiles a workflow; all that folding a run of it takes is loaded by then. Rejects with what {@link compileWorkflow} throws. */
export async function readyWorkflow(workflow: Workflow): Promise<CompiledWorkflow> {
  await loadParts([workflow]);
  return compileWorkflow(workflow);
}
