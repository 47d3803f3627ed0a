import { WorkflowError } from "../model/errors.ts";
import type { MemoizedEntry } from "../model/journal.ts";
import { MAX_MEMO_KEY_LENGTH } from "../model/limits.ts";
import { memoOf } from "../machine/machine.ts";
import { entryText } from "./record-step.ts";
import { assertUnderWay, nameUnit, type StepContext } from "./step-context.ts";

/** Gives the result that is stored under a key of a unit. Else calls `make`, and gives its result once that is stored. */
export async function memoize(step: StepContext, key: string, make: (idempotencyKey: string) => unknown): Promise<unknown> {
  const { session, block } = step;
  if (typeof key !== "string" || key === "" || key.length > MAX_MEMO_KEY_LENGTH) {
    throw new WorkflowError(
      "OUTPUT_INVALID",
      `Block "${block}" gave once no key. Give it a text of 1 to ${MAX_MEMO_KEY_LENGTH} characters.`,
    );
  }
  const known = await findMemo(step, key);
  if (known) return known.value;
  assertUnderWay(step);
  const what = `What block "${block}" stores under "${key}"`;
  const { encoded, value } = await session.encode(await make(`${step.idempotencyKey}/${key}`), what);
  assertUnderWay(step);
  // An attempt that timed out may still have been at work. Of two results the first counts.
  const first = await findMemo(step, key);
  if (!first) {
    const entry: MemoizedEntry = {
      type: "memoized",
      ...nameUnit(session, step.unit),
      key,
      given: step.basis,
      value: encoded,
      at: session.now(),
    };
    const text = entryText(entry, what);
    session.assertRoom(text.length);
    session.record(entry, { ...entry, value }, { text });
  }
  await session.flushed();
  return first ? first.value : step.open(value);
}

/** What was stored under the key for what this execution is given. Rejects with `SECRET_MISSING`. */
async function findMemo(step: StepContext, key: string): Promise<{ readonly value: unknown } | undefined> {
  const memo = memoOf(step.state, step.unit, key, step.basis);
  if (!memo) return undefined;
  const value = step.open(memo.held);
  if (!step.lacksSecrets) return { value };
  await step.regainSecrets();
  return { value: step.open(memo.held) };
}
