import type { Execution } from "../machine/machine.ts";
import { resumeBlock, runBlock, runDue } from "./run-block.ts";
import type { BlockSurroundings } from "./step.ts";

/**
 * Executes what was decided, in no more than the free slots. Quick blocks are done when it returns; a promise is given only where some take
 * time. Rejects only with what broken infrastructure throws.
 */
export function executeDecision(around: BlockSurroundings, { blocks, due, pauses, items }: Execution): Promise<unknown> | undefined {
  const { slots, session } = around;
  const { state } = session;
  const total = blocks.length + due.length + pauses.length;
  let next = 0;
  const { revisions } = state;
  // Nothing new is begun that could not be recorded, or that was decided before an answer was changed.
  const goesOn = (): boolean => !state.finished && !session.broken && state.revisions === revisions;
  const launch = (): Promise<void> | undefined => {
    let job = next++;
    if (job < blocks.length) return runBlock(around, blocks[job]!, items);
    job -= blocks.length;
    if (job < due.length) return runDue(around, due[job]!);
    return resumeBlock(around, pauses[job - due.length]!);
  };
  const work = async (): Promise<void> => {
    while (next < total && goesOn()) await launch();
    slots.free++;
  };
  const slow: Promise<void>[] = [];
  while (next < total && goesOn() && slots.free > 0) {
    slots.free--;
    const job = launch();
    if (job) slow.push(job);
    else slots.free++;
  }
  if (slow.length === 0) return undefined;
  return slow.length === 1 && next === total ? slow[0]!.then(() => void slots.free++) : Promise.all(slow.map((job) => job.then(work)));
}
