import type { Block } from "../model/workflow.ts";

/** A block that another one added while its run was under way. It has a number behind those of the definition, for good. */
export interface AddedBlock {
  readonly block: Block;
  /** The number of the block that added it, and the item. */
  readonly by: number;
  readonly item?: number | undefined;
  /** Its place among all that the block, or the item, added. */
  readonly place: number;
  /** Whether it fell away again: then it is no part of the plan. */
  readonly isGone: boolean;
}

/** The place of each block in the order of a definition to which blocks were added: each stands behind the one that added it, so that it does not depend on speed. */
export function orderAdded(added: readonly AddedBlock[], first: number): Int32Array {
  const ranks = new Int32Array(first + added.length);
  const byAdder = new Map<number, number[]>();
  for (const [i, { by }] of added.entries()) {
    const known = byAdder.get(by);
    if (known) known.push(first + i);
    else byAdder.set(by, [first + i]);
  }
  const of = (block: number): AddedBlock => added[block - first]!;
  const behind = (a: AddedBlock, b: AddedBlock): number => (b.item ?? -1) - (a.item ?? -1) || b.place - a.place;
  let rank = 0;
  for (let root = 0; root < first; root++) {
    const open = [root];
    for (let block = open.pop(); block !== undefined; block = open.pop()) {
      ranks[block] = rank++;
      // The last comes off the stack first.
      open.push(...(byAdder.get(block)?.toSorted((a, b) => behind(of(a), of(b))) ?? []));
    }
  }
  return ranks;
}
