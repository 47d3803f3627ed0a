import type { Services } from "../services.ts";

/** The entries of a stored run as plain texts, however the store keeps them. */
export async function readTexts(
  { store }: Services,
  run: string,
  range: { readonly from?: number; readonly to: number },
): Promise<readonly string[]> {
  return store.read(run, range);
}
