import type { Entry } from "../model/journal.ts";
import type { FoldedRun } from "../machine/machine.ts";
import type { JournalParts } from "./journal-parts.ts";

/** Makes the definitions known to which entries move the run, before they are folded. Throws `RUN_CORRUPT` where one is missing. */
export async function knowDefinitions(services: JournalParts, run: FoldedRun, entries: readonly Entry[]): Promise<void> {
  for (const entry of entries) {
    if (entry.type === "moved") run.know(entry.definition, await services.definition(String(entry.definition)));
  }
}
