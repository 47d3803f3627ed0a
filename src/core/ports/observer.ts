import type { ErrorData } from "../model/errors.ts";
import type { Entry } from "../model/journal.ts";
import type { CleanupReport } from "../model/maintenance.ts";
import type { OutputStream } from "./shell.ts";

/** What an executor tells those who listen, as it happens. Secrets are masked. */
export type RunEvent =
  RecordedEvent | OutputEvent | StoredEvent | DroppedEvent | LimitEvent | ResourceEvent | CacheEvent | CleanedEvent | ScheduledEvent;

/** Something was added to the journal of a run after its first entry, `started`; it may not be stored yet. */
export interface RecordedEvent {
  readonly type: "recorded";
  readonly run: string;
  readonly workflow: string;
  readonly entry: Entry;
  /** What a block threw, with its stack, where the entry is of its failure. It is not stored, and no worker posts it to a page. */
  readonly cause?: unknown;
}

/** A block wrote something while it worked. Kept nowhere. */
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

/** Members of a value could not be stored and were left out, as `onUnserializable: "drop"` wants it. */
export interface DroppedEvent {
  readonly type: "dropped";
  readonly run: string;
  /** What held them, in words. */
  readonly what: string;
  /** Where they were, at most the first 20. */
  readonly paths: readonly string[];
}

/** A run has come to four fifths of what it may use. Told once each time it comes so far. */
export interface LimitEvent {
  readonly type: "limit";
  readonly run: string;
  /**
   * What is limited: the characters of its values, how many files it has, or their bytes, how many blocks were added to it, how often a block or item
   * runs (the execution that follows counted), or how often blocks of the run ran again in all.
   */
  readonly limit: "maxCheckpointBytes" | "files" | "fileBytes" | "addedBlocks" | "iterations" | "supersteps";
  /** The block, of `iterations`. */
  readonly block?: string;
  /** The item, from 0, of a block with `for_each`. */
  readonly item?: number;
  readonly used: number;
  readonly allowed: number;
}

/** A resource of a run was opened anew, since it could not be found again by its reference; or it was to be closed and may have been left behind. */
export interface ResourceEvent {
  readonly type: "resource_recreated" | "resource_left";
  readonly run: string;
  readonly blockType: string;
  /** The name of the resource in its block type. */
  readonly name: string;
  /** Why. Left out where its type cannot reconnect. */
  readonly error?: ErrorData;
}

/** The cache of the store could not be read, so that the block is executed; or what the block gave could not be kept in it. The run goes on as it would without. */
export interface CacheEvent {
  readonly type: "cache_unread" | "cache_unkept";
  readonly run: string;
  readonly block: string;
  /** The item, from 0, of a block with `for_each`. */
  readonly item?: number;
  readonly error: ErrorData;
}

/** A cleanup that the policy asked for has ended. */
export interface CleanedEvent {
  readonly type: "cleaned";
  readonly report: CleanupReport;
  /** Why it could not be finished. */
  readonly error?: ErrorData;
}

/** A schedule started a run here, or could not. Where the store failed it tries again within a minute; else this time is left out. */
export interface ScheduledEvent {
  readonly type: "scheduled";
  readonly workflow: string;
  /** The time of the schedule, in milliseconds since the epoch. */
  readonly time: number;
  /** The run that was started. */
  readonly run?: string;
  /** Why none was. */
  readonly error?: ErrorData;
}
