import { type Channel, definePart, type Part } from "../definition/definition.ts";
import type { Scope } from "../expression/scope.ts";
import { WorkflowError } from "../model/errors.ts";
import type { Writes } from "../model/journal.ts";
import { adviseName } from "../model/suggestions.ts";
import type { Values } from "../model/value.ts";
import type * as Channels from "./channels.ts";
import type { RunReading } from "./state.ts";
import type { Unit } from "./unit.ts";

/** What channels hold: few workflows declare some. */
export const channelPart: Part<typeof Channels> = definePart({
  isNeededBy: ({ channels }) => Object.keys(channels ?? {}).length > 0,
  load: () => import("./channels.ts"),
});

/** The code for the channels of a run; nothing where its workflow has none. */
export function channelCode({ compiled }: Pick<RunReading, "compiled">): typeof Channels | undefined {
  return compiled.channels.size > 0 ? channelPart.code() : undefined;
}

/** The channel of this name. Throws `CHANNEL_UNKNOWN`. */
export function channelOf({ compiled: { channels } }: Pick<RunReading, "compiled">, name: string): Channel {
  const found = channels.get(name);
  if (found) return found;
  const { sentence, details } = adviseName(name, channels.keys());
  throw new WorkflowError("CHANNEL_UNKNOWN", `There is no channel "${name}".${sentence} Declare it under channels.`, { details });
}

/** The value at a path `channels.name…`: as the wave began, with what the unit itself wrote since, and what it is about to write. */
export function lookUpChannel(run: RunReading, path: readonly (string | number)[], unit?: Unit, pending?: Writes): unknown {
  const channel = channelOf(run, String(path[1]));
  return channelPart.code().valueAt(run, channel, path, unit, pending);
}

/** What the expressions of a unit see: channels with what it wrote itself. */
export function channelScope(run: RunReading, unit: Unit, base: Scope): Scope {
  if (run.compiled.channels.size === 0) return base;
  return { lookup: (path) => (path[0] === "channels" ? lookUpChannel(run, path, unit) : base.lookup(path)) };
}

/** What all channels hold now; nothing in a workflow without channels. The same object as before where nothing was written since. */
export function channelValues(run: RunReading): Values | undefined {
  return channelCode(run)?.allValues(run);
}
