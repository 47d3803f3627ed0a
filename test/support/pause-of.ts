import type { ReviewItem } from "wavepoint";

/** The pause of a question in a run that asked it; the question is named by its path, as in `section/name`. */
export async function pauseOf(run: { answers(): Promise<readonly ReviewItem[]> }, path: string): Promise<string> {
  const item = (await run.answers()).find((one) => one.path.join("/") === path && one.pause !== undefined);
  if (!item) throw new Error(`There is no question ${path}.`);
  return item.pause!;
}
