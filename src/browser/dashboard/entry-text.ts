import type { Entry } from "../../core/model/journal.ts";

/** What an entry of a journal says, in a line. */
export function entryText(entry: Entry): string {
  switch (entry.type) {
    case "started":
      return `${entry.workflow} began`;
    case "failed":
    case "attempted":
      return `${placeOf(entry.block, entry.item)}: ${entry.error.message}`;
    case "paused":
      return `${entry.block} asks: ${shortened(entry.prompt)}`;
    case "answered":
      return `Question ${entry.pause + 1} ${entry.action === undefined ? "has its answer" : `: ${entry.action}`}`;
    case "reopened":
      return `Question ${entry.pause + 1} is open again: ${entry.error.message}`;
    case "skipped":
      return `${placeOf(entry.block, entry.item)} is skipped`;
    case "completed":
      return `${placeOf(entry.block, entry.item)} is done${entry.ms === undefined ? "" : ` after ${entry.ms} ms`}`;
    case "items":
      return `${entry.block} goes through ${entry.count} ${entry.count === 1 ? "item" : "items"}`;
    case "opened":
      return `${entry.blockType} opened "${entry.name}"`;
    case "memoized":
      return `${placeOf(entry.block, entry.item)} stored "${entry.key}"`;
    case "recovered":
      return "Taken up again after a crash";
    case "signalled":
      return `Signal ${shortened(entry.name)}`;
    case "suspended":
      return "Stopped for now";
    case "resumed":
      return "Goes on";
    case "moved":
      return `Goes on with definition ${entry.definition.slice(0, 8)}`;
    case "revised":
      return revisedText(entry);
    case "supplied":
      return `${entry.block} ${entry.outputs === undefined ? "is passed over" : "has outputs that were given to this fork"}`;
    case "reentered":
      if (entry.units) return "Forked at a block";
      return entry.inputs === undefined ? "Begins again, with what was known" : "Begins again, with other inputs";
    case "kept":
      return `Stays as it was: ${entry.units.map(({ block, item }) => placeOf(block, item)).join(", ")}`;
    case "withdrawn":
      return "Questions of a called workflow are taken back";
    case "effected":
      return `${placeOf(entry.block, entry.item)} was done where this was forked`;
    case "forked":
      return entry.undone
        ? `Undone since, and due again: ${entry.undone.join(", ")}`
        : "What was done before is left to the run it comes from";
    case "transferred":
      return `Handed over to ${entry.to}`;
    case "base":
      return `Stands for the first ${entry.entries} records`;
    case "compensating":
      return `${entry.error.message} What was done is undone`;
    case "finished":
      return entry.error?.message ?? `The run is ${entry.status}`;
    case "forgotten":
      return "A checkpoint was deleted";
    case "arrived":
      return "Came from another store";
    default:
      return placeOf(entry.block, entry.item);
  }
}

function revisedText({ pause, block, item, response, action }: Extract<Entry, { readonly type: "revised" }>): string {
  const what = pause === undefined ? `A question of ${placeOf(block ?? "", item)}` : `Question ${pause + 1}`;
  return response === undefined && action === undefined ? `${what} is open again` : `${what} has another answer`;
}

/** A block, or an item of it, as paths write it: `block[2]`. */
export function placeOf(block: string, item: number | undefined): string {
  return item === undefined ? block : `${block}[${item}]`;
}

/** The beginning of a text that people wrote, as far as it fits into a line. */
function shortened(text: string): string {
  return text.length > MAX_SAID ? `${text.slice(0, MAX_SAID).trimEnd()}…` : text;
}

/** Characters of a prompt in a line. */
const MAX_SAID = 120;
