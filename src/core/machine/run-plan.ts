import { type AddedBlock, type CompiledWorkflow, extendWorkflow, listWaves, type Plan } from "../definition/definition.ts";
import type { RunState } from "./state.ts";
import { SETTLED, UNDER_WAY } from "./block-status.ts";

/** The definitions that the journal of a run names, by hash. Nothing that happens in the run changes them. */
export type RunPlan = ReadonlyMap<string, CompiledWorkflow>;

const aligned = new WeakMap<Int32Array, CompiledWorkflow>();

const extended = new WeakMap<readonly AddedBlock[], CompiledWorkflow>();

/**
 * The current definition of a run, with added blocks. If the run moved to it, its blocks may be in other waves than the definition says.
 */
export function definitionOf(
  plan: RunPlan,
  { definition, waveOf, added }: Pick<RunState, "definition" | "waveOf" | "added">,
): CompiledWorkflow {
  let found = plan.get(definition)!;
  if (added) {
    const whole = extended.get(added) ?? extendWorkflow(found, added);
    extended.set(added, whole);
    found = whole;
  }
  if (!waveOf) return found;
  let known = aligned.get(waveOf);
  if (!known) aligned.set(waveOf, (known = withWaves(found, waveOf)));
  return known;
}

/**
 * The wave of each block after a run moved to another definition; nothing if they are those of the plan. A run has one wave at a time, so all blocks under
 * way, and those that could run before them, share one. `stages` says how far each block is; what a settled block, or one under way, depends on must be
 * settled.
 */
export function alignWaves(plan: Plan, stages: Uint8Array): Int32Array | undefined {
  const { waveOf, waves, dependencyStart, dependencies } = plan;
  const current = stages.reduce((last, stage, block) => (stage === UNDER_WAY ? Math.max(last, waveOf[block]!) : last), -1);
  const aligned = waveOf.slice();
  let moved = false;
  for (const wave of waves) {
    for (const block of wave) {
      if (stages[block] === SETTLED) continue;
      let own = Math.max(waveOf[block]!, current);
      for (let i = dependencyStart[block]!; i < dependencyStart[block + 1]!; i++) own = Math.max(own, aligned[dependencies[i]!]! + 1);
      moved ||= own !== waveOf[block];
      aligned[block] = own;
    }
  }
  return moved ? aligned : undefined;
}

/** The workflow with its blocks in these waves. */
function withWaves(compiled: CompiledWorkflow, waveOf: Int32Array): CompiledWorkflow {
  const waves = listWaves(waveOf, waveOf.reduce((last, wave) => Math.max(last, wave), -1) + 1, compiled.plan.ranks);
  return { ...compiled, plan: { ...compiled.plan, waveOf, waves } };
}
