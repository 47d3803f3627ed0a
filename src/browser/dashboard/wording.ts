import type { SkipReason } from "../../core/model/run.ts";
import type { BlockView, ItemView } from "../../core/model/view.ts";
import { html, type TemplateResult } from "lit-html";

/** A length of time in the largest unit that fits: `80 ms`, `1.4 s`, `2 min 5 s`, `3 h 20 min`. */
export function durationText(ms: number): string {
  if (ms < 1) return "under 1 ms";
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  if (ms < HOUR_MS) return `${Math.floor(ms / 60_000)} min ${Math.floor((ms % 60_000) / 1_000)} s`;
  if (ms < 2 * DAY_MS) return `${Math.floor(ms / HOUR_MS)} h ${Math.floor((ms % HOUR_MS) / 60_000)} min`;
  return `${Math.floor(ms / DAY_MS)} days ${Math.floor((ms % DAY_MS) / HOUR_MS)} h`;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

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

/** The words for the attempts at a block or an item. */
export type Attempts = Pick<ItemView, "status" | "attempts" | "cached" | "until" | "events">;

/** Why a block was skipped, as a sentence. `nameOf` says how a block is called; default: by its id. */
export function skipText(reason: SkipReason, nameOf: (block: string) => string = (block) => block): string {
  switch (reason.kind) {
    case "condition":
      return `Condition not met: ${reason.condition}`;
    case "dependency":
      return `Skipped with ${nameOf(reason.block)}`;
    case "not-chosen":
      return `${nameOf(reason.block)} led elsewhere`;
    case "no-failure":
      return `${nameOf(reason.block)} did not fail`;
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

const precise = new Map<string | undefined, Intl.DateTimeFormat>();

/** An instant to the millisecond, with its day. `language` is what `Intl` knows it by; default: that of the browser. */
export function preciseText(at: number, language?: string): string {
  let format = precise.get(language);
  if (!format) {
    format = new Intl.DateTimeFormat(language, {
      month: "short",
      day: "numeric",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
      fractionalSecondDigits: 3,
    });
    precise.set(language, format);
  }
  return format.format(at);
}

/** An instant as how long ago it was; its exact time stands in the title. */
export function timeTemplate(at: number, now: number): TemplateResult {
  return html`<time datetime=${new Date(at).toISOString()} title=${preciseText(at)}>${agoText(at, now)}</time>`;
}
