import type { Workflow } from "../model/workflow.ts";
import type { RunReading } from "../machine/machine.ts";
import type { RunnerServices } from "./services.ts";

const known = new WeakMap<Workflow, boolean>();

/**
 * Whether something of a run may be revised, so that what its blocks are given is noted: a block of it may ask, or its caller may give it other
 * inputs.
 */
export function mayAsk(
  { types }: Pick<RunnerServices, "types">,
  { compiled: { workflow }, state }: Pick<RunReading, "compiled" | "state">,
): boolean {
  if (state.started.parent) return true;
  let asks = known.get(workflow);
  if (asks === undefined) known.set(workflow, (asks = workflow.blocks.some(({ type }) => types.get(type)?.resume !== undefined)));
  return asks;
}
