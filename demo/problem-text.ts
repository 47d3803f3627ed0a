/** How browsers say that a part of the page could not be loaded. There is no code for it. */
const PART_MISSING = /\bimport(?:ed|ing)\b.*\bmodule\b/i;

/** What went wrong, as the page says it. */
export function problemText(thrown: unknown): string {
  if (isPartMissing(thrown)) {
    return "A part of this page could not be loaded. Connect to the network, then load the page again. Runs that were begun in this browser are kept.";
  }
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** The store and the worker load parts of their own, and name what they threw as the cause. */
function isPartMissing(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  return (thrown instanceof TypeError && PART_MISSING.test(thrown.message)) || isPartMissing(thrown.cause);
}
