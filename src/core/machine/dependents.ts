import type { CompiledWorkflow } from "../definition/definition.ts";

const readers = new WeakMap<CompiledWorkflow["block"], readonly (readonly number[])[]>();

/** The blocks whose outcome may be another where that of a block is: all that depend on it or refer to it, directly or not, without itself. */
export function dependentsOf(compiled: CompiledWorkflow, block: number): ReadonlySet<number> {
  const direct = readersOf(compiled);
  const found = new Set<number>(direct[block]);
  for (const next of found) for (const reader of direct[next]!) found.add(reader);
  found.delete(block);
  return found;
}

/** By block: those that depend on it or refer to it. Found out once for each definition. */
function readersOf(compiled: CompiledWorkflow): readonly (readonly number[])[] {
  const known = readers.get(compiled.block);
  if (known) return known;
  const { plan } = compiled;
  const lists = plan.ids.map((): number[] => []);
  plan.ids.forEach((_, block) => {
    const before = new Set<number>(plan.dependencies.subarray(plan.dependencyStart[block], plan.dependencyStart[block + 1]));
    const referred = compiled.block(block).refersTo();
    // A name that is only known once it is resolved may be any.
    if (referred === "any") {
      plan.ids.forEach((__, other) => {
        if (plan.waveOf[other]! < plan.waveOf[block]!) before.add(other);
      });
    } else for (const other of referred) before.add(other);
    for (const other of before) lists[other]!.push(block);
  });
  readers.set(compiled.block, lists);
  return lists;
}
