import { WorkflowError } from "../model/errors.ts";
import type { ItemsEntry } from "../model/journal.ts";
import { MAX_ITEMS, MAX_VALUE_LENGTH } from "../model/limits.ts";
import { isRecord } from "../model/value.ts";
import { type Execution, itemIds, PENDING, type Sleeper, type Unit } from "../machine/machine.ts";
import { turnField } from "./record-step.ts";
import type { BlockSurroundings, Step } from "./step.ts";
import { showValue } from "../model/value-type.ts";

/** How one item is executed. */
interface Ways {
  /** With the answer to a pause of it. */
  resume(around: BlockSurroundings, pause: number): Promise<void> | undefined;
  /** After it waited for its instant. */
  runDue(around: BlockSurroundings, sleeper: Sleeper): Promise<void> | undefined;
  /** For the first time. */
  runItem(around: BlockSurroundings, unit: Unit): Promise<void> | undefined;
}

/**
 * Runs the items of a block that can run, at most `max_parallel` at the same time and no more than there are free slots. Rejects with
 * `EACH_INVALID` before anything of it has begun, and with what broken infrastructure throws.
 */
export function runItems(step: Step, due: Execution["items"], ways: Ways): Promise<void> | undefined {
  const { around, index } = step;
  const { session, signal, slots } = around;
  const { state } = session;
  if (step.hasEnded) return undefined;
  if (!state.items.has(index)) {
    // Of items that there were before a revision, those that are given the same are kept first.
    if (!open(step) || state.candidates.size > 0) return undefined;
  }
  const jobs = findJobs(step, due, ways);
  const mostLanes = session.compiled.workflow.blocks[index]!.maxParallel ?? jobs.length;
  const { revisions } = state;
  const goesOn = (): boolean =>
    next < jobs.length && !state.finished && !signal.aborted && !session.broken && state.revisions === revisions;
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
function findJobs({ around, index: block }: Step, { due, pauses }: Execution["items"], { resume, runDue, runItem }: Ways): readonly Job[] {
  const { state } = around.session;
  const jobs: Job[] = [];
  for (const number of pauses) {
    if (state.pauses[number]!.block === block) jobs.push(() => resume(around, number));
  }
  for (const sleeper of due) {
    if (sleeper.block === block) jobs.push(() => runDue(around, sleeper));
  }
  state.items.get(block)!.codes.forEach((code, item) => {
    if (code === PENDING) jobs.push(() => runItem(around, { block, item }));
  });
  return jobs;
}

/** Records how many items there are; false where there are none and the block is skipped. */
function open(step: Step): boolean {
  const { around, block, index, startedAt } = step;
  const { session, isRevisable } = around;
  const value = session.compiled.block(index).each(session.scope);
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
    session.record({ type: "skipped", block, at: startedAt, ...turnField(step), reason: { kind: "empty" } });
    return false;
  }
  const entry: ItemsEntry = {
    type: "items",
    block,
    count: keys.length,
    ...(Array.isArray(value) ? {} : { keys }),
    ...(isRevisable ? { ids: itemIds(value) } : {}),
    ...turnField(step),
    at: startedAt,
  };
  const text = JSON.stringify(entry);
  if (text.length > MAX_VALUE_LENGTH) throw new WorkflowError("LIMIT_EXCEEDED", `The keys of the items of block "${block}" are too long.`);
  session.record(entry, entry, { text });
  return true;
}
