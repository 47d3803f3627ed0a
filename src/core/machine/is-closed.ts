import { isSettled, PENDING } from "./block-status.ts";
import type { RunReading } from "./state.ts";

/**
 * Whether a state that was read as a whole could have been folded entry by entry: no block began before its dependencies had settled, and the counts fit
 * the blocks.
 */
export function isClosed({ compiled: { plan }, state }: RunReading): boolean {
  const { blocks, unsettled, items, wave } = state;
  if (blocks.length !== plan.ids.length || unsettled.length !== plan.waves.length) return false;
  if (!isBegunInOrder(blocks, plan.waveOf, plan.dependencyStart, plan.dependencies)) return false;
  const left = countUnsettled(blocks, plan.waveOf, plan.waves.length);
  for (const [block, { left: count }] of items) {
    if (plan.waveOf[block]! >= 0 && !isSettled(blocks[block]!)) left[plan.waveOf[block]!]! += count - 1;
  }
  return areCounts(left, unsettled, state.compensation ? 0 : wave);
}

/** How many blocks of each wave have not settled. */
export function countUnsettled(blocks: Uint8Array, waveOf: Int32Array, waves: number): Int32Array {
  const counts = new Int32Array(waves);
  // What is no part of the plan is in no wave.
  for (let block = 0; block < blocks.length; block++) if (waveOf[block]! >= 0 && !isSettled(blocks[block]!)) counts[waveOf[block]!]!++;
  return counts;
}

// Loops over typed arrays alone stay compiled, while the platform throws away what it compiled for objects that are gone.

function isBegunInOrder(blocks: Uint8Array, waveOf: Int32Array, start: Int32Array, dependencies: Int32Array): boolean {
  for (let block = 0; block < blocks.length; block++) {
    // What is no part of the plan depends on nothing.
    if (waveOf[block]! < 0 || blocks[block] === PENDING) continue;
    for (let i = start[block]!; i < start[block + 1]!; i++) if (!isSettled(blocks[dependencies[i]!]!)) return false;
  }
  return true;
}

/** Whether the counts are these, and none is left before a wave. */
function areCounts(left: Int32Array, counts: Int32Array, wave: number): boolean {
  for (let i = 0; i < left.length; i++) if (left[i] !== counts[i] || (i < wave && left[i]! > 0)) return false;
  return true;
}
