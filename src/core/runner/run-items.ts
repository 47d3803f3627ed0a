import { WorkflowError } from "../model/errors.ts";
import type { ItemsEntry } from "../model/journal.ts";
import { MAX_ITEMS, MAX_VALUE_LENGTH } from "../model/limits.ts";
import { isRecord } from "../model/value.ts";
import { type Execution, itemIds, PENDING, type RunState, type Unit } from "../machine/machine.ts";
import { turnField } from "./record-step.ts";
import { finishLater, runUnit } from "./run-block.ts";
import { type BlockSurroundings, Step } from "./step.ts";
import { showValue } from "../model/value-type.ts";

/**
 * Runs the items of a block that can run, at most `max_parallel` at the same time and no more than there are free slots. Records `EACH_INVALID` where
 * there can be no items; rejects only with what broken infrastructure throws.
 */
export function runItems(around: BlockSurroundings, block: number, due: Execution["items"]): Promise<void> {
  const step = new Step(around, { block });
  // After the blocks of the wave, so that a run that was cut off among the items goes on in the same order.
  return finishLater(
    step,
    Promise.resolve().then(() => launchItems(step, due)),
  );
}

async function launchItems(step: Step, due: Execution["items"]): Promise<"recorded"> {
  const { around, unit } = step;
  const { session, signal, slots } = around;
  const { state } = session;
  if (step.hasEnded) return "recorded";
  // Of items that there were before a revision, those that are given the same are kept first.
  if (!state.items.has(unit.block) && (!open(step) || state.candidates.size > 0)) return "recorded";
  const jobs = findJobs(state, unit.block, due);
  const mostLanes = step.definition.maxParallel ?? jobs.length;
  const { revisions } = state;
  const goesOn = (): boolean =>
    next < jobs.length && !state.finished && !signal.aborted && !session.broken && state.revisions === revisions;
  let next = 0;
  let lanes = 0;
  await new Promise<void>((resolve, reject) => {
    const lane = async (): Promise<void> => {
      while (goesOn()) {
        const job = jobs[next++]!;
        await runUnit(around, job, job.pause);
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
  return "recorded";
}

/** What is executed: an item, and the pause whose answer it goes on with. */
interface Job extends Unit {
  readonly pause?: number | undefined;
}

/** What has an answer or has waited for its instant comes before what has not begun. */
function findJobs(state: RunState, block: number, { due, pauses }: Execution["items"]): readonly Job[] {
  const jobs: Job[] = [];
  for (const pause of pauses) {
    const { block: of, item } = state.pauses[pause]!;
    if (of === block) jobs.push({ block, item, pause });
  }
  for (const sleeper of due) if (sleeper.block === block) jobs.push(sleeper);
  state.items.get(block)!.codes.forEach((code, item) => {
    if (code === PENDING) jobs.push({ block, item });
  });
  return jobs;
}

/** Records how many items there are; false where there are none and the block is skipped. */
function open(step: Step): boolean {
  const { around, unit, block, startedAt } = step;
  const { session, isRevisable } = around;
  const value = session.compiled.block(unit.block).each(session.scope);
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
