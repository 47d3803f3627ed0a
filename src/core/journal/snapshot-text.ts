import { JOURNAL_VERSION, type BaseEntry } from "../model/journal.ts";
import { isRecord } from "../model/value.ts";
import { COMPLETED, FAILED, type FoldedRun, SKIPPED_BLOCK, STRETCH, type StepRecord } from "../machine/machine.ts";
import { standFor } from "./bases.ts";
import type { JournalParts } from "./journal-parts.ts";
import { packRuns, unpackRuns } from "./run-lengths.ts";
import { decodeMembers, decodeState, encodeState, pack } from "./state-encoding.ts";
import { NO_RECORDS, restoreRecords, storeRecords, type StoredRecords, TOGETHER } from "./stored-records.ts";

/** Stands between the texts of a snapshot; no JSON holds one. */
const BETWEEN = "\t";

/** A stretch of records that stands beside the snapshots that need it: which one, in which of them it was written, and the sum of its text. */
export type StretchPlace = readonly [stretch: number, at: number, sum: number];

/** Written with no snapshot: a stretch in which nothing has begun. */
const NOWHERE = 0;

/** What a snapshot says before the texts of its records: a long run that continues needs all of this, and few of those. */
interface SnapshotHead extends Pick<BaseEntry, "version" | "entries" | "definition" | "state"> {
  readonly type: "snapshot";
  /** The stretches whose records stand elsewhere, in order. */
  readonly stretches: readonly StretchPlace[];
  readonly rich: unknown;
  readonly blocks: unknown;
  readonly unsettled: unknown;
  /** How far each is behind the one before. */
  readonly ends: unknown;
}

/** The state as a text, without the records of the given stretches, which are in order. */
export function writeSnapshot(run: FoldedRun, stretches: readonly StretchPlace[]): string {
  const { entries, definition, records, blocks, unsettled, ends } = run.state;
  const elsewhere = new Map(stretches.map((place) => [place[0], place]));
  const places: StretchPlace[] = [];
  const texts: string[] = [];
  const rich = new Map<number, StepRecord>();
  for (let stretch = 0; stretch < stretchCount(blocks.length); stretch++) {
    const place = elsewhere.get(stretch) ?? (records.isUntouched(stretch) ? ([stretch, NOWHERE, 0] as const) : undefined);
    if (place !== undefined) {
      places.push(place);
      continue;
    }
    const stored = storeRecords(run.state, rangeOf(stretch));
    for (const text of stored.texts) texts.push(text);
    for (const [block, record] of stored.rich) rich.set(block, record);
  }
  const head: SnapshotHead = {
    type: "snapshot",
    version: JOURNAL_VERSION,
    entries,
    definition,
    stretches: places,
    rich: pack(rich, ""),
    blocks: packRuns(blocks),
    unsettled: packRuns(unsettled),
    ends: packRuns(differences(ends)),
    state: encodeState(run, { records, blocks, unsettled, ends }),
  };
  const text = [JSON.stringify(head), ...texts].join(BETWEEN);
  return text + BETWEEN + sumOf(text, text.length);
}

/** How far each number is behind the one before. */
function differences(numbers: readonly number[]): Int32Array {
  const steps = new Int32Array(numbers.length);
  for (let i = 0; i < steps.length; i++) steps[i] = numbers[i]! - (i > 0 ? numbers[i - 1]! : 0);
  return steps;
}

/** The records of a stretch as a text, with its sum. */
export function writeStretch(run: FoldedRun, stretch: number): { readonly text: string; readonly sum: number } {
  const { texts, rich } = storeRecords(run.state, rangeOf(stretch));
  const text = [JSON.stringify(pack(rich, "")), ...texts].join(BETWEEN);
  return { text, sum: sumOf(text, text.length) };
}

/** The stretches of a run; none for a short one, whose snapshots hold all its records themselves. */
export function stretchesOf({ state: { blocks, records } }: FoldedRun): readonly number[] {
  const count = stretchCount(blocks.length);
  return count < 2 ? [] : Array.from({ length: count }, (_, stretch) => stretch).filter((stretch) => !records.isUntouched(stretch));
}

/** Whether every block of a stretch has settled: most of them never change again. */
export function isSettled({ state: { blocks } }: FoldedRun, stretch: number): boolean {
  const { from, to } = rangeOf(stretch);
  return blocks.subarray(from, to).every((code) => code === COMPLETED || code === FAILED || code === SKIPPED_BLOCK);
}

