import { isHostError, WorkflowError } from "../model/errors.ts";
import { JOURNAL_VERSION, type BaseEntry } from "../model/journal.ts";
import { isRecord } from "../model/value.ts";
import type { Services } from "./services.ts";
import type { RunState } from "./state.ts";
import { decodeState, encodeState } from "./state-encoding.ts";

/** Snapshots of one run that are kept: each covers twice as much as the one before, so that old states are near one too. */
const MAX_SNAPSHOTS = 4;
const PREFIX = "snapshot.";

/** The state up to now as an entry that stands for the journal so far. */
export async function writeBase(state: RunState): Promise<{ readonly at: number; readonly text: string }> {
  const at = state.entries;
  const { definition, lastAt } = state;
  const entry: BaseEntry = { type: "base", version: JOURNAL_VERSION, entries: at, at: lastAt, definition, state: encodeState(state) };
  return { at, text: JSON.stringify(entry) };
}

/** The state that a base stands for. Throws `RUN_CORRUPT`. */
export async function readBase(services: Services, run: string, entry: BaseEntry): Promise<RunState> {
  try {
    const compiled = await services.definition(entry.definition);
    const state = await decodeState(services, run, compiled, entry.state);
    if (state.entries !== entry.entries) throw new TypeError(`It stands for ${entry.entries} entries and holds ${state.entries}.`);
    state.base = entry.entries;
    state.spared = entry.entries;
    return state;
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

/**
 * Keeps the state as a note, so that the journal before it need not be read again. A cache: without it everything is the same, only slower. The
 * state must be stored, entry by entry, and nobody else may have written meanwhile.
 */
export async function keepSnapshot(services: Services, state: RunState): Promise<void> {
  const { at, text } = await writeBase(state);
  state.spared = at;
  await services.store.putNote(state.id, PREFIX + at, text);
  const kept = (await services.store.notes(state.id, PREFIX)).map(({ key }) => key).toSorted((a, b) => placeOf(b) - placeOf(a));
  for (const key of kept.slice(MAX_SNAPSHOTS)) await services.store.putNote(state.id, key, undefined);
}

/** The newest snapshot of a run among its first `count` entries; nothing where there is none that can be read. */
export async function findSnapshot(services: Services, run: string, count: number): Promise<RunState | undefined> {
  const notes = await services.store.notes(run, PREFIX);
  const fitting = notes.filter(({ key }) => placeOf(key) <= count).toSorted((a, b) => placeOf(b.key) - placeOf(a.key));
  for (const { text } of fitting) {
    const state = await readSnapshot(services, run, text);
    if (state && state.entries <= count) return state;
  }
  return undefined;
}

async function readSnapshot(services: Services, run: string, text: string): Promise<RunState | undefined> {
  try {
    const entry: unknown = JSON.parse(text);
    if (!isRecord(entry) || entry["type"] !== "base" || entry["version"] !== JOURNAL_VERSION) return undefined;
    return await readBase(services, run, entry as unknown as BaseEntry);
  } catch {
    // What it spares can still be read, entry by entry.
    return undefined;
  }
}

function placeOf(key: string): number {
  return Number(key.slice(PREFIX.length));
}
