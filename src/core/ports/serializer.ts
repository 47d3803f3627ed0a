import type { IsSecretKey } from "../model/secret-keys.ts";

/**
 * Keeps instances of one class, or of several, in the values of runs: what blocks give and carry over, inputs, answers and metadata. It is
 * asked for objects that could not be stored otherwise.
 */
export interface Serializer {
  /** Written beside the data and found again by it: must stay the same as long as there are runs with such values. */
  readonly name: string;
  accepts(value: object): boolean;
  /** What is stored in its place: anything that a run can store, values of other serializers too. */
  serialize(value: object): unknown;
  /**
   * Makes the value again. Blocks and pages are given what it makes from the first moment on, never the object that was serialized, so that
   * a run does the same before and after a crash.
   */
  deserialize(data: unknown): unknown;
}

/** What becomes of values that nothing can store, and of those that no store may see. */
export interface ValueRules {
  /** The names of members whose values are kept in memory only. */
  readonly isSecretKey: IsSecretKey;
  readonly serializers: ReadonlyMap<string, Serializer>;
  /** `refuse`: the block fails, with the path to the value. `drop`: such members are left out, and an event says which. */
  readonly onUnserializable: "refuse" | "drop";
}
