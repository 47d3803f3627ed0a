import type { ErrorData } from "../model/errors.ts";
import type { Entry } from "../model/journal.ts";
import type { CleanupReport } from "../model/maintenance.ts";
import type { OutputStream } from "./shell.ts";

/** What `onEvent` of an executor gets, as it happens. Secrets are masked. */
export type RunEvent =
  RecordedEvent | OutputEvent | StoredEvent | DroppedEvent | LimitEvent | ResourceEvent | CacheEvent | CleanedEvent | ScheduledEvent;

/** An entry was added to the journal of a run, after the first one, `started`. It may not be stored yet. */
export interface RecordedEvent {
  readonly type: "recorded";
  readonly run: string;
  readonly workflow: string;
  readonly entry: Entry;
  /** For the failure of a block: the error that it threw, with its stack. It is not stored, and no worker posts it to a page. */
  readonly cause?: unknown;
}

/** A block wrote something while it worked. It is not stored. */
export interface OutputEvent {
  readonly type: "output";
  readonly run: string;
  readonly block: string;
  /** The item, from 0, of a block with `for_each`. */
  readonly item?: number;
  readonly stream: OutputStream;
  readonly text: string;
}

/** How long the store took: to save entries of a run, or to load it. */
export interface StoredEvent {
  readonly type: "saved" | "loaded";
  readonly run: string;
  readonly entries: number;
  /** Characters of the entries. */
  readonly length: number;
  readonly tookMs: number;
}

/** Members of a value could not be stored and were left out (`onUnserializable: "drop"`). */
export interface DroppedEvent {
  readonly type: "dropped";
  readonly run: string;
  /** What held them, in words. */
  readonly what: string;
  /** Where they were, at most the first 20. */
  readonly paths: readonly string[];
}

/** A run has reached four fifths of a limit. Once each time that happens. */
export interface LimitEvent {
  readonly type: "limit";
  readonly run: string;
  /**
   * The limit: the characters of its values, the number of its files, their bytes, the number of added blocks, how often a block or item runs (the next
   * execution included), or how often all blocks of the run ran again.
   */
  readonly limit: "maxCheckpointBytes" | "files" | "fileBytes" | "addedBlocks" | "iterations" | "supersteps";
  /** The block, of `iterations`. */
  readonly block?: string;
  /** The item, from 0, of a block with `for_each`. */
  readonly item?: number;
  readonly used: number;
  readonly allowed: number;
}

/** A resource of a run was opened again, since it could not be reconnected; or it could not be closed, and may have been left behind. */
export interface ResourceEvent {
  readonly type: "resource_recreated" | "resource_left";
  readonly run: string;
  readonly blockType: string;
  /** The name of the resource in its block type. */
  readonly name: string;
  /** Why. Absent where its type has no `reconnect`. */
  readonly error?: ErrorData;
}

/** The cache of the store failed: it could not be read, so the block is executed, or could not keep the outputs. The run continues as without a cache. */
export interface CacheEvent {
  readonly type: "cache_unread" | "cache_unkept";
  readonly run: string;
  readonly block: string;
  /** The item, from 0, of a block with `for_each`. */
  readonly item?: number;
  readonly error: ErrorData;
}

/** A cleanup by policy has ended. */
export interface CleanedEvent {
  readonly type: "cleaned";
  readonly report: CleanupReport;
  /** Why it did not finish. */
  readonly error?: ErrorData;
}

/** A schedule started a run here, or failed to. If the store failed it tries again within a minute; else this time is skipped. */
export interface ScheduledEvent {
  readonly type: "scheduled";
  readonly workflow: string;
  /** The time of the schedule, in milliseconds since the epoch. */
  readonly time: number;
  /** The run that was started. */
  readonly run?: string;
  /** Why no run was started. */
  readonly error?: ErrorData;
}
