import type { Plan } from "../plan.ts";

/** Dependencies looked at, over a whole definition, before the search for missing ones is given up: it serves a warning only. */
const MAX_STEPS = 200_000;

/**
 * Finds which of the given earlier blocks a block does not wait for, not even indirectly. One backward search for each block, no further
 * than the earliest wave asked for; a definition with more than 200,000 steps of search gets no further findings, so that checking
 * stays linear.
 */
export function findUnrelated(plan: Plan): (block: number, targets: readonly number[]) => readonly number[] {
  const { waveOf, dependencyStart, dependencies } = plan;
  const seenBy = new Int32Array(plan.ids.length).fill(-1);
  let steps = 0;
  return (block, targets) => {
    if (targets.length === 0 || steps > MAX_STEPS) return [];
    const earliest = targets.reduce((wave, target) => Math.min(wave, waveOf[target]!), Infinity);
    const open = [block];
    for (let next = open.pop(); next !== undefined && steps <= MAX_STEPS; next = open.pop()) {
      for (let e = dependencyStart[next]!; e < dependencyStart[next + 1]!; e++) {
        const dependency = dependencies[e]!;
        steps++;
        if (seenBy[dependency] === block) continue;
        seenBy[dependency] = block;
        if (waveOf[dependency]! > earliest) open.push(dependency);
      }
    }
    return steps > MAX_STEPS ? [] : targets.filter((target) => seenBy[target] !== block);
  };
}
