import type * as drafts from "./drafts.ts";

let loaded: typeof drafts | undefined;

/** The code of drafts. Once it is there, nobody waits for the next task to get it: a page that is being left comes to no other. */
export async function loadDrafts(): Promise<typeof drafts> {
  return (loaded ??= await import("./drafts.ts"));
}
