import type { ErrorData } from "../model/errors.ts";
import type { Value } from "../model/value.ts";
import { COMPLETED, FAILED } from "./block-code.ts";
import type { Items, RunState } from "./state.ts";

/** Notes that one more item of a block has settled; with the last one the block has. What it gives follows from its items. */
export function settleItem(state: RunState, block: number, at: number): void {
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
