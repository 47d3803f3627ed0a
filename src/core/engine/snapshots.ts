import { isHostError, WorkflowError } from "../model/errors.ts";
import { JOURNAL_VERSION, type BaseEntry } from "../model/journal.ts";
import { isRecord } from "../model/value.ts";
import type { Services } from "./services.ts";
import type { RunState } from "./state.ts";
import { packRuns, unpackRuns } from "./number-runs.ts";
import { decodeMembers, decodeState, encodeState, pack } from "./state-encoding.ts";
import { restoreRecords, storeRecords, type StoredRecords } from "./stored-records.ts";

/** Snapshots of one run that are kept: each covers twice as much as the one before, so that old states are near one too. */
const MAX_SNAPSHOTS = 4;
const PREFIX = "snapshot.";
/** Stands between the texts of a snapshot; no JSON holds one. */
const BETWEEN = "\t";

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

function standFor({ entries }: { readonly entries: number }, state: RunState): RunState {
  if (state.entries !== entries) throw new TypeError(`It stands for ${entries} entries and holds ${state.entries}.`);
  state.base = entries;
  state.spared = entries;
  return state;
}

/**
 * Keeps the state as a note, so that the journal before it need not be read again. A cache: without it everything is the same, only slower. The
 * state must be stored, entry by entry, and nobody else may have written meanwhile.
 */
export async function keepSnapshot(services: Services, state: RunState): Promise<void> {
  const at = state.entries;
  const text = writeSnapshot(state);
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
    const state = await readSnapshot(services, run, text).catch(() => undefined);
    // What a damaged one spares can still be read, entry by entry.
    if (state && state.entries <= count) return state;
  }
  return undefined;
}

/** What a snapshot says before the texts of its records: whoever goes on with a long run needs all of this, and few of those. */
interface SnapshotHead extends Pick<BaseEntry, "version" | "entries" | "definition" | "state"> {
  readonly type: "snapshot";
  readonly rich: unknown;
  readonly blocks: unknown;
  readonly unsettled: unknown;
  /** How far each is behind the one before. */
  readonly ends: unknown;
}

function writeSnapshot(state: RunState): string {
  const { entries, definition, records, blocks, unsettled, ends } = state;
  const { texts, rich } = storeRecords(state);
  const head: SnapshotHead = {
    type: "snapshot",
    version: JOURNAL_VERSION,
    entries,
    definition,
    rich: pack(rich, ""),
    blocks: packRuns(blocks),
    unsettled: packRuns(unsettled),
    ends: packRuns(ends.map((end, i) => end - (ends[i - 1] ?? 0))),
    state: encodeState(state, { records, blocks, unsettled, ends }),
  };
  const text = [JSON.stringify(head), ...texts].join(BETWEEN);
  return text + BETWEEN + sumOf(text, text.length);
}

/** The state of a snapshot; nothing for what is none, or of another version. Throws, whatever, for a damaged one. */
async function readSnapshot(services: Services, run: string, text: string): Promise<RunState | undefined> {
  const end = text.lastIndexOf(BETWEEN);
  if (text.slice(end + 1) !== String(sumOf(text, end))) throw new TypeError("A snapshot that was changed.");
  const [first, ...texts] = text.slice(0, end).split(BETWEEN);
  const entry: unknown = JSON.parse(first!);
  if (!isRecord(entry) || entry["type"] !== "snapshot" || entry["version"] !== JOURNAL_VERSION) return undefined;
  const head = entry as unknown as SnapshotHead;
  const compiled = await services.definition(head.definition);
  const count = compiled.plan.ids.length;
  const blocks = Uint8Array.from(unpackRuns(head.blocks, count));
  const { rich } = await decodeMembers(services, { rich: head.rich });
  const ends = Array.from(unpackRuns(head.ends, head.entries));
  for (let i = 1; i < ends.length; i++) ends[i]! += ends[i - 1]!;
  const records = restoreRecords(run, { texts, rich: rich as StoredRecords["rich"] }, blocks);
  const apart = { records, blocks, ends, unsettled: unpackRuns(head.unsettled, count) };
  return standFor(head, await decodeState(services, head.state, { id: run, compiled, apart }));
}

/** A sum that tells whether anything was changed, lost or moved before a place. */
function sumOf(text: string, end: number): number {
  let sum = 1;
  let sums = 0;
  for (let i = 0; i < end; i++) {
    sum = (sum + text.charCodeAt(i)) | 0;
    sums = (sums + sum) | 0;
  }
  return (sum ^ Math.imul(sums, 31)) | 0;
}

function placeOf(key: string): number {
  return Number(key.slice(PREFIX.length));
}
