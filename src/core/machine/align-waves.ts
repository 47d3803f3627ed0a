import { type CompiledWorkflow, listWaves, type Plan } from "../definition/definition.ts";
import { SETTLED, UNDER_WAY } from "./begun-blocks.ts";

/**
 * The wave of each block of a run that goes on with another definition, or nothing where that is the one of the plan. All that is under way
 * stands in one wave, and with it what could run before it: a run has one wave at a time. `stages` tells by block how far it is; everything that
 * a settled block or one under way depends on must be settled.
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
export function withWaves(compiled: CompiledWorkflow, waveOf: Int32Array): CompiledWorkflow {
  const waves = listWaves(waveOf, waveOf.reduce((last, wave) => Math.max(last, wave), -1) + 1);
  return { ...compiled, plan: { ...compiled.plan, waveOf, waves } };
}
