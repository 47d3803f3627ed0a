import { walkPath } from "../expression/walk-path.ts";
import type { Scope } from "../expression/scope.ts";
import type { Value } from "../model/value.ts";
import { itemOf, type Items, type RunState } from "./state.ts";

const values = new WeakMap<Items, readonly Value[]>();

/** What the inputs of one item of a block with `for_each` see: `each`, and all that the run sees. */
export function itemScope(state: RunState, block: number, item: number): Scope {
  const items = state.items.get(block)!;
  let all = values.get(items);
  // Not stored: like inputs, the items follow from the definition and the outputs that are.
  if (!all) values.set(items, (all = itemValues(state.compiled.block(block).each(state.scope) ?? null)));
  const each = { value: all[item] ?? null, ...itemOf(state, block, item) };
  return { lookup: (path) => (path[0] === "each" ? walkPath(each, path, 1) : state.scope.lookup(path)) };
}

/** The items of a list, or the values of an object's members. */
function itemValues(value: Value): readonly Value[] {
  return typeof value === "object" && value !== null ? Object.values(value) : [];
}
