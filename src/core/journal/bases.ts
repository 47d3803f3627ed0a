import { isHostError, WorkflowError } from "../model/errors.ts";
import { JOURNAL_VERSION, type BaseEntry } from "../model/journal.ts";
import type { JournalParts } from "./journal-parts.ts";
import type { FoldedRun } from "../machine/machine.ts";
import { decodeState, encodeState } from "./state-encoding.ts";

/** The state up to now as an entry that stands for the journal so far. */
export async function writeBase(run: FoldedRun): Promise<{ readonly at: number; readonly text: string }> {
  const { entries: at, definition, lastAt } = run.state;
  const entry: BaseEntry = { type: "base", version: JOURNAL_VERSION, entries: at, at: lastAt, definition, state: encodeState(run) };
  return { at, text: JSON.stringify(entry) };
}

/** The state that a base stands for. Throws `RUN_CORRUPT`. */
export async function readBase(services: JournalParts, run: string, entry: BaseEntry): Promise<FoldedRun> {
  try {
    const compiled = await services.definition(entry.definition);
    return standFor(entry, await decodeState(services, entry.state, { id: run, compiled }));
  } catch (cause) {
    if (isHostError(cause)) throw cause;
    throw new WorkflowError(
      "RUN_CORRUPT",
      `The base of run ${run} is not readable. The run was left as it is; other runs are not touched.`,
      {
        details: { run, entry: entry.entries - 1 },
        cause,
      },
    );
  }
}

/** A state that stands for so many entries, which need not be read any more. */
export function standFor({ entries }: { readonly entries: number }, run: FoldedRun): FoldedRun {
  if (run.state.entries !== entries) throw new TypeError(`It stands for ${entries} entries and holds ${run.state.entries}.`);
  run.base = entries;
  run.spared = entries;
  return run;
}
