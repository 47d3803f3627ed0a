import type { RunHead } from "../../core/model/run.ts";

/**
 * How a run stands, in one field beside its head: revision, epoch, entries and base (0 where it has none), and when it changed last; in a line of its own what it is listed
 * under: its status, whether it was called, its workflow; in the last line its latest writers, each with the number of its last commit. This is the part
 * before the writers.
 */
export function standsAs({ revision, epoch, entries, base = 0, changedAt, status, parent, workflow }: RunHead): string {
  return `${revision} ${epoch} ${entries} ${base} ${changedAt}\n${status}:${parent === undefined ? 0 : 1}:${workflow}\n`;
}

/** A run that is not there yet. */
export const NEW_RUN = "0 0 0 0 0\\n\\n";

/** The parts that Lua reads: revision with epoch, entries, base, the time of the last change, the lists, the writers. */
export const STANDS = "^(%d+ %d+) (%d+) (%d+) (%S+)\\n([^\\n]*)\\n(.*)$";
