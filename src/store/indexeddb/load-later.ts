import type * as later from "./later.ts";

let loaded: typeof later | undefined;

/**
 * What a page loads when it first lists, reads or begins to write to a run. Once it is there, nobody waits for the next task to get it: a page
 * that is being left comes to no other.
 */
export async function loadLater(): Promise<typeof later> {
  return (loaded ??= await import("./later.ts"));
}
