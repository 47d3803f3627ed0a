import type { Workflow } from "../model/workflow.ts";
import type { RunReading } from "../machine/machine.ts";
import type { RunnerServices } from "./services.ts";

/** By the block types of an executor: workflows that several executors run may mean other types in each. */
const known = new WeakMap<RunnerServices["types"], WeakMap<Workflow, boolean>>();

/**
 * Whether something of a run may be revised, so that what its blocks are given is noted: a block of it may ask, or its caller may give it other
 * inputs.
 */
export function mayAsk(
  { types }: Pick<RunnerServices, "types">,
  { compiled: { workflow }, state }: Pick<RunReading, "compiled" | "state">,
): boolean {
  if (state.started.parent) return true;
  let workflows = known.get(types);
  if (!workflows) known.set(types, (workflows = new WeakMap()));
  let asks = workflows.get(workflow);
  if (asks === undefined) workflows.set(workflow, (asks = workflow.blocks.some(({ type }) => types.get(type)?.resume !== undefined)));
  return asks;
}
