import type { ErrorData } from "../model/errors.ts";
import type { ItemsEntry } from "../model/journal.ts";
import type { Value } from "../model/value.ts";
import type { Scope } from "../expression/scope.ts";
import { COMPLETED, FAILED, OPENED } from "./block-code.ts";
import type { Execution } from "./decide.ts";
import { itemScope } from "./item-scope.ts";
import { viewItems } from "./item-views.ts";
import { put, type Items, type RunState, type StepRecord } from "./state.ts";
import { revive } from "./revive.ts";
import { blockIndex, takeTurn } from "./transition.ts";
import type { Unit } from "./unit.ts";

/** What the run machine knows of items; loaded with a workflow, not with the entry. */
export interface ItemMachine {
  /** What the inputs of an item see. */
  scope(state: RunState, block: number, item: number): Scope;
  settle(state: RunState, block: number, at: number): void;
  /** The items that failed are pending again; gives how many. */
  revive(state: RunState, block: number): number;
  view: typeof viewItems;
  /** What the items of a block do is one piece of work, so that no more of them run at the same time than it allows. */
  gather(state: RunState, work: Execution): Execution;
}

export const itemMachine: ItemMachine = { scope: itemScope, settle: settleItem, revive: reviveItems, view: viewItems, gather: gatherItems };

/** A block with `for_each` begins. */
export function openItems(state: RunState, { block: id, count, keys, at }: ItemsEntry): void {
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
  let revived = 0;
  items.codes.forEach((code, item) => {
    if (code === FAILED) revived += revive(state, { block, item });
  });
  items.left += revived;
  put(state, { block }, OPENED, { at: state.lastAt, ms: 0 });
  return revived;
}

/** Notes that one more item of a block has settled; with the last one the block has. What it gives follows from its items. */
function settleItem(state: RunState, block: number, at: number): void {
  const items = state.items.get(block)!;
  items.left--;
  if (items.left > 0) return;
  const failed = items.codes.indexOf(FAILED);
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

function gatherItems({ pauses }: RunState, work: Execution): Execution {
  const blocks = new Set(work.blocks);
  const isBlock = ({ block, item }: Unit): boolean => {
    if (item !== undefined) blocks.add(block);
    return item === undefined;
  };
  const own = { due: work.due.filter(isBlock), pauses: work.pauses.filter((number) => isBlock(pauses[number]!)) };
  return { ...work, ...own, blocks: [...blocks] };
}

/** Tells of the first item that failed, and how many did. */
function itemError({ codes, keys, records }: Items, item: number): ErrorData {
  const { code, message, details } = records[item]!.error!;
  const count = codes.reduce((sum, one) => sum + (one === FAILED ? 1 : 0), 0);
  const others = count > 1 ? ` So did ${count - 1} more of ${codes.length}.` : "";
  return { code, message: `Item "${keys[item]!}" failed: ${message}${others}`, details: { ...details, item, failed: count } };
}
