import type { PausedEntry } from "../model/journal.ts";

/** What is executed: a block, or one item of a block with `for_each`. */
export interface Unit {
  /** The number of the block in the plan. */
  readonly block: number;
  readonly item?: number | undefined;
}

/** A key for maps and sets of units. */
export type UnitKey = number | string;

export function unitKey({ block, item }: Unit): UnitKey {
  return item === undefined ? block : `${block}/${item}`;
}

/** The unit with this key. */
export function unitOfKey(key: UnitKey): Unit {
  const [block, item] = String(key).split("/");
  return item === undefined ? { block: Number(block) } : { block: Number(block), item: Number(item) };
}

/** The blocks from this run's down to the one that asks. */
export function pausePath({ block, item, path = [] }: PausedEntry): readonly string[] {
  return [unitName(block, item), ...path];
}

/** The name of a unit in paths, addresses and idempotency keys: `block`, or `block[2]`. */
export function unitName(block: string, item: number | undefined): string {
  return item === undefined ? block : `${block}[${item}]`;
}

/** The block and the item with this name. */
export function readUnitName(name: string): { readonly block: string; readonly item?: number } {
  const [, block = name, item] = /^(.*)\[(\d+)\]$/.exec(name) ?? [];
  return item === undefined ? { block } : { block, item: Number(item) };
}
