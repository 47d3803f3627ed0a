import type { ErrorData } from "../model/errors.ts";
import type { ItemsEntry } from "../model/journal.ts";
import type { Value } from "../model/value.ts";
import type { Scope } from "../expression/scope.ts";
import { COMPLETED, FAILED, OPENED } from "./block-code.ts";
import { itemScope } from "./item-scope.ts";
import type { Items, RunState } from "./state.ts";
import { blockIndex, put, revive, takeTurn } from "./transition.ts";

/** What the run machine knows of items; loaded with a workflow, not with the entry. */
export interface ItemMachine {
  /** What the inputs of an item see. */
  scope(state: RunState, block: number, item: number): Scope;
  open(state: RunState, entry: ItemsEntry): void;
  settle(state: RunState, block: number, at: number): void;
  /** What failed is pending again; gives how many items that leaves to settle. */
  revive(state: RunState, block: number): number;
}

export const itemMachine: ItemMachine = { scope: itemScope, open: openItems, settle: settleItem, revive: reviveItems };

function openItems(state: RunState, { block: id, count, keys, at }: ItemsEntry): void {
  const block = blockIndex(state, id);
  takeTurn(state, { block }, "items");
  const names = keys ?? Array.from({ length: count }, (_, item) => String(item));
  state.items.set(block, { keys: names, codes: new Uint8Array(count), records: [], left: count });
  put(state, { block }, OPENED, { at, ms: 0 });
  const wave = state.compiled.plan.waveOf[block]!;
  state.unsettled[wave] = state.unsettled[wave]! + count - 1;
}

function reviveItems(state: RunState, block: number): number {
  const items = state.items.get(block)!;
  items.codes.forEach((code, item) => {
    if (code === FAILED) items.left += revive(state, { block, item });
  });
  put(state, { block }, OPENED, { at: state.lastAt, ms: 0 });
  return items.left;
}

/** Notes that one more item of a block has settled; with the last one the block has. What it gives follows from its items. */
function settleItem(state: RunState, block: number, at: number): void {
  const items = state.items.get(block)!;
  items.left--;
  if (items.left > 0) return;
  const failed = items.codes.indexOf(FAILED);
  const ms = items.records.reduce((sum, record) => sum + record!.ms, 0);
  const outputs = { results: items.records.map((record): Value => record!.outputs ?? null), keys: items.keys, count: items.keys.length };
  state.blocks[block] = failed < 0 ? COMPLETED : FAILED;
  state.records[block] = { at, ms, outputs, ...(failed < 0 ? {} : { error: itemError(items, failed) }) };
}

/** Tells of the first item that failed, and how many did. */
function itemError({ codes, keys, records }: Items, item: number): ErrorData {
  const { code, message, details } = records[item]!.error!;
  const count = codes.reduce((sum, one) => sum + (one === FAILED ? 1 : 0), 0);
  const others = count > 1 ? ` So did ${count - 1} more of ${codes.length}.` : "";
  return { code, message: `Item "${keys[item]!}" failed: ${message}${others}`, details: { ...details, item, failed: count } };
}
