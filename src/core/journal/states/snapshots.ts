import { JOURNAL_VERSION, type BaseEntry } from "../../model/journal.ts";
import type { FoldedRun, StepRecords } from "../../machine/machine.ts";
import { standFor } from "./bases.ts";
import type { Host } from "../../ports/host.ts";
import type { JournalParts } from "../journal-parts.ts";
import { decodeState, encodeState, encodeSteps } from "./state-encoding.ts";

const PREFIX = "snapshot.";
/** The note that holds the state. The steps of each stretch of blocks stand in a note of their own, under its number. */
const STATE = `${PREFIX}state`;

/** A snapshot says what a base says; of the steps it has the sums of their texts. */
interface Snapshot extends Pick<BaseEntry, "version" | "entries" | "definition" | "state"> {
  readonly stretches: readonly number[];
}

/** A stretch of steps as it was written: the sum of its text, and how often the stretch had changed. */
interface Written {
  readonly sum: number;
  readonly changes: number;
}

/** What stands in the store of the steps of a run. A move to another definition makes other records. */
interface Kept {
  readonly records: StepRecords;
  readonly stretches: readonly Written[];
}

/** By the run as this process has read or written it. */
const kept = new WeakMap<FoldedRun, Kept>();

/**
 * Keeps the state as notes, so that the journal before it need not be read again. A cache: without it everything is the same, only
 * slower. The state must be stored, entry by entry, with no other write meanwhile. Steps are written where they changed since the snapshot
 * before. A reader that comes between two of these writes finds a sum that does not fit, and reads the journal.
 */
export async function keepSnapshot({ store, host }: JournalParts, run: FoldedRun): Promise<void> {
  const sumOf = summing(host);
  const { id, entries, definition, records } = run.state;
  const before = kept.get(run);
  const known = before?.records === records ? before.stretches : [];
  const notes: (readonly [key: string, text: string])[] = [];
  // All texts are of this instant: the run may go on while they are written.
  const stretches = Array.from({ length: records.stretches }, (_, stretch): Written => {
    const changes = records.changes(stretch);
    const written = known[stretch];
    if (written?.changes === changes) return written;
    const text = JSON.stringify(encodeSteps(records, stretch));
    notes.push([PREFIX + stretch, text]);
    return { sum: sumOf(text), changes };
  });
  const sums = stretches.map(({ sum }) => sum);
  const snapshot: Snapshot = { version: JOURNAL_VERSION, entries, definition, stretches: sums, state: encodeState(run) };
  const text = JSON.stringify(snapshot);
  notes.push([STATE, `${sumOf(text)} ${text}`]);
  kept.set(run, { records, stretches });
  run.spared = entries;
  run.tail = 0;
  run.snapshot = notes.reduce((sum, [, { length }]) => sum + length, 0);
  for (const [key, one] of notes) await store.putNote(id, key, one);
}

/** Removes the snapshot of a run that has ended: what remains to be done with it does not need it. */
export async function dropSnapshot({ store }: JournalParts, run: FoldedRun): Promise<void> {
  kept.delete(run);
  run.snapshot = 0;
  const { id } = run.state;
  for (const { key } of await store.notes(id, PREFIX)) await store.putNote(id, key, undefined);
}

/** The snapshot of a run, if it stands for no more than its first `count` entries; nothing where there is none that can be read. */
export async function findSnapshot(services: JournalParts, run: string, count: number): Promise<FoldedRun | undefined> {
  const notes = new Map((await services.store.notes(run, PREFIX)).map(({ key, text }) => [key, text]));
  if (!notes.has(STATE)) return undefined;
  // What a damaged one spares can still be read, entry by entry.
  const found = await readSnapshot(services, run, notes).catch(() => undefined);
  return found && found.state.entries <= count ? found : undefined;
}

/** Throws any error for a snapshot that was changed, or of which a part is missing. */
async function readSnapshot(services: JournalParts, run: string, notes: ReadonlyMap<string, string>): Promise<FoldedRun | undefined> {
  const sumOf = summing(services.host);
  const assertSum = (text: string | undefined, sum: number): string => {
    if (text !== undefined && sumOf(text) === sum) return text;
    throw new TypeError("A snapshot that was changed.");
  };
  const note = notes.get(STATE)!;
  const space = note.indexOf(" ");
  const text = assertSum(note.slice(space + 1), Number(note.slice(0, space)));
  const snapshot = JSON.parse(text) as Snapshot;
  if (snapshot.version !== JOURNAL_VERSION) return undefined;
  const { entries, definition, state, stretches } = snapshot;
  const steps = stretches.map((expected, stretch) => assertSum(notes.get(PREFIX + stretch), expected));
  const compiled = await services.definition(definition);
  const folded = standFor(entries, await decodeState(services, state, { id: run, compiled, steps }));
  kept.set(folded, { records: folded.state.records, stretches: stretches.map((one) => ({ sum: one, changes: 0 })) });
  folded.snapshot = text.length;
  return folded;
}

/** So many bytes of a text are summed at a time. */
const SUMMED_BYTES = 65_536;

/**
 * Gives sums that tell whether anything in a text was changed, lost or moved. Four bytes at a time, which is many times as fast as going by characters. A
 * machine that orders bytes otherwise gets other sums, and reads the journal.
 */
function summing(host: Host): (text: string) => number {
  const bytes = new Uint8Array(SUMMED_BYTES);
  const words = new Int32Array(bytes.buffer);
  const encoder = host.newTextEncoder();
  return (text) => {
    const sums = Int32Array.of(text.length, 0);
    for (let at = 0; at < text.length;) {
      const { read, written } = encoder.encodeInto(text.slice(at), bytes);
      bytes.fill(0, written, written + 3);
      addWords(sums, words, Math.ceil(written / 4));
      at += read;
    }
    return (sums[0]! ^ Math.imul(sums[1]!, 31)) | 0;
  };
}

/** Over typed arrays alone, so that it stays compiled. */
function addWords(sums: Int32Array, words: Int32Array, count: number): void {
  let sum = sums[0]!;
  let all = sums[1]!;
  for (let i = 0; i < count; i++) {
    sum = (sum + words[i]!) | 0;
    all = (all + sum) | 0;
  }
  sums[0] = sum;
  sums[1] = all;
}
