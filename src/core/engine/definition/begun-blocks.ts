import { COMPLETED, FAILED, PENDING, SKIPPED_BLOCK } from "../block-code.ts";
import type { RunState } from "../state.ts";
import { unitOfKey } from "../unit.ts";

/** Nothing of the block has happened. */
export const UNTOUCHED = 0;
/** It has items, asks, waits, runs once more or called a workflow, or its failure is about to end the run. */
export const UNDER_WAY = 1;
/** It has its record, and what depends on it may run. */
export const SETTLED = 2;

/** How far each block of a run is, by its number. */
export function stagesOf(state: RunState): Uint8Array {
  const { blocks } = state.compiled.workflow;
  const called = new Set([...state.callers.values()].map(({ block }) => block));
  for (const key of state.begun.keys()) called.add(unitOfKey(key).block);
  return Uint8Array.from(state.blocks, (code, block) => {
    if (code === COMPLETED || code === SKIPPED_BLOCK) return SETTLED;
    if (code === FAILED) return blocks[block]!.continueOnError === true ? SETTLED : UNDER_WAY;
    return code !== PENDING || state.records.get(block) !== undefined || called.has(block) ? UNDER_WAY : UNTOUCHED;
  });
}
