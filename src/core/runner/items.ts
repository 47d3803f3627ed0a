import { WorkflowError } from "../model/errors.ts";
import type { ItemsEntry } from "../model/journal.ts";
import { MAX_ITEMS, MAX_VALUE_LENGTH } from "../model/limits.ts";
import { isRecord } from "../model/value.ts";
import { showValue } from "../model/value-type.ts";
import { itemIds, PENDING } from "../machine/machine.ts";
import { recordThrown } from "./execute-unit.ts";
import { turnField } from "./record-step.ts";
import { type Job, StepContext, type Workplace } from "./step-context.ts";

/**
 * The items of a block that can run, yielded one after another: those that waited for an answer or an instant come before those that have not begun. The
 * number of items is recorded first. Throws `EACH_INVALID` for a value that has no items.
 */
export function* itemJobs(place: Workplace, block: number, waited: readonly Job[]): Generator<Job, void> {
  const { state } = place.session;
  if (!state.items.has(block)) {
    const step = new StepContext(place, { block });
    try {
      openItems(step);
    } catch (error) {
      void recordThrown(step, error);
    }
    // After a revision, items that get the same inputs as before are kept first.
    if (!state.items.has(block) || state.revisions > 0) return;
  }
  yield* waited;
  const { codes } = state.items.get(block)!;
  for (let item = 0; item < codes.length; item++) if (codes[item] === PENDING) yield { block, item };
}

/** Records how many items there are. A block without items is skipped. */
function openItems(step: StepContext): void {
  const { place, session, compiled, unit, block, startedAt } = step;
  const value = compiled.block(unit.block).each(session.scope);
  if (!Array.isArray(value) && !isRecord(value)) {
    throw new WorkflowError(
      "EACH_INVALID",
      `The for_each of block "${block}" must give a list, an object or a count, not ${showValue(value)}. Look at what it refers to.`,
    );
  }
  const keys = Object.keys(value);
  if (keys.length > MAX_ITEMS) {
    throw new WorkflowError("EACH_INVALID", `The for_each of block "${block}" gives ${keys.length} items; ${MAX_ITEMS} are allowed.`, {
      details: { count: keys.length, limit: MAX_ITEMS },
    });
  }
  if (keys.length === 0) {
    return session.record({ type: "skipped", block, at: startedAt, ...turnField(step), reason: { kind: "empty" } });
  }
  const entry: ItemsEntry = {
    type: "items",
    block,
    count: keys.length,
    ...(Array.isArray(value) ? {} : { keys }),
    ...(place.isRevisable ? { ids: itemIds(value) } : {}),
    ...turnField(step),
    at: startedAt,
  };
  const text = JSON.stringify(entry);
  if (text.length > MAX_VALUE_LENGTH) throw new WorkflowError("LIMIT_EXCEEDED", `The keys of the items of block "${block}" are too long.`);
  session.record(entry, entry, { text });
}
