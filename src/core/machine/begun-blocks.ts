import { COMPLETED, FAILED, PENDING, SKIPPED_BLOCK } from "./block-code.ts";
import type { RunReading } from "./state.ts";
import { unitOfKey } from "./unit.ts";

/** Nothing of the block has happened. */
export const UNTOUCHED = 0;
/** It has items, asks, waits, runs once more or called a workflow, or its failure is about to end the run. */
export const UNDER_WAY = 1;
/** It has its record, and what depends on it may run. */
export const SETTLED = 2;

/** How far each block of a run is, by its number. */
export function stagesOf({ compiled, state }: RunReading): Uint8Array {
  const { blocks } = compiled.workflow;
  const called = new Set([...state.callers.values()].map(({ block }) => block));
  for (const key of state.begun.keys()) called.add(unitOfKey(key).block);
  return Uint8Array.from(state.blocks, (code, block) => {
    if (code === COMPLETED || code === SKIPPED_BLOCK) return SETTLED;
    if (code === FAILED) return blocks[block]!.continueOnError === true ? SETTLED : UNDER_WAY;
    // What a revision opened begins anew, with the run that it called.
    const isCalled = called.has(block) && !state.turns.has(block);
    return code !== PENDING || state.records.get(block) !== undefined || isCalled ? UNDER_WAY : UNTOUCHED;
  });
}
