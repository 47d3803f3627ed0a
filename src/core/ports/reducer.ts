import type { JsonSchema } from "../model/json-schema.ts";
import type { Value } from "../model/value.ts";

/** Combines the changes of a channel. `reduce` of the channel names it. */
export interface ChannelReducer {
  /**
   * Gives what the channel holds after a change, as plain JSON. It must be pure, now and in every later version of your code: only changes are stored, and
   * they are joined again whenever the run is read. It must not modify either value; the held one is frozen. Secrets are markers here, not values.
   */
  reduce(held: Value, change: Value): Value;
  /** What a change must look like; patterns in it are ignored. Default: anything. */
  readonly schema?: JsonSchema;
}

/** By name. */
export type ChannelReducers = ReadonlyMap<string, ChannelReducer>;
