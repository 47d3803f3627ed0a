import type { RunState } from "./state.ts";

/**
 * The revision that is being folded takes back what the journal has from a place on: until here, a state holds something that was changed since. Stretches that
 * touch are one, so that there are never more of them than questions.
 */
export function noteSuperseded(state: RunState, from: number): void {
  const upTo = state.entries - 1;
  const stretches = (state.superseded ??= []);
  let after = Math.min(from, upTo);
  while ((stretches.at(-1)?.[1] ?? -1) >= after) after = Math.min(after, stretches.pop()![0]);
  stretches.push([after, upTo]);
}

/** Whether the state after so many entries holds something that a revision changed since. */
export function isSuperseded({ superseded = [] }: Pick<RunState, "superseded">, entries: number): boolean {
  return superseded.some(([after, upTo]) => entries > after && entries <= upTo);
}
