import type { IsSecretKey } from "../model/secret-keys.ts";

/**
 * Stores instances of one or more classes in the values of runs: outputs, what iterations carry over, inputs, answers and metadata. Called for objects that
 * could not be stored otherwise.
 */
export interface Serializer {
  /** Stored with the data, and used to find the serializer again. Keep it the same as long as there are runs with such values. */
  readonly name: string;
  accepts(value: object): boolean;
  /** Gives what to store: anything that a run can store, values of other serializers included. */
  serialize(value: object): unknown;
  /**
   * Makes the value again. Blocks and pages always get what this makes, never the object that was serialized, so that a run does the same before and after a
   * crash.
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
