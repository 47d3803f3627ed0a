import { isSettled, PENDING } from "./block-status.ts";
import type { RunReading } from "./state.ts";

/**
 * Whether a state that was not folded entry by entry is one that could have been: nothing has begun before what it depends on had settled, and
 * the counts are those of its blocks.
 */
export function isClosed({ compiled: { plan }, state }: RunReading): boolean {
  const { blocks, unsettled, items, wave } = state;
  if (blocks.length !== plan.ids.length || unsettled.length !== plan.waves.length) return false;
  const left = new Int32Array(plan.waves.length);
  for (let block = 0; block < blocks.length; block++) {
    const code = blocks[block]!;
    // What is no part of the plan depends on nothing.
    if (plan.waveOf[block]! < 0) continue;
    if (!isSettled(code)) left[plan.waveOf[block]!]! += items.get(block)?.left ?? 1;
    if (code === PENDING) continue;
    for (let i = plan.dependencyStart[block]!; i < plan.dependencyStart[block + 1]!; i++) {
      if (!isSettled(blocks[plan.dependencies[i]!]!)) return false;
    }
  }
  return left.every((count, i) => count === unsettled[i] && (i >= wave || state.compensation !== undefined || count === 0));
}
