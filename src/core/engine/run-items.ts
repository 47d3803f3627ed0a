import { WorkflowError } from "../model/errors.ts";
import type { ItemsEntry } from "../model/journal.ts";
import { MAX_ITEMS, MAX_VALUE_LENGTH } from "../model/limits.ts";
import { isRecord } from "../model/value.ts";
import { PENDING } from "./block-code.ts";
import { resumeBlock, runDue, runItem } from "./run-block.ts";
import type { BlockSurroundings, Step } from "./step.ts";
import { showValue } from "./value-type.ts";

/**
 * Runs the items of a block that can run, at most `max_parallel` at the same time and no more than there are free slots. Rejects with
 * `EACH_INVALID` before anything of it has begun, and with what broken infrastructure throws.
 */
export function runItems(step: Step): Promise<void> | undefined {
  const { around, index } = step;
  const { session, signal, slots } = around;
  const { state } = session;
  if (step.hasEnded || (!state.items.has(index) && !open(step))) return undefined;
  const jobs = findJobs(around, index);
  const mostLanes = state.compiled.workflow.blocks[index]!.maxParallel ?? jobs.length;
  const goesOn = (): boolean => next < jobs.length && !state.finished && !signal.aborted && !session.broken;
  let next = 0;
  let lanes = 0;
  return new Promise((resolve, reject) => {
    const lane = async (): Promise<void> => {
      while (goesOn()) {
        await jobs[next++]!();
        // Other blocks may have given their slots back.
        openLanes();
      }
    };
    const close = (): void => {
      lanes--;
      slots.free++;
      if (lanes === 0) end();
    };
    const openLanes = (): void => {
      while (slots.free > 0 && lanes < mostLanes && goesOn()) {
        lanes++;
        slots.free--;
        lane().then(close, reject);
      }
    };
    const end = (): void => {
      // The slot with which the block came is given back by who gave it.
      slots.free--;
      resolve();
    };
    slots.free++;
    openLanes();
    if (lanes === 0) end();
  });
}

type Job = () => Promise<void> | undefined;

/** What has an answer or has waited for its instant comes before what has not begun. */
function findJobs(around: BlockSurroundings, block: number): readonly Job[] {
  const { state } = around.session;
  const { answered, recheck, sleepers, pauses } = state;
  const now = around.session.now();
  const jobs: Job[] = [];
  for (const number of [...answered, ...recheck.values()]) {
    if (pauses[number]!.block === block) jobs.push(() => resumeBlock(around, number));
  }
  for (const sleeper of sleepers.values()) {
    if (sleeper.block === block && sleeper.until <= now) jobs.push(() => runDue(around, sleeper));
  }
  state.items.get(block)!.codes.forEach((code, item) => {
    if (code === PENDING) jobs.push(() => runItem(around, { block, item }));
  });
  return jobs;
}

/** Records how many items there are; false where there are none and the block is skipped. */
function open({ around: { session }, block, index, startedAt }: Step): boolean {
  const { state } = session;
  const value = state.compiled.block(index).each(state.scope);
  if (!Array.isArray(value) && !isRecord(value)) {
    throw new WorkflowError(
      "EACH_INVALID",
      `The for_each of block "${block}" must give a list or an object, not ${showValue(value)}. Look at what it refers to.`,
    );
  }
  const keys = Object.keys(value);
  if (keys.length > MAX_ITEMS) {
    throw new WorkflowError("EACH_INVALID", `The for_each of block "${block}" gives ${keys.length} items; ${MAX_ITEMS} are allowed.`, {
      details: { count: keys.length, limit: MAX_ITEMS },
    });
  }
  if (keys.length === 0) {
    session.record({ type: "skipped", block, at: startedAt, reason: { kind: "empty" } });
    return false;
  }
  const entry: ItemsEntry = { type: "items", block, count: keys.length, ...(Array.isArray(value) ? {} : { keys }), at: startedAt };
  const text = JSON.stringify(entry);
  if (text.length > MAX_VALUE_LENGTH) throw new WorkflowError("LIMIT_EXCEEDED", `The keys of the items of block "${block}" are too long.`);
  session.record(entry, entry, text);
  return true;
}
