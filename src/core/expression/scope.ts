/** What a look-up gives for a field of a block that was skipped. */
export const SKIPPED: unique symbol = Symbol("skipped");

/** What expressions see. Values come in through it and never go back into the parser. */
export interface Scope {
  /**
   * The value at a canonical path: `["inputs", name, …]`, `["metadata", name, …]` or
   * `["blocks", id, "outputs" | "inputs" | "metadata", field, …]`. {@link SKIPPED} for a field of a skipped block. Throws
   * `REFERENCE_UNKNOWN` for what does not exist.
   */
  lookup(path: readonly (string | number)[]): unknown;
}
