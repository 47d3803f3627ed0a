import type { Pause, RunView } from "wavepoint";

/** The open questions of a run. Those that come up together have no order of their own: then the plan's counts. */
export function pausesInPlanOrder(view: RunView): readonly Pause[] {
  const blocks = view.waves.flatMap((wave) => wave.blocks.map((block) => block.id));
  return view.pauses.toSorted((a, b) => blocks.indexOf(a.path[0]!) - blocks.indexOf(b.path[0]!));
}
