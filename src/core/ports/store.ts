import type { CheckpointRow } from "../model/checkpoint.ts";
import type { ErrorData } from "../model/errors.ts";
import type { RunHead, RunStatus, SearchValues } from "../model/run.ts";
import type { AbortSignalLike } from "./host.ts";

/**
 * The durable home of runs. A store keeps for each run a journal (an append-only list of texts it never looks into), a head, rows of the
 * checkpoint index, and notes: texts beside the journal that nothing true depends on; and, beside the runs, blobs named by their hash. It
 * throws only `WorkflowError` with a `STORE_…` code.
 *
 * `testing/store-conformance` is the contract: a store is right when it passes the suite.
 */
export interface Store {
  /** The kind of store, for messages: "memory", "indexeddb", "filesystem". */
  readonly kind: string;
  /** Whether what is committed outlives the process. Pages may warn where it does not. */
  readonly durable: boolean;
  /** Set where all that is given to it is sealed with a key: secrets may be kept in it then. Absent where it can be read. */
  readonly seals?: true;
  /** Set where {@link Store.runs} finds runs by the values of their heads' `search`, reading little more than it shows. Absent where it refuses `where`. */
  readonly searches?: true;

  /**
   * Appends entries and replaces the head and changes the checkpoint index, in one atomic step, if and only if the stored head still has
   * the revision and epoch of `expected` (nothing stored yet: `undefined`). Resolves when the data is as durable as asked, else rejects:
   * `STORE_CONFLICT` where another writer was first, `STORE_QUOTA`, `STORE_LOST`, `STORE_CLOSED`, `STORE_FAILED`. After a rejection other
   * than a conflict the commit may or may not have happened; the next read tells.
   */
  commit(commit: Commit): Promise<void>;

  /** The head of a run, or nothing. */
  head(run: string): Promise<RunHead | undefined>;

  /**
   * Entries `from` (inclusive, default 0) to `to` (exclusive, default all) of a run's journal. Where a {@link Base} replaced its beginning,
   * the first that exists is the base, at `head.base - 1`; what lies before is left out. `STORE_DATA_CORRUPT` where one is damaged.
   */
  read(run: string, range?: { readonly from?: number; readonly to?: number }): Promise<readonly string[]>;

  /**
   * Pages through heads, the one changed last (`changedAt`) first, ties by id descending. Reads no journal. A run that changes between two
   * pages moves to the front, and is not on a later page: a walk that must meet every run takes {@link RunQuery.oldestFirst}.
   */
  runs(query?: RunQuery): Promise<Page<RunHead>>;

  /** Pages through the checkpoint index, newest first, ties by run and number descending. Reads no journal. */
  checkpoints(query?: CheckpointQuery): Promise<Page<CheckpointRow>>;

  /**
   * Keeps a text, or bytes, under a hash that follows from what it says. Keeping another one under the same hash changes nothing, but it
   * counts as kept now. Resolves once it survives a power cut.
   */
  putBlob(hash: string, content: BlobContent): Promise<void>;
  getBlob(hash: string): Promise<BlobContent | undefined>;
  /** Deletes the blobs that were last kept before an instant (milliseconds since the epoch) and are not named. Gives how many. */
  sweepBlobs(keep: ReadonlySet<string>, before: number): Promise<number>;

  /**
   * Keeps a text beside a run's journal in place of the one before, or removes it (`undefined`). Notes hold what may be lost without harm
   * to the truth: drafts, caches. Survives the death of the process. Nothing happens where the run does not exist.
   */
  putNote(run: string, key: string, text: string | undefined): Promise<void>;
  /** The notes of a run whose keys begin with `prefix` (default: all), by key. A damaged one is left out. */
  notes(run: string, prefix?: string): Promise<readonly Note[]>;

  /** What blocks gave, for other runs to take over. Absent where a store keeps none: then blocks are executed. */
  readonly cache?: ResultCache;

  /** How much is kept. */
  usage(): Promise<StoreUsage>;

  /** Deletes a run with its journal, head, notes and checkpoint rows. Nothing happens where it does not exist. */
  delete(run: string): Promise<void>;

  /**
   * Asks to be the one runner of a run. Gives a function that releases it, or nothing while another tab or process holds it. Held only
   * while blocks execute; a holder that dies lets go, and from one that gives no sign of life, frozen or stopped, a store may take it away:
   * then `lost` is called, once. This spares double work; what makes it safe is the comparison in `commit`.
   */
  claim(run: string, lost?: () => void): Promise<Release | undefined>;

  /**
   * Calls `changed` with the id of a run that was changed, through this store or elsewhere, soon after; with nothing where any may have been. Only
   * a hint to read again: it may miss some, and say too much. `failed` is called, beside the error for the caller, with what could not be
   * read or written, here or elsewhere, so that pages can report the problem. Gives the function that ends it. Absent where a store is not
   * notified of other tabs or processes.
   */
  watch?(changed: (run?: string) => void, failed?: (error: ErrorData) => void): () => void;

