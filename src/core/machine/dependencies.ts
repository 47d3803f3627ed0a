import { COMPLETED, FAILED, SKIPPED_BLOCK } from "./block-code.ts";
import type { CompiledWorkflow } from "../definition/definition.ts";
import type { RunReading, RunState } from "./state.ts";

/**
 * The dependency because of which a block is skipped, or -1. A dependency that failed without `continue_on_error` ends the run before any
 * dependent's wave, so only skipped ones are met here.
 */
export function skippingDependency({ compiled: { plan }, state }: RunReading, block: number): number {
  for (let i = plan.dependencyStart[block]!; i < plan.dependencyStart[block + 1]!; i++) {
    if (plan.required[i] === 1 && state.blocks[plan.dependencies[i]!] === SKIPPED_BLOCK) return plan.dependencies[i]!;
  }
  return -1;
}

/** Whether everything a block depends on has settled; not so for one that depends on nothing. */
export function areSettled(
  { state, compiled }: { readonly state: RunState; readonly compiled: Pick<CompiledWorkflow, "plan"> },
  block: number,
): boolean {
  const { dependencyStart, dependencies } = compiled.plan;
  for (let i = dependencyStart[block]!; i < dependencyStart[block + 1]!; i++) {
    if (!isSettled(state.blocks[dependencies[i]!]!)) return false;
  }
  return dependencyStart[block] !== dependencyStart[block + 1];
}

/** Whether something that a block depends on, directly or not, is such. */
export function someAncestor({ plan }: Pick<CompiledWorkflow, "plan">, block: number, isSuch: (ancestor: number) => boolean): boolean {
  const seen = new Set([block]);
  for (const next of seen) {
    if (next !== block && isSuch(next)) return true;
    for (let i = plan.dependencyStart[next]!; i < plan.dependencyStart[next + 1]!; i++) seen.add(plan.dependencies[i]!);
  }
  return false;
}

export function isSettled(code: number): boolean {
  return code === COMPLETED || code === FAILED || code === SKIPPED_BLOCK;
}
