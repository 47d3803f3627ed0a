import type { CheckpointRow } from "../model/checkpoint.ts";
import type { ErrorData } from "../model/errors.ts";
import type { RunHead, RunStatus, SearchValues } from "../model/run.ts";
import type { AbortSignalLike } from "./host.ts";

/**
 * The durable home of runs. For each run a store keeps a journal (an append-only list of texts that it never parses), a head, rows of the checkpoint
 * index, and notes: texts that may be lost without harm. Beside the runs it keeps blobs, named by their hash. It throws only `WorkflowError` with a
 * `STORE_…` code.
 *
 * The suite for stores in `wavepoint/testing` is the contract: a store is correct when it passes.
 */
export interface Store {
  /** The kind of store, for messages: "memory", "indexeddb", "filesystem". */
  readonly kind: string;
  /** Whether commits outlive the process. If not, pages may warn. */
  readonly durable: boolean;
  /** Set where the store seals everything with a key, so that it may keep secrets. Absent where its content can be read. */
  readonly seals?: true;
  /** Set where {@link Store.runs} finds runs by the `search` values of their heads, reading little more than the page. Absent where it refuses `where`. */
  readonly searches?: true;

  /**
   * Appends entries, replaces the head and changes the checkpoint index, in one atomic step. Does so if and only if the stored head still has the
   * revision and epoch of `expected` (`undefined`: nothing is stored yet). Resolves when the data is as durable as asked. Rejects with `STORE_CONFLICT`
   * where another writer was first, and with `STORE_QUOTA`, `STORE_LOST`, `STORE_CLOSED` or `STORE_FAILED`. After these four the commit may or may not
   * have happened; the next read shows.
   */
  commit(commit: Commit): Promise<void>;

  /** The head of a run, or nothing. */
  head(run: string): Promise<RunHead | undefined>;

  /**
   * Entries `from` (inclusive, default 0) to `to` (exclusive, default all) of a run's journal. Where a {@link Base} replaced its beginning, the first
   * entry is the base, at `head.base - 1`; those before it are left out. Rejects with `STORE_DATA_CORRUPT` where an entry is damaged.
   */
  read(run: string, range?: { readonly from?: number; readonly to?: number }): Promise<readonly string[]>;

  /**
   * Pages through heads, the latest `changedAt` first, ties by id descending. Reads no journal. A run that changes between two pages moves to the front,
   * and is on no later page: to meet every run, use {@link RunQuery.oldestFirst}.
   */
  runs(query?: RunQuery): Promise<Page<RunHead>>;

  /** Pages through the checkpoint index, newest first, ties by run and number descending. Reads no journal. */
  checkpoints(query?: CheckpointQuery): Promise<Page<CheckpointRow>>;

  /**
   * Keeps a text, or bytes, under the hash of its content. If the hash is there already, only the time changes: the blob counts as kept now. Resolves once
   * the blob survives a power cut.
   */
  putBlob(hash: string, content: BlobContent): Promise<void>;
  getBlob(hash: string): Promise<BlobContent | undefined>;
  /** Deletes the blobs that were last kept before an instant (milliseconds since the epoch) and are not named. Gives how many. */
  sweepBlobs(keep: ReadonlySet<string>, before: number): Promise<number>;

  /**
   * Keeps a text beside a run's journal in place of the one before, or removes it (`undefined`). Notes hold what may be lost without harm: drafts,
   * caches. A note survives the death of the process. Does nothing where the run does not exist.
   */
  putNote(run: string, key: string, text: string | undefined): Promise<void>;
  /** The notes of a run whose keys begin with `prefix` (default: all), sorted by key. Damaged ones are left out. */
  notes(run: string, prefix?: string): Promise<readonly Note[]>;

  /** Outputs of blocks, for other runs to reuse. Absent where the store has no cache: then blocks are executed. */
  readonly cache?: ResultCache;

  /** How much is kept. */
  usage(): Promise<StoreUsage>;

  /** Deletes a run with its journal, head, notes and checkpoint rows. Does nothing where it does not exist. */
  delete(run: string): Promise<void>;

  /**
   * Takes the lock of a run. Gives a function that releases it, or nothing while another tab or process holds it. The engine holds it only while blocks
   * execute. The lock of a dead holder is free. A holder that gives no sign of life, frozen or stopped, may lose it: then `lost` is called, once. The lock
   * avoids double work; safety comes from the comparison in `commit`.
   */
  claim(run: string, lost?: () => void): Promise<Release | undefined>;

  /**
   * Calls `changed` with the id of a run soon after it was changed, through this store or elsewhere; with nothing if any run may have changed. A call is
   * only a hint to read again: some may be missing, and some superfluous. `failed` is called with errors of reading and writing, here or elsewhere, so that
   * pages can report them; callers get their errors all the same. Gives the function that ends it. Absent where a store gets no notice of other tabs or
   * processes.
   */
  watch?(changed: (run?: string) => void, failed?: (error: ErrorData) => void): () => void;

