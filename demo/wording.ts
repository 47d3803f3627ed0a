import type { BlockView, SkipReason } from "wavepoint";

/** `coffee-subscription` as people write it: `Coffee subscription`. */
export function titleOf(name: string): string {
  const words = name.replace(/[-_]+/g, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

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

/** Why a block was skipped, as a sentence. */
export function skipText(reason: SkipReason): string {
  switch (reason.kind) {
    case "condition":
      return `Condition not met: ${reason.condition}`;
    case "dependency":
      return `Skipped with ${titleOf(reason.block)}`;
    case "empty":
      return "There is nothing to go through";
  }
}

const STATUS_WORDS = {
  pending: "Waiting",
  waiting: "Waits for its time",
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
