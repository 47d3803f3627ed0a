import type { JsonSchema } from "../model/json-schema.ts";
import type { Value } from "../model/value.ts";

/** How the changes of a channel combine, where the host says so: the `reduce` of the channel names it. */
export interface ChannelReducer {
  /**
   * Gives what the channel holds after a change, as plain JSON. It must be pure: the same two values give the same third, now and in every later version of
   * the code, because only changes are stored, and they are joined anew when the run is read. Neither value may be changed; what is
   * held is frozen. A secret is a marker here, not its value.
   */
  reduce(held: Value, change: Value): Value;
  /** What a change must look like; patterns in it are not looked at. Default: anything. */
  readonly schema?: JsonSchema;
}

/** By name. */
export type ChannelReducers = ReadonlyMap<string, ChannelReducer>;