  /**
   * Set where workers execute the runs of this store. Then an executor only records, and executes a run only for an order. A commit after which a run can
   * continue writes an order, in the same atomic step. Absent where an executor executes what it starts.
   */
  readonly orders?: Orders;

  /** Closes connections and files. Later calls throw `STORE_CLOSED`. */
  close(): Promise<void>;
}

/** Hands runs that can continue to workers. */
export interface Orders {
  /**
   * Takes orders until the signal aborts, and resolves once none is under way here. `execute` continues a run until it rests, and gives the instants at
   * which it, or a run of its family, continues by itself. Its error decides whether the order is tried again, here or elsewhere.
   */
  take(execute: (run: string) => Promise<readonly Wake[]>, signal: AbortSignalLike): Promise<void>;
}

/** When a run continues by itself. */
export interface Wake {
  readonly run: string;
  /** The revision of the run that this holds for. */
  readonly revision: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Releases a lock. */
export type Release = () => Promise<void>;

/** A large value as a store keeps it: text or bytes. */
export type BlobContent = string | Uint8Array<ArrayBuffer>;

/** A text beside a run's journal. Keys follow the grammar of run ids. */
export interface Note {
  readonly key: string;
  readonly text: string;
}

/**
 * Texts under keys, each for some time. Any of them may be lost at any time. Keys follow the grammar of run ids. Throws what the store throws.
 */
export interface ResultCache {
  /** The last text under a key; nothing where there is none, or it is damaged. An expired text may still be there. */
  get(key: string): Promise<string | undefined>;
  /** Keeps a text until an instant (milliseconds since the epoch), in place of the one before. */
  put(key: string, text: string, until: number): Promise<void>;
  /** Deletes the texts that expired before an instant, and of the others all but the `most` that expire last. Gives how many. */
  sweep(before: number, most: number): Promise<number>;
}

/** How much a store holds. */
export interface StoreUsage {
  readonly runs: number;
  /** What the store takes on its medium, as near as it can tell; absent where it cannot. */
  readonly bytes?: number;
}

/** Replaces the beginning of a journal. */
export interface Base {
  /** How many entries it replaces: it reads as the entry at `at - 1`. At most `head.entries`, at least that of the base before. */
  readonly at: number;
  readonly text: string;
}

/** A change of one run, made in one atomic step or not at all. */
export interface Commit {
  readonly run: string;
  readonly expected: { readonly revision: number; readonly epoch: number } | undefined;
  /** The head after this commit. Its revision is the expected one plus 1 (1 for a new run), and `entries` counts the new ones. */
  readonly head: RunHead;
  /** The last entries of the journal. Entries that a base of the same commit replaces may be left out. */
  readonly entries: readonly string[];
  /** Replaces the beginning of the journal; `head.base` says how much. */
  readonly base?: Base;
  /** Keys of notes that this commit removes, in the same atomic step. */
  readonly dropNotes?: readonly string[];
  /** Rows that join the checkpoint index. */
  readonly checkpoints?: readonly CheckpointRow[];
  /** Rows that leave it. */
  readonly forgotten?: readonly Pick<CheckpointRow, "kind" | "number">[];
  /**
   * `strict`: survives a power cut once resolved. `relaxed`: survives the death of the process. A store without this difference treats both as `strict`.
   */
  readonly durability: "strict" | "relaxed";
}

/** Which heads a page has: those that meet every condition. */
export interface RunQuery {
  readonly workflow?: string;
  /** One status, or several: runs that have any of them. */
  readonly status?: RunStatus | readonly RunStatus[];
  /** Only runs that no other run called. */
  readonly topLevel?: boolean;
  /** Values in the `search` of a head. `STORE_QUERY_INVALID` where the store cannot search: then the engine goes through the heads. */
  readonly where?: SearchValues;
  /**
   * Whether the run that changed longest ago comes first. All pages in this order have every run that exists throughout: a run that changes meanwhile moves
   * to the end, and appears there once more. Default: false.
   */
  readonly oldestFirst?: boolean;
  /** 1 to 1,000. Default: 100. */
  readonly limit?: number;
  /** `next` of the page before. */
  readonly after?: string;
}

/** Which rows of the checkpoint index a page has: those that meet every condition, newest first. */
export interface CheckpointQuery {
  readonly run?: string;
  readonly workflow?: string;
  readonly kind?: CheckpointRow["kind"];
  /** 1 to 1,000. Default: 100. */
  readonly limit?: number;
  readonly after?: string;
}

/** A page of a long list. */
export interface Page<T> {
  readonly items: readonly T[];
  /** Pass it as `after` to get the next page. Absent on the last one. Opaque. */
  readonly next?: string;
  /** Runs that cannot be read, with the reason: all on the first page, or each on the page where the store found it. Absent where all can be read. */
  readonly damaged?: readonly DamagedRun[];
}

/** A run that exists and cannot be read. Others are not affected. */
export interface DamagedRun {
  readonly run: string;
  readonly error: ErrorData;
}
