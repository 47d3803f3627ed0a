import type { RunHead } from "../model/run.ts";
import { groupBy } from "../model/group-by.ts";

/** Runs by the one that called them. */
export type CalledRuns = ReadonlyMap<string | undefined, readonly RunHead[]>;

export function groupByCaller(heads: readonly RunHead[]): CalledRuns {
  return groupBy(heads, ({ parent }) => parent?.run);
}

/** A run and those it called, directly or not, as lists tell of them, each behind its caller. */
export function familyOf<Run extends Pick<RunHead, "id">>(run: Run, called: CalledRuns): readonly (Run | RunHead)[] {
  // A tampered store may hold runs that call each other.
  const family = new Map<string, Run | RunHead>([[run.id, run]]);
  // What is added while the map is walked is walked too.
  for (const { id } of family.values()) for (const child of called.get(id) ?? []) if (!family.has(child.id)) family.set(child.id, child);
  return [...family.values()];
}
