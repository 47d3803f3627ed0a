import type { BlockView, ItemView, RunHead, RunStatus, SkipReason } from "wavepoint";

/** `coffee-subscription` as people write it: `Coffee subscription`; `http-retry` is `HTTP retry`. */
export function titleOf(name: string): string {
  const words = name
    .replace(/[-_]+/g, " ")
    .trim()
    .replace(/\b(?:ci|http|id|ms|phq|url)\b/gi, (word) => ABBREVIATIONS.get(word.toLowerCase()) ?? word);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const ABBREVIATIONS: ReadonlyMap<string, string> = new Map([
  ["ci", "CI"],
  ["http", "HTTP"],
  ["id", "ID"],
  ["ms", "(ms)"],
  ["phq", "PHQ"],
  ["url", "URL"],
]);

/** A length of time in the largest unit that fits: `80 ms`, `1.4 s`, `2 min 5 s`. */
export function durationText(ms: number): string {
  if (ms < 1) return "under 1 ms";
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.floor((ms % 60_000) / 1_000)} s`;
}

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

/** How long ago an instant was, seen from `now`. */
export function agoText(at: number, now: number): string {
  const seconds = Math.round((at - now) / 1_000);
  if (seconds > -45) return "just now";
  if (seconds > -3_600) return relative.format(Math.min(-1, Math.round(seconds / 60)), "minute");
  if (seconds > -86_400) return relative.format(Math.round(seconds / 3_600), "hour");
  return relative.format(Math.round(seconds / 86_400), "day");
}

const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const clockWithSeconds = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric" });

/** An instant to come, in the time of the person's place: seconds where it is near, the day where it is another one. */
export function instantText(at: number, now: number): string {
  if (at - now < 600_000) return clockWithSeconds.format(at);
  return day.format(at) === day.format(now) ? clock.format(at) : `${clock.format(at)} on ${day.format(at)}`;
}

/** How often a block or an item was tried, or from where it has its outputs, and when it is tried again, or for what it waits; nothing where once was enough. `most` is what its retry policy allows. */
export function attemptsText(
  { status, attempts: counted, cached, until, events }: Attempts,
  most: number | undefined,
  now: number,
): string | undefined {
  if (counted === 0 && status === "completed") return "Given to the fork, not executed";
  if (cached) return "Taken over from another run, not executed";
  const attempts = counted ?? 0;
  const number = (attempt: number): string => `${attempt}${most === undefined ? "" : ` of ${most}`}`;
  if (status === "waiting") {
    const next = until === undefined ? "" : instantText(until, now);
    if (attempts > 0) return `Attempt ${number(attempts)} failed, next at ${next}`;
    const ways = [...(next === "" ? [] : [`at ${next}`]), ...(events ? [`with ${events.join(" or ")}`] : [])];
    return ways.length === 0 ? undefined : `Continues ${ways.join(", or ")}`;
  }
  if (attempts === 0) return undefined;
  if (status === "running") return `Attempt ${number(attempts + 1)}`;
  return attempts === 1 ? undefined : `${attempts} attempts`;
}

/** When a block that waits goes on: at its own instant, or at the first of its items. */
export function goesOnAt({ until, items = [] }: Pick<BlockView, "until" | "items">): number {
  return until ?? Math.min(...items.flatMap((item) => item.until ?? []));
}

type Attempts = Pick<ItemView, "status" | "attempts" | "cached" | "until" | "events">;

/** Why a block was skipped, as a sentence. */
export function skipText(reason: SkipReason): string {
  switch (reason.kind) {
    case "condition":
      return `Condition not met: ${reason.condition}`;
    case "dependency":
      return `Skipped with ${titleOf(reason.block)}`;
    case "not-chosen":
      return `${titleOf(reason.block)} led elsewhere`;
    case "no-failure":
      return `${titleOf(reason.block)} did not fail`;
    case "timeout":
      return "No answer came in time";
    case "event":
      return `Ended by ${reason.event}`;
    case "left-out":
      return "The question was left out";
    case "passed-over":
      return "The fork begins behind it";
    case "empty":
      return "There is nothing to go through";
  }
}

const STATUS_WORDS = {
  pending: "Not begun",
  waiting: "Waiting",
  running: "Running",
  completed: "Done",
  failed: "Failed",
  paused: "Asks",
  skipped: "Skipped",
  stopped: "Stopped",
} as const satisfies Record<BlockView["status"], string>;

/** The word a card shows for a block's status. */
export function blockStatusText(status: BlockView["status"]): string {
  return STATUS_WORDS[status];
}

const RUN_STATUS_WORDS: Record<RunStatus, string> = {
  running: "Running",
  paused: "Waits for you",
  completed: "Completed",
  failed: "Failed",
  cancelled: "Cancelled",
};

/** The words for the status of a run. */
export function runStatusText({ status, reason }: Pick<RunHead, "status" | "reason">): string {
  return reason ? "Stopped for now" : RUN_STATUS_WORDS[status];
}
