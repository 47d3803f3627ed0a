import type * as States from "./states/states.ts";

let states: typeof States | undefined;

/** Loads the code for states that are kept whole: before the first block of a run whose policy drops its past, and wherever such a state is read. */
export async function loadStates(): Promise<typeof States> {
  return (states ??= await import("./states/states.ts"));
}
