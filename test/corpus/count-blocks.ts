import type { BlockContext, BlockType } from "wavepoint";

/** What a {@link countBlocks} has seen: how often blocks began to execute. A `resume` is no second execution. */
export interface BlockCounts {
  /** Executions by run id, then by block id; those of an item are counted for its block and for itself, as `block[2]`. */
  readonly byRun: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

/** Block types that do what the given ones do and are counted. */
export function countBlocks(types: readonly BlockType[]): { readonly types: BlockType[]; readonly counts: BlockCounts } {
  const byRun = new Map<string, Map<string, number>>();
  const counted = types.map((type): BlockType => ({
    ...type,
    execute(context) {
      const { run, block, item } = context as BlockContext<unknown>;
      const counts = byRun.get(run) ?? new Map<string, number>();
      byRun.set(run, counts);
      for (const name of item ? [block, `${block}[${item.index}]`] : [block]) counts.set(name, (counts.get(name) ?? 0) + 1);
      return type.execute(context);
    },
  }));
  return { types: counted, counts: { byRun } };
}
