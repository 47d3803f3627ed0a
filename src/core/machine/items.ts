import { CALLING_TYPES } from "../model/workflow.ts";
import type { ErrorData } from "../model/errors.ts";
import type { ItemsEntry } from "../model/journal.ts";
import type { Value } from "../model/value.ts";
import { COMPLETED, FAILED, OPENED } from "./block-status.ts";
import type { Folding } from "./folding.ts";
import { put, type RunState } from "./state.ts";
import type { StepRecord } from "./step-records.ts";
import { admitRecord } from "./admit-record.ts";
import type { Items, UnitState } from "./unit-state.ts";
import { unitKey, type Unit } from "./unit.ts";

/** Folds that a block with `for_each` begins: its items are due. Throws `RUN_CORRUPT`. */
export function openItems(folding: Folding, unit: Unit, { count, keys, ids, at }: ItemsEntry): void {
  const { state, compiled } = folding;
  const { block } = unit;
  admitRecord(folding, unit, "items");
  const known = state.units.get(block);
  const before = known?.formerItems?.ids;
  // Called runs stay where they are: each is found by the place of its item.
  if (before && ids && !CALLING_TYPES.has(compiled.workflow.blocks[block]!.type)) {
    const from = ids.map((id) => before.indexOf(id));
    if (from.some((place, item) => place !== item)) moveItems(state, block, from);
  }
  if (known) known.formerItems = undefined;
  const names = keys ?? Array.from({ length: count }, (_, item) => String(item));
  state.items.set(block, { keys: names, codes: new Uint8Array(count), records: [], left: count, ...(ids ? { ids } : {}) });
  put(state, unit, OPENED, { at, ms: 0 });
  const wave = compiled.plan.waveOf[block]!;
  state.unsettled[wave] = state.unsettled[wave]! + count - 1;
}

/**
 * Moves what is known of items from before a revision to their places in the new list: `from` has the old place of each, or -1. An item at a new place
 * never gets an idempotency key that another item had.
 */
function moveItems(state: RunState, block: number, from: readonly number[]): void {
  const { units, pauses } = state;
  const before = [...units.values()].filter((unit) => unit.block === block && unit.item !== undefined);
  const highest = before.reduce((most, { key }) => Math.max(most, key?.k ?? 0), units.get(block)?.key?.k ?? 0);
  for (const unit of before) units.delete(unitKey(unit));
  const byItem = new Map(before.map((unit) => [unit.item, unit]));
  from.forEach((place, item) => {
    const moved: UnitState = { turn: 0, progress: { asked: [] }, ...byItem.get(place), block, item };
    moved.key = { given: moved.key?.given ?? "", k: highest };
    units.set(unitKey(moved), moved);
    // The questions of a candidate are those of the item at its new place.
    for (const number of moved.candidate?.progress.asked ?? []) {
      const pause = pauses[number]!;
      pauses[number] = { ...pause, item, entry: { ...pause.entry, item } };
    }
  });
}

/** Notes that one more item of a block has settled; with the last one, so has the block. Its outputs follow from its items. */
export function settleItem(state: RunState, block: number, at: number): void {
  const items = state.items.get(block)!;
  items.left--;
  if (items.left > 0) return;
  const failed = items.codes.indexOf(FAILED);
  if (items.records.some((record) => record!.assumed)) return put(state, { block }, COMPLETED, { at, ms: 0, assumed: true });
  const outputs = { results: items.records.map((record): Value => record!.outputs ?? null), keys: items.keys, count: items.keys.length };
  const record = { at, ms: busyMs(items.records), outputs, ...(failed < 0 ? {} : { error: itemError(items, failed) }) };
  put(state, { block }, failed < 0 ? COMPLETED : FAILED, record);
}

/** How long items ran, in milliseconds; time that several ran at once counts once. */
function busyMs(records: readonly (StepRecord | undefined)[]): number {
  let [busy, until] = [0, -Infinity];
  const byStart = records.map((record) => ({ from: record!.at - record!.ms, to: record!.at })).toSorted((a, b) => a.from - b.from);
  for (const { from, to } of byStart) {
    if (to <= until) continue;
    busy += to - Math.max(from, until);
    until = to;
  }
  return busy;
}

/** Tells of the first item that failed, and how many did. */
function itemError({ codes, keys, records }: Items, item: number): ErrorData {
  const { code, message, details } = records[item]!.error!;
  const count = codes.reduce((sum, one) => sum + (one === FAILED ? 1 : 0), 0);
  const others = count > 1 ? ` So did ${count - 1} more of ${codes.length}.` : "";
  return { code, message: `Item "${keys[item]!}" failed: ${message}${others}`, details: { ...details, item, failed: count } };
}
