import { WorkflowError } from "../../model/errors.ts";
import type { Values } from "../../model/value.ts";
import { channelCode, type FoldedRun, UNTOUCHED } from "../../machine/machine.ts";

interface Falling {
  readonly units: readonly number[];
  readonly stages: Uint8Array;
  /** What channels are given. */
  readonly held: Values | undefined;
}

/** Throws `CHANNEL_INVALID` where blocks that run again had written to channels, and what these held before that is not known any more. */
export function assertWritesFall(past: FoldedRun, { units, stages, held = {} }: Falling): void {
  const code = channelCode(past);
  if (!code || past.state.holdsDeltas) return;
  for (const block of units.filter((one) => stages[one] !== UNTOUCHED)) {
    const written = code.channelsWritten(past, block).find((name) => !Object.hasOwn(held, name));
    if (written === undefined) continue;
    const id = past.compiled.plan.ids[block]!;
    const message = `Block "${id}" has run at this checkpoint and may have written to channel "${written}". Begin at a block with startAt and say in channels what that shall hold, or fork at a checkpoint before it.`;
    throw new WorkflowError("CHANNEL_INVALID", message, { details: { block: id, channel: written } });
  }
}
