import { WorkflowError } from "../model/errors.ts";
import type { ItemsEntry } from "../model/journal.ts";
import { MAX_ITEMS, MAX_VALUE_LENGTH } from "../model/limits.ts";
import { isRecord } from "../model/value.ts";
import { PENDING, WAITING } from "./block-code.ts";
import { isDueItem } from "./decide.ts";
import { runItem } from "./run-block.ts";
import type { RunState } from "./state.ts";
import type { Step } from "./step.ts";
import { unitKey } from "./unit.ts";
import { showValue } from "./value-type.ts";

/**
 * Runs the items of a block that have not run, at most `max_parallel` at the same time and no more than there are free slots. Rejects with
 * `EACH_INVALID` before anything of it has begun, and with what broken infrastructure throws.
 */
export async function runItems(step: Step): Promise<void> {
  const { around, index } = step;
  const { state } = around.session;
  if (!state.items.has(index) && !open(step)) return;
  const pending = pendingItems(state, index, around.session.now());
  const mostLanes = state.compiled.workflow.blocks[index]!.maxParallel ?? pending.length;
  let next = 0;
  const lanes: Promise<void>[] = [];
  // The block came with one slot; more lanes are opened as other slots become free.
  const widen = (): void => {
    while (around.slots.free > 0 && lanes.length < Math.min(mostLanes, pending.length) && next < pending.length) {
      around.slots.free--;
      lanes.push(lane().finally(() => around.slots.free++));
    }
  };
  const lane = async (): Promise<void> => {
    while (next < pending.length && !state.finished && !around.signal.aborted) {
      await runItem(around, { block: index, item: pending[next++]! });
      widen();
    }
  };
  lanes.push(lane());
  widen();
  // Lanes may be opened while others are waited for.
  for (let i = 0; i < lanes.length; i++) await lanes[i];
}

function pendingItems({ items, sleepers }: RunState, block: number, now: number): readonly number[] {
  const pending: number[] = [];
  items.get(block)!.codes.forEach((code, item) => {
    const sleeper = code === WAITING ? sleepers.get(unitKey({ block, item })) : undefined;
    if (code === PENDING || (sleeper && isDueItem(sleeper) && sleeper.until <= now)) pending.push(item);
  });
  return pending;
}

/** Records how many items there are; false where there are none and the block is skipped. */
function open({ around: { session }, block, index, startedAt }: Step): boolean {
  const { state } = session;
  const value = state.compiled.block(index).each(state.scope);
  if (!Array.isArray(value) && !isRecord(value)) {
    throw new WorkflowError(
      "EACH_INVALID",
      `The for_each of block "${block}" must give a list or an object, not ${showValue(value)}. Look at what it refers to.`,
    );
  }
  const keys = Object.keys(value);
  if (keys.length > MAX_ITEMS) {
    throw new WorkflowError("EACH_INVALID", `The for_each of block "${block}" gives ${keys.length} items; ${MAX_ITEMS} are allowed.`, {
      details: { count: keys.length, limit: MAX_ITEMS },
    });
  }
  if (keys.length === 0) {
    session.record({ type: "skipped", block, at: startedAt, reason: { kind: "empty" } });
    return false;
  }
  const entry: ItemsEntry = { type: "items", block, count: keys.length, ...(Array.isArray(value) ? {} : { keys }), at: startedAt };
  const text = JSON.stringify(entry);
  if (text.length > MAX_VALUE_LENGTH) throw new WorkflowError("LIMIT_EXCEEDED", `The keys of the items of block "${block}" are too long.`);
  session.record(entry, entry, text);
  return true;
}