function stretchCount(blocks: number): number {
  return Math.ceil(blocks / STRETCH);
}

function rangeOf(stretch: number): { from: number; to: number } {
  return { from: stretch * STRETCH, to: (stretch + 1) * STRETCH };
}

/** A snapshot that was read, and where its stretches stand. */
export interface FoundSnapshot {
  readonly run: FoldedRun;
  readonly stretches: readonly StretchPlace[];
}

/** Gives the text of a stretch that a snapshot written at some place left elsewhere. */
export type FindStretch = (stretch: number, at: number) => string | undefined;

/** The state of a snapshot; nothing for what is none, or of another version. Throws any error for a damaged one, or where a stretch is missing. */
export async function readSnapshot(
  services: JournalParts,
  run: string,
  text: string,
  find: FindStretch,
): Promise<FoundSnapshot | undefined> {
  const end = text.lastIndexOf(BETWEEN);
  if (text.slice(end + 1) !== String(sumOf(text, end))) throw new TypeError("A snapshot that was changed.");
  const [first, ...texts] = text.slice(0, end).split(BETWEEN);
  const entry: unknown = JSON.parse(first!);
  if (!isRecord(entry) || entry["type"] !== "snapshot" || entry["version"] !== JOURNAL_VERSION) return undefined;
  const head = entry as unknown as SnapshotHead;
  const compiled = await services.definition(head.definition);
  const count = compiled.plan.ids.length;
  const blocks = Uint8Array.from(unpackRuns(head.blocks, count));
  const { rich } = (await decodeMembers(services, { rich: head.rich })) as { readonly rich: Map<number, StepRecord> };
  const ends = Array.from(unpackRuns(head.ends, head.entries));
  for (let i = 1; i < ends.length; i++) ends[i]! += ends[i - 1]!;
  const stored = await gather(services, { count, texts, rich, stretches: head.stretches, find });
  const records = restoreRecords(run, stored, blocks);
  const apart = { records, blocks, ends, unsettled: unpackRuns(head.unsettled, count) };
  const folded = standFor(head, await decodeState(services, head.state, { id: run, compiled, apart }));
  return { run: folded, stretches: head.stretches };
}

interface Parts {
  readonly count: number;
  readonly texts: readonly string[];
  readonly rich: ReadonlyMap<number, StepRecord>;
  readonly stretches: readonly StretchPlace[];
  readonly find: FindStretch;
}

/** Puts the records of stretches that stand elsewhere among those of the snapshot. */
async function gather(services: JournalParts, { count, texts, rich, stretches, find }: Parts): Promise<StoredRecords> {
  if (stretches.length === 0) return { texts, rich };
  const places = new Map(stretches.map((place) => [place[0], place]));
  const gathered: string[] = [];
  const all = new Map(rich);
  let next = 0;
  for (let stretch = 0; stretch < stretchCount(count); stretch++) {
    const { from, to } = rangeOf(stretch);
    const length = Math.ceil((Math.min(to, count) - from) / TOGETHER);
    const place = places.get(stretch);
    const own =
      place === undefined
        ? texts.slice(next, (next += length))
        : ((await readStretch(services, place, find, all)) ?? new Array<string>(length).fill(NO_RECORDS));
    if (own.length !== length) throw new TypeError("Not the records of this stretch.");
    for (const text of own) gathered.push(text);
  }
  return { texts: gathered, rich: all };
}

async function readStretch(
  services: JournalParts,
  [stretch, at, sum]: StretchPlace,
  find: FindStretch,
  into: Map<number, StepRecord>,
): Promise<readonly string[] | undefined> {
  if (at === NOWHERE) return undefined;
  const text = find(stretch, at);
  if (text === undefined || sumOf(text, text.length) !== sum) throw new TypeError("A stretch that was changed or is gone.");
  const [first, ...texts] = text.split(BETWEEN);
  if (first !== NO_RICH) {
    const { rich } = (await decodeMembers(services, { rich: JSON.parse(first!) as unknown })) as { readonly rich: Map<number, StepRecord> };
    for (const [block, record] of rich) into.set(block, record);
  }
  return texts;
}

const NO_RICH = JSON.stringify(pack(new Map(), ""));

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
