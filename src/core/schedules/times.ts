import { Cron } from "croner";
import type { Schedule } from "../model/workflow.ts";

/** Times that passed are made up for as far back as this many. */
const MAX_CAUGHT_UP = 1_000;

/** The times of a schedule, in milliseconds since the epoch. */
export interface Times {
  /** The first one after an instant; nothing where there is none. */
  next(after: number): number | undefined;
  /** Those for which runs start now, the oldest first: of the ones after `since` and up to `now`, the ones that are made up for. */
  due(since: number, now: number): readonly number[];
}

/** A run that starts so many milliseconds after its time is on time. */
const ON_TIME_MS = 60_000;

export function timesOf({ cron, timeZone = "UTC", catchUp = "last" }: Schedule): Times {
  const times = new Cron(cron, { timezone: timeZone, mode: "5-part" });
  return {
    next: (after) => times.nextRun(new Date(after))?.getTime(),
    due(since, now) {
      const passed = times.previousRuns(catchUp === "all" ? MAX_CAUGHT_UP : 1, new Date(now + 1));
      const made = passed.map((time) => time.getTime()).filter((time) => time > since);
      return (catchUp === "none" ? made.filter((time) => now - time < ON_TIME_MS) : made).toReversed();
    },
  };
}
