import type { BlockView, SkipReason } from "../../index.ts";
import { durationText } from "./duration.ts";
import { plainLine, shorten } from "./plain-text.ts";
import type { Output, Style } from "./terminal.ts";

const MARKS: { readonly [status in BlockView["status"]]: readonly [mark: string, word: string, style: Style] } = {
  pending: ["·", "waiting", "dim"],
  running: ["→", "running", "cyan"],
  completed: ["✓", "done", "green"],
  failed: ["✗", "failed", "red"],
  skipped: ["-", "skipped", "dim"],
  paused: ["?", "asks", "yellow"],
  waiting: ["…", "waits for its time", "yellow"],
  stopped: ["■", "stopped", "yellow"],
};

/** Characters of a reason or an error that a line shows. */
const MAX_REASON = 200;

/** How one block stands: its status, how long it took, and why it was skipped or failed. */
export function blockLine({ id, type, status, tookMs, skipped, error }: BlockView, output: Output): string {
  const [mark, word, style] = MARKS[status];
  const time = tookMs !== undefined && status !== "skipped" && status !== "paused" ? `, ${durationText(tookMs)}` : "";
  const reason = skipped ? `: ${skipText(skipped)}` : error && status === "failed" ? `: ${plainLine(error.message)}` : "";
  return `  ${output.paint(style, mark)} ${id} ${output.paint("dim", `(${type})`)} ${word}${time}${shorten(reason, MAX_REASON)}`;
}

/** The line above the blocks of a wave. */
export function waveLine(index: number, count: number, output: Output): string {
  return output.paint("bold", `Wave ${index + 1} of ${count}`);
}

function skipText(reason: SkipReason): string {
  switch (reason.kind) {
    case "condition":
      return `condition not met: ${plainLine(reason.condition)}`;
    case "dependency":
      return `it depends on ${reason.block}, which was skipped`;
    case "timeout":
      return "nobody answered in time";
    case "left-out":
      return "its question was left out";
    case "empty":
      return "its for_each has no items";
  }
}
