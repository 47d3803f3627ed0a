import type { BlobContent, CheckpointSummary, Entry, Executor, Note, RunHead, Store, StoreMetrics } from "wavepoint";
import { entryText } from "wavepoint/dashboard";
import { textBytes, unpacked } from "./stored-text.ts";

/** Records of a journal that are read at first, and that each "older" adds. */
export const RECORDS_PAGE = 50;
/** Checkpoints that are read. */
const MAX_CHECKPOINTS = 100;

/** One record of a journal, as it is stored. */
export interface StoredRecord {
  /** Its place, from 0. */
  readonly place: number;
  /** What it takes as it is stored. */
  readonly bytes: number;
  /** Whether it is stored compressed. */
  readonly isPacked: boolean;
  /** As JSON that can be read; the text itself where it is none. */
  readonly json: string;
  readonly type: string;
  /** What it says, in a line; empty if it is not known. */
  readonly text: string;
}

export interface StoredBlob {
  readonly hash: string;
  /** Absent where the store has it no more. */
  readonly content: BlobContent | undefined;
  readonly isDefinition: boolean;
}

/** Everything that the store keeps about one run. */
export interface RunLook {
  readonly head: RunHead;
  /** The newest ones, oldest first. */
  readonly records: readonly StoredRecord[];
  readonly notes: readonly Note[];
  readonly checkpoints: readonly CheckpointSummary[];
  readonly blobs: readonly StoredBlob[];
}

/** What the store and the browser say of all of it. */
export interface DatabaseLook {
  readonly metrics: StoreMetrics;
  readonly kind: string;
  /** Bytes that the browser counts for this site, and that it lets it have; absent where it does not tell. */
  readonly usage?: number;
  readonly quota?: number;
}

/** Reads what is stored about a run: the newest `count` records. Nothing where the run is not there. */
export async function lookAtRun(store: Store, executor: Executor, run: string, count: number): Promise<RunLook | undefined> {
  const head = await store.head(run);
  if (!head) return undefined;
  const first = Math.max(head.base === undefined ? 0 : head.base - 1, head.entries - count);
  const [texts, notes, { items }, blobs] = await Promise.all([
    store.read(run, { from: first }),
    store.notes(run),
    executor.checkpoints.list({ run, limit: MAX_CHECKPOINTS }),
    Promise.all(
      [head.definition, ...(head.blobs ?? [])].map(async (hash) => ({
        hash,
        content: await readBlob(store, hash),
        isDefinition: hash === head.definition,
      })),
    ),
  ]);
  const records = await Promise.all(texts.map((text, index) => recordOf(text, first + index)));
  return { head, records, notes, checkpoints: items, blobs };
}

async function readBlob(store: Store, hash: string): Promise<BlobContent | undefined> {
  const content = await store.getBlob(hash);
  return typeof content === "string" ? (await unpacked(content)).plain : content;
}

async function recordOf(text: string, place: number): Promise<StoredRecord> {
  const { plain, isPacked } = await unpacked(text);
  const stored = { place, bytes: textBytes(text), isPacked };
  try {
    const entry = JSON.parse(plain) as Entry;
    return { ...stored, json: JSON.stringify(entry, null, 2), type: entry.type, text: entryText(entry) };
  } catch {
    return { ...stored, json: plain, type: "unreadable", text: "" };
  }
}

/** Asks the engine, the store and the browser how much there is. */
export async function lookAtDatabase(store: Store, executor: Executor): Promise<DatabaseLook> {
  const [metrics, estimate] = await Promise.all([executor.metrics(), estimateStorage()]);
  return { metrics, kind: store.kind, ...estimate };
}

async function estimateStorage(): Promise<Pick<DatabaseLook, "usage" | "quota">> {
  try {
    const { usage, quota } = await navigator.storage.estimate();
    return { ...(usage === undefined ? {} : { usage }), ...(quota === undefined ? {} : { quota }) };
  } catch {
    // Browsers tell pages loaded over plain HTTP nothing.
    return {};
  }
}
