import type { Decision } from "./decide.ts";
import { resumeBlock, runBlock } from "./run-block.ts";
import type { RunState } from "./state.ts";
import type { BlockSurroundings } from "./step.ts";

/**
 * Executes what was decided, at most `maxParallel` blocks at the same time. Quick blocks are done when it returns; a promise is given only
 * where some take time. Rejects only with what broken infrastructure throws.
 */
export function executeDecision(
  around: BlockSurroundings,
  { blocks, answered, recheck }: Extract<Decision, { do: "execute" }>,
  maxParallel: number,
): Promise<unknown> | undefined {
  const { state } = around.session;
  const total = blocks.length + answered.length + recheck.length;
  let next = 0;
  const launch = (): Promise<void> | undefined => {
    let job = next++;
    if (job < blocks.length) return runBlock(around, blocks[job]!);
    job -= blocks.length;
    if (job < answered.length) return resumeBlock(around, state.pauses[answered[job]!]!.block, answered[job]!);
    const block = recheck[job - answered.length]!;
    state.recheck.delete(block);
    return resumeBlock(around, block, lastPauseOf(state, block));
  };
  const work = async (): Promise<void> => {
    while (next < total && !state.finished) await launch();
  };
  const slow: Promise<void>[] = [];
  while (next < total && !state.finished && slow.length < maxParallel) {
    const job = launch();
    if (job) slow.push(job);
  }
  if (slow.length === 0) return undefined;
  if (next < total) return Promise.all(slow.map((job) => job.then(work)));
  return slow.length === 1 ? slow[0] : Promise.all(slow);
}

function lastPauseOf({ pauses }: RunState, block: number): number {
  return pauses.findLastIndex((pause) => pause.block === block);
}
