import { fingerprint } from "../model/fingerprint.ts";
import type { MemoizedEntry } from "../model/journal.ts";
import { assertItem, type Folding } from "./folding.ts";
import { endSuperstep } from "./supersteps.ts";
import type { RunState } from "./state.ts";
import { changeUnit, type Memo, type UnitState, unitState } from "./unit-state.ts";
import { unitKey, type Unit } from "./unit.ts";

/** What an execution was given, without answers. */
export function inputsOfGiven(given: string): string {
  return given.split(".", 1)[0]!;
}

/** What was given beside the inputs, folded into one part of what is given next; nothing where there was nothing. */
export function foldedPart(given: string | undefined): string | undefined {
  const end = given?.indexOf(".") ?? -1;
  return end < 0 ? undefined : fingerprint(given!.slice(end + 1));
}

/** Whether this is what was given before, maybe with more behind it: the execution goes on, or runs once more. */
export function isMore(given: string, before: string | undefined): boolean {
  const folded = foldedPart(before);
  return [before, folded && `${inputsOfGiven(before!)}.${folded}`].some((start) => `${given}.`.startsWith(`${start}.`));
}

/** Whether a value was stored for what its unit is given, now or in what led there. */
function isFor({ pauses }: RunState, { progress: { asked, loop } }: Readonly<UnitState>, given: string, memo: Memo): boolean {
  const earlier = [...asked.map((number) => pauses[number]!.entry), ...(loop?.past ?? [])];
  return [{ given }, ...earlier].some((one) => isMore(one.given ?? "", memo.given));
}

/** The value that a unit with these inputs has stored under a key. */
export function memoOf(state: RunState, unit: Unit, key: string, given: string): Memo | undefined {
  const own = unitState(state, unit);
  const memo = own.memos?.get(inputsOfGiven(given))?.get(key);
  return memo && isFor(state, own, given, memo) ? memo : undefined;
}

/** Folds that an execution stored a value under a key. The value counts whenever the unit gets the same inputs, also after revisions. Throws `RUN_CORRUPT`. */
export function foldMemoized(folding: Folding, unit: Unit, { key, given, value }: MemoizedEntry): void {
  const { state } = folding;
  // A revision may have taken the item away.
  if (state.revisions > 0 && unit.item !== undefined && state.items.get(unit.block)?.codes[unit.item] === undefined) return;
  assertItem(folding, unit);
  if (state.round.size > 0 && state.round.has(unitKey(unit))) endSuperstep(folding, state.entries - 1);
  const memos = (changeUnit(state, unit).memos ??= new Map());
  const inputs = inputsOfGiven(given);
  const known = memos.get(inputs);
  if (known) known.set(key, { given, held: value });
  else memos.set(inputs, new Map([[key, { given, held: value }]]));
}

/**
 * Drops the values that were stored for other inputs than a unit gets now: if those come back, the service has to be called again. In a loop inputs may
 * alternate, so there only another answer drops them.
 */
export function dropMemos(state: RunState, own: UnitState, given: string): void {
  const { memos, progress } = own;
  if (!memos) return;
  const inputs = inputsOfGiven(given);
  for (const of of progress.loop ? [inputs] : [...memos.keys()]) {
    const known = memos.get(of);
    for (const [key, memo] of known ?? []) if (!isFor(state, own, given, memo)) known!.delete(key);
    if (known?.size === 0) memos.delete(of);
  }
}
