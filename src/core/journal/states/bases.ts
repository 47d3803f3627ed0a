import { isHostError, WorkflowError } from "../../model/errors.ts";
import { JOURNAL_VERSION, type BaseEntry } from "../../model/journal.ts";
import type { Base } from "../../ports/store.ts";
import type { JournalParts } from "../journal-parts.ts";
import type { FoldedRun } from "../../machine/machine.ts";
import { decodeState, encodeState, encodeSteps } from "./state-encoding.ts";
import { isStateShaped } from "./state-shape.ts";

/** The state up to now as an entry that stands for the journal so far. */
export async function writeBase(run: FoldedRun): Promise<Base> {
  const { entries: at, definition, lastAt, records } = run.state;
  const state = encodeState(run);
  const steps = Array.from({ length: records.stretches }, (_, stretch) => encodeSteps(records, stretch));
  const entry: BaseEntry = { type: "base", version: JOURNAL_VERSION, entries: at, at: lastAt, definition, state, steps };
  return { at, text: JSON.stringify(entry) };
}

/** The same; nothing where it could not be read again: then the history stays. */
export async function readableBase(run: FoldedRun): Promise<Base | undefined> {
  return isStateShaped(run) ? writeBase(run) : undefined;
}

/** The state that a base stands for. Throws `RUN_CORRUPT`. */
export async function readBase(services: JournalParts, run: string, entry: BaseEntry): Promise<FoldedRun> {
  try {
    const compiled = await services.definition(entry.definition);
    return standFor(entry.entries, await decodeState(services, entry.state, { id: run, compiled, steps: entry.steps }));
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
export function standFor(entries: number, run: FoldedRun): FoldedRun {
  if (run.state.entries !== entries) throw new TypeError(`It stands for ${entries} entries and holds ${run.state.entries}.`);
  run.base = entries;
  run.spared = entries;
  return run;
}
