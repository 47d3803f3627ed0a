import { walkPath } from "../expression/walk-path.ts";
import type { Scope } from "../expression/scope.ts";
import type { Value } from "../model/value.ts";
import type { ScopedRun } from "./context.ts";
import { itemOf, type Items } from "./state.ts";
import type { Unit } from "./unit.ts";

const values = new WeakMap<Items, readonly Value[]>();

/** What items are made of, and those that were made of it before. */
interface ItemSource {
  readonly base: Scope;
  readonly known: WeakMap<Items, readonly Value[]>;
}

/**
 * What the inputs of a unit see: all that the run sees, or what `base` shows, and those of an item of a block with `for_each` also `each`.
 */
export function unitScope(
  { compiled, state, scope }: ScopedRun,
  { block, item }: Unit,
  { base, known }: ItemSource = { base: scope, known: values },
): Scope {
  if (item === undefined) return base;
  const items = state.items.get(block)!;
  let all = known.get(items);
  // Not stored: like inputs, the items follow from the definition and the outputs that are.
  if (!all) known.set(items, (all = itemValues(compiled.block(block).each(base) ?? null)));
  const each = { value: all[item] ?? null, ...itemOf(state, block, item) };
  return { lookup: (path) => (path[0] === "each" ? walkPath(each, path, 1) : base.lookup(path)) };
}

/** The items of a list, or the values of an object's members. */
function itemValues(value: Value): readonly Value[] {
  return typeof value === "object" && value !== null ? Object.values(value) : [];
}
