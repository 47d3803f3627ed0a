import type { CheckpointInfo } from "../../../core/model/checkpoint.ts";
import type { BlockStatus, BlockView, RunView } from "../../../core/model/view.ts";

/** Gives what shows a run as it stood at a checkpoint: the same object as long as neither changes. */
export function viewAtCheckpoint(): (view: RunView, checkpoint: CheckpointInfo | undefined) => RunView {
  let known: { readonly view: RunView; readonly checkpoint: CheckpointInfo; readonly past: RunView } | undefined;
  return (view, checkpoint) => {
    if (!checkpoint) return view;
    if (known?.view !== view || known.checkpoint !== checkpoint) known = { view, checkpoint, past: pastOf(view, checkpoint) };
    return known.past;
  };
}

function pastOf(view: RunView, { completedBlocks, skippedBlocks, pauses, pausedBlock }: CheckpointInfo): RunView {
  const standing = new Map<string, BlockStatus>([
    ...completedBlocks.map((id) => [id, "completed"] as const),
    ...skippedBlocks.map((id) => [id, "skipped"] as const),
    ...[pausedBlock ?? [], ...pauses.map(({ path }) => path[0] ?? [])].flat().map((id) => [id, "paused"] as const),
  ]);
  const { compensations: _, ...rest } = view;
  return {
    ...rest,
    waves: view.waves.map((wave) => ({ ...wave, blocks: wave.blocks.map((block) => blockAt(block, standing.get(block.id) ?? "pending")) })),
  };
}

/** What a block has now and did not have there is left out. */
function blockAt(block: BlockView, status: BlockStatus): BlockView {
  if (status === block.status) return block;
  const { id, type, description } = block;
  return { id, type, ...(description === undefined ? {} : { description }), status };
}
