import type { CompiledWorkflow } from "../definition/definition.ts";
import { withWaves } from "./align-waves.ts";
import type { RunState } from "./state.ts";

/** What a run goes by: the definitions that its journal names, by their hashes. Nothing that happens in the run changes them. */
export type RunPlan = ReadonlyMap<string, CompiledWorkflow>;

const aligned = new WeakMap<Int32Array, CompiledWorkflow>();

/** The definition that a run has now. Where it moved and not all blocks stand where the definition has them: with its blocks in their waves. */
export function definitionOf(plan: RunPlan, { definition, waveOf }: Pick<RunState, "definition" | "waveOf">): CompiledWorkflow {
  const found = plan.get(definition)!;
  if (!waveOf) return found;
  let known = aligned.get(waveOf);
  if (!known) aligned.set(waveOf, (known = withWaves(found, waveOf)));
  return known;
}
