import type { BlockView, Pause, SkipReason } from "../../index.ts";
import { durationText, timeText } from "./duration.ts";
import { plainLine, plainText, shorten } from "./plain-text.ts";
import type { Output, Style } from "./terminal.ts";
import { inOwnLanguage } from "./form-fields.ts";
import { choicesOf, otherOf } from "../../core/model/choices.ts";

const MARKS: { readonly [status in BlockView["status"]]: readonly [mark: string, word: string, style: Style] } = {
  pending: ["·", "waiting", "dim"],
  running: ["→", "running", "cyan"],
  completed: ["✓", "done", "green"],
  failed: ["✗", "failed", "red"],
  skipped: ["-", "skipped", "dim"],
  paused: ["?", "asks", "yellow"],
  waiting: ["…", "waits", "yellow"],
  stopped: ["■", "stopped", "yellow"],
};

/** Characters of a reason or an error that a line shows. */
const MAX_REASON = 200;

/** Returns the line of a block: its status, how long it took, and why it was skipped or failed. */
export function blockLine(
  { id, type, status, tookMs, skipped, error, attempts, cached, until, events = [], iteration, maxIterations }: BlockView,
  output: Output,
): string {
  const [mark, named, style] = MARKS[status];
  const isSupplied = status === "completed" && attempts === 0;
  const word = isSupplied ? "given to the fork, not executed" : cached ? `taken over from ${cached.run}` : named;
  const time =
    !isSupplied && !cached && tookMs !== undefined && status !== "skipped" && status !== "paused" ? `, ${durationText(tookMs)}` : "";
  const turn = iteration === undefined ? "" : `, iteration ${iteration} of at most ${maxIterations}`;
  const awaited = [
    ...(until === undefined ? [] : [`until ${timeText(until)}`]),
    ...(events.length > 0 ? [`for ${events.map(plainLine).join(" or ")}`] : []),
  ];
  const reason =
    status === "waiting" && awaited.length > 0
      ? ` ${awaited.join(", or ")}`
      : skipped
        ? `: ${skipText(skipped)}`
        : error && status === "failed"
          ? `: ${plainLine(error.message)}`
          : "";
  return `  ${output.paint(style, mark)} ${id} ${output.paint("dim", `(${type})`)} ${word}${time}${turn}${shorten(reason, MAX_REASON)}`;
}

/** The line above the blocks of a wave. */
export function waveLine(index: number, count: number, output: Output): string {
  return output.paint("bold", `Wave ${index + 1} of ${count}`);
}

/** The line above the blocks that undo what a run did. */
export function undoLine(output: Output): string {
  return output.paint("bold", "Undoing what was done");
}

function skipText(reason: SkipReason): string {
  switch (reason.kind) {
    case "condition":
      return `condition not met: ${plainLine(reason.condition)}`;
    case "dependency":
      return `it depends on ${reason.block}, which was skipped`;
    case "not-chosen":
      return `not chosen by ${reason.block}`;
    case "no-failure":
      return `${reason.block} did not fail`;
    case "timeout":
      return "no answer in time";
    case "event":
      return `ended by ${plainLine(reason.event)}`;
    case "left-out":
      return "its question was left out";
    case "passed-over":
      return "the fork begins behind it";
    case "empty":
      return "its for_each has no items";
  }
}

/** An open question with the id it is answered by. */
export function pauseLines(pause: Pause, output: Output): readonly string[] {
  const { id, path, type, prompt, schema, metadata, again } = inOwnLanguage(pause);
  const head = `  ${output.paint("yellow", "?")} ${output.paint("bold", id)} ${output.paint("dim", `${path.join("/")} (${type})`)}`;
  return [
    head,
    ...(again ? [`    ${output.paint("dim", `Asked ${again.times} times, first at ${timeText(again.firstAt)}`)}`] : []),
    ...plainText(prompt)
      .split("\n")
      .map((line) => `    ${line}`.trimEnd()),
    ...choicesOf(schema).map(({ const: value, title }, index) => {
      // The choices of an AskChoice are answered by their number too. Elsewhere a label is no answer.
      const line =
        metadata["kind"] === "choice"
          ? `${index + 1}. ${title ?? value}`
          : `${JSON.stringify(value)}${title === undefined ? "" : `: ${title}`}`;
      return `    ${plainLine(line)}`;
    }),
    ...(otherOf(schema) ? ["    or any other text"] : []),
  ];
}
