import type { Store } from "wavepoint";

/** When and how long, and how many entries a called run has, which its moves are among. */
const NOT_TOLD = new Set(["at", "ms", "execution_time_ms", "execution_time", "childEntries"]);

/** What the journal of a run says, without the entries of its moves: the same for a run that stayed in one place. */
export async function storyOf(store: Store, run: string): Promise<readonly unknown[]> {
  const plain = (text: string): unknown => JSON.parse(text, (key, value: unknown) => (NOT_TOLD.has(key) ? undefined : value));
  const entries = (await store.read(run)).map((text) => plain(text) as { readonly type: string });
  return entries.filter(({ type }) => type !== "transferred" && type !== "arrived");
}