  /**
   * Set where workers execute the runs of this store. Then an executor over it records, and executes a run only while it works on an order. A commit that lets a run
   * go on is an order, in the same atomic step. Absent where an executor executes what it starts.
   */
  readonly orders?: Orders;

  /** Closes connections and files. Later calls throw `STORE_CLOSED`. */
  close(): Promise<void>;
}

/** Hands runs that can go on to workers. */
export interface Orders {
  /**
   * Takes orders until the signal aborts, and resolves once none is under way here. `execute` goes on with a run until it rests, and gives the instants at which it, or a
   * run of its family, goes on by itself. What it throws decides whether the order is tried again, here or elsewhere.
   */
  take(execute: (run: string) => Promise<readonly Wake[]>, signal: AbortSignalLike): Promise<void>;
}

/** When a run goes on by itself. */
export interface Wake {
  readonly run: string;
  /** The revision of the run for which this holds. */
  readonly revision: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Gives up what was held. */
export type Release = () => Promise<void>;

/** A large value as a store keeps it: text or bytes. */
export type BlobContent = string | Uint8Array<ArrayBuffer>;

/** A text beside a run's journal. Keys follow the grammar of run ids. */
export interface Note {
  readonly key: string;
  readonly text: string;
}

/**
 * Texts under keys, each for some time. Nothing true depends on them: any may be lost at any time. Keys follow the grammar of run ids. Throws what the store
 * throws.
 */
export interface ResultCache {
  /** The text last put under a key; nothing where there is none, or it is damaged. It may still be there after its time. */
  get(key: string): Promise<string | undefined>;
  /** Keeps a text until an instant (milliseconds since the epoch), in place of the one before. */
  put(key: string, text: string, until: number): Promise<void>;
  /** Deletes the texts whose time ended before an instant, and of the others all but the `most` that last longest. Gives how many. */
  sweep(before: number, most: number): Promise<number>;
}

/** How much a store holds. */
export interface StoreUsage {
  readonly runs: number;
  /** What the store takes on its medium, as near as it can tell; absent where it cannot. */
  readonly bytes?: number;
}

/** Stands for the beginning of a journal that is no longer kept. */
export interface Base {
  /** How many entries it stands for: it reads as the entry at `at - 1`. At most `head.entries`, at least the base before. */
  readonly at: number;
  readonly text: string;
}

/** A change of one run, made in one atomic step or not at all. */
export interface Commit {
  readonly run: string;
  readonly expected: { readonly revision: number; readonly epoch: number } | undefined;
  /** The head as it stands after this commit; its revision is the expected one plus 1 (1 for a new run), `entries` counts the new ones. */
  readonly head: RunHead;
  /** The last entries of the journal. What a base of the same commit stands for need not be among them. */
  readonly entries: readonly string[];
  /** Replaces the beginning of the journal; `head.base` says how much. */
  readonly base?: Base;
  /** Keys of notes that are gone with this commit, in the same atomic step. */
  readonly dropNotes?: readonly string[];
  /** Rows that join the checkpoint index. */
  readonly checkpoints?: readonly CheckpointRow[];
  /** Rows that leave it. */
  readonly forgotten?: readonly Pick<CheckpointRow, "kind" | "number">[];
  /**
   * `strict`: survives a power cut once resolved. `relaxed`: survives the death of the process. Stores that know no difference treat both
   * as `strict`.
   */
  readonly durability: "strict" | "relaxed";
}

/** Which heads are asked for: those that meet all that is given. */
export interface RunQuery {
  readonly workflow?: string;
  /** One status, or several: runs that have any of them. */
  readonly status?: RunStatus | readonly RunStatus[];
  /** Only runs that no other run called. */
  readonly topLevel?: boolean;
  /** Values that the `search` of a head has. `STORE_QUERY_INVALID` where the store does not search: then the one who asks goes through the heads. */
  readonly where?: SearchValues;
  /**
   * The run that was changed longest ago comes first. All pages in this order show every run that is there from the first to the last one:
   * a run that changes meanwhile moves to their end, and is shown there once more. Default: false.
   */
  readonly oldestFirst?: boolean;
  /** 1 to 1,000. Default: 100. */
  readonly limit?: number;
  /** `next` of the page before. */
  readonly after?: string;
}

/** Which rows of the checkpoint index are asked for: those that meet all that is given, newest first. */
export interface CheckpointQuery {
  readonly run?: string;
  readonly workflow?: string;
  readonly kind?: CheckpointRow["kind"];
  /** 1 to 1,000. Default: 100. */
  readonly limit?: number;
  readonly after?: string;
}

/** Some of a long list, and where it goes on. */
export interface Page<T> {
  readonly items: readonly T[];
  /** Given as `after` it asks for the next page; absent on the last one. Opaque. */
  readonly next?: string;
  /** Runs that cannot be read, with the reason: all on the first page, or each on the page where the store comes upon it. Absent where all can. */
  readonly damaged?: readonly DamagedRun[];
}

/** A run that is there and cannot be read. The others are not touched. */
export interface DamagedRun {
  readonly run: string;
  readonly error: ErrorData;
}
