import type { RunEvent } from "wavepoint";
import { entryText, placeOf } from "wavepoint/dashboard";

/** What an event is called in the list and in its filter. */
export function kindOf(event: RunEvent): string {
  return event.type === "recorded" ? event.entry.type : event.type;
}

/** The run that an event is about, where it is about one. */
export function runOf(event: RunEvent): string | undefined {
  return event.type === "cleaned" ? undefined : event.run;
}

/** What happened, in a line. */
export function eventText(event: RunEvent): string {
  switch (event.type) {
    case "recorded":
      return entryText(event.entry);
    case "output":
      return `${placeOf(event.block, event.item)} wrote: ${event.text.trim()}`;
    case "saved":
      return `${countText(event.entries)} stored in ${Math.round(event.tookMs)} ms, ${event.length} characters`;
    case "loaded":
      return `${countText(event.entries)} read in ${Math.round(event.tookMs)} ms, ${event.length} characters`;
    case "dropped":
      return `Left out of ${event.what}: ${event.paths.join(", ")}`;
    case "resource_recreated":
      return `${event.blockType} opened "${event.name}" anew${event.error ? `: ${event.error.message}` : ""}`;
    case "resource_left":
      return `${event.blockType} could not close "${event.name}": ${event.error?.message ?? ""}`;
    case "cache_unread":
      return `${placeOf(event.block, event.item)} is executed, since the cache could not be read: ${event.error.message}`;
    case "cache_unkept":
      return `What ${placeOf(event.block, event.item)} gave was not kept for other runs: ${event.error.message}`;
    case "limit":
      return limitText(event);
    case "scheduled":
      return event.error?.message ?? `${event.workflow} started at its time, ${new Date(event.time).toLocaleString()}`;
    case "cleaned":
      return event.error?.message ?? `${event.report.runs} runs and ${event.report.checkpoints} checkpoints removed`;
  }
}

function limitText({ limit, block = "", item, used, allowed }: Extract<RunEvent, { readonly type: "limit" }>): string {
  if (limit === "iterations") return `${placeOf(block, item)} runs again: ${used} of at most ${allowed} times`;
  return `${used} of ${allowed} ${LIMITED[limit]}`;
}

/** What is limited of a run. */
const LIMITED = {
  maxCheckpointBytes: "characters are used",
  files: "files were written",
  fileBytes: "bytes of files were written",
  addedBlocks: "blocks were added",
  supersteps: "times blocks ran again",
} as const;

function countText(entries: number): string {
  return entries === 1 ? "1 record" : `${entries} records`;
}
