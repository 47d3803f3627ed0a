import type { Scope } from "../expression/scope.ts";
import { type Unit, unitScope } from "../machine/machine.ts";
import type { Session } from "./session.ts";

/** What the inputs of a unit see: what stands under secret keys as it is. Markers whose values are not here join `missing`. */
export function openScope(session: Session, unit: Unit, missing: Set<string>): Scope {
  const { kept, folded } = session;
  if (!kept) return unitScope(session, unit);
  const before = missing.size;
  const scope = unitScope(session, unit, { base: kept.scope(folded.scope, missing), known: kept.items });
  // Items that are not complete yet are made again.
  if (unit.item !== undefined && missing.size > before) kept.items.delete(folded.state.items.get(unit.block)!);
  return scope;
}
