import type { BlockType } from "wavepoint";

/** What a {@link countBlocks} has seen: how often blocks began to execute. A `resume` is no second execution. */
export interface BlockCounts {
  /** Executions by run id, then by block id. */
  readonly byRun: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

/** Block types that do what the given ones do and are counted. */
export function countBlocks(types: readonly BlockType[]): { readonly types: BlockType[]; readonly counts: BlockCounts } {
  const byRun = new Map<string, Map<string, number>>();
  const counted = types.map((type): BlockType => ({
    ...type,
    execute(context) {
      const { run, block } = context as { readonly run: string; readonly block: string };
      const blocks = byRun.get(run) ?? new Map<string, number>();
      byRun.set(run, blocks.set(block, (blocks.get(block) ?? 0) + 1));
      return type.execute(context);
    },
  }));
  return { types: counted, counts: { byRun } };
}
