import type { RunHead, RunStatus } from "wavepoint";

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

const RUN_STATUS_WORDS: Record<RunStatus, string> = {
  running: "Running",
  paused: "Waits for you",
  completed: "Completed",
  failed: "Failed",
  cancelled: "Cancelled",
};

/** The words for the status of a run. */
export function runStatusText({ status, reason, transferredTo }: Pick<RunHead, "status" | "reason" | "transferredTo">): string {
  if (transferredTo !== undefined) return "Handed over";
  return reason ? "Stopped for now" : RUN_STATUS_WORDS[status];
}
