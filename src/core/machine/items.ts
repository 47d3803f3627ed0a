import { CALLING_TYPES } from "../model/workflow.ts";
import type { ErrorData } from "../model/errors.ts";
import type { ItemsEntry } from "../model/journal.ts";
import type { Value } from "../model/value.ts";
import { COMPLETED, FAILED, OPENED } from "./block-status.ts";
import type { Folding } from "./fold-context.ts";
import { type Candidate, put, type Items, type RunState } from "./state.ts";
import type { StepRecord } from "./step-records.ts";
import { unitKey, unitOfKey, type UnitKey } from "./unit.ts";
import { blockIndex, takeTurn } from "./turns.ts";

/** A block with `for_each` begins. */
export function openItems(folding: Folding, { block: id, count, keys, ids, at }: ItemsEntry): void {
  const { state, compiled } = folding;
  const block = blockIndex(folding, id);
  takeTurn(folding, { block }, "items");
  const names = keys ?? Array.from({ length: count }, (_, item) => String(item));
  const before = state.formerItems.get(block);
  // Called runs stay where they are: each is found by the place of its item.
  if (before?.ids && ids && !CALLING_TYPES.has(compiled.workflow.blocks[block]!.type))
    moveItems(
      state,
      block,
      ids.map((id) => before.ids!.indexOf(id)),
    );
  state.formerItems.delete(block);
  state.items.set(block, { keys: names, codes: new Uint8Array(count), records: [], left: count, ...(ids ? { ids } : {}) });
  put(state, { block }, OPENED, { at, ms: 0 });
  const wave = compiled.plan.waveOf[block]!;
  state.unsettled[wave] = state.unsettled[wave]! + count - 1;
}

/**
 * What is known of the items of a block from before a revision goes with them to their places in the new list: `from` has the place that each had, or
 * -1. No idempotency key of an item that stands elsewhere now was ever that of another one.
 */
function moveItems(state: RunState, block: number, from: readonly number[]): void {
  if (from.every((place, item) => place === item)) return;
  const { candidates, keys, effects, former } = state;
  const highest = [...keys].reduce((most, [key, { k }]) => (unitOfKey(key).block === block ? Math.max(most, k) : most), 0);
  for (const map of [candidates, keys, effects, former] as readonly Map<UnitKey, unknown>[]) {
    const known = from.map((place) => map.get(unitKey({ block, item: place })));
    for (const key of map.keys()) if (isItemOf(key, block)) map.delete(key);
    known.forEach((value, item) => {
      if (value !== undefined) map.set(unitKey({ block, item }), value);
    });
  }
  from.forEach((_, item) => {
    const candidate = candidates.get(unitKey({ block, item }));
    if (candidate) candidates.set(unitKey({ block, item }), moveCandidate(state, candidate, item));
    const key = unitKey({ block, item });
    const { given = "" } = keys.get(key) ?? {};
    keys.set(key, { given, k: highest });
  });
}

/** The questions of a candidate are those of the item at its new place. */
function moveCandidate({ pauses }: RunState, candidate: Candidate, item: number): Candidate {
  for (const number of candidate.pauses) {
    const pause = pauses[number]!;
    pauses[number] = { ...pause, item, entry: { ...pause.entry, item } };
  }
  return { ...candidate, sleeper: candidate.sleeper && { ...candidate.sleeper, item } };
}

function isItemOf(key: UnitKey, block: number): boolean {
  const unit = unitOfKey(key);
  return unit.block === block && unit.item !== undefined;
}

/** Notes that one more item of a block has settled; with the last one the block has. What it gives follows from its items. */
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

/** How long any of the items ran: what runs at the same time counts once. */
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
