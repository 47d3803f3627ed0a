import type { ErrorData } from "../model/errors.ts";
import type { SkipReason } from "../model/run.ts";
import type { Values } from "../model/value.ts";

export interface StepRecord {
  readonly at: number;
  readonly ms: number;
  /** When it began, where it waited since then; otherwise that is `ms` before `at`. */
  readonly begunAt?: number;
  readonly attempts?: number;
  readonly until?: number;
  readonly outputs?: Values | null;
  readonly error?: ErrorData;
  readonly skipped?: SkipReason;
  /** In a preview: it is taken to complete, and its outputs are not known. */
  readonly assumed?: true;
  /** What the execution was given; see the entry. */
  readonly given?: string;
}

/** Puts the stored records around a block among those that are known, unless they are there. */
export type ReadRecords = (block: number, known: (StepRecord | undefined)[]) => void;

/** Blocks with neighbouring numbers, whose records are watched for changes and kept together. */
export const STRETCH = 1_024;

/**
 * What is recorded of each block, by its number. Records of a snapshot are read on demand: a run that continues needs few of the steps
 * behind it.
 */
export class StepRecords {
  readonly #known: (StepRecord | undefined)[];
  readonly #read: ReadRecords | undefined;
  readonly #wasEmpty: boolean;
  /** How often a record of each stretch was set. */
  readonly #changes: number[] = [];

  constructor(known: (StepRecord | undefined)[] = [], read?: ReadRecords) {
    this.#known = known;
    this.#read = read;
    this.#wasEmpty = known.length === 0;
  }

  get(block: number): StepRecord | undefined {
    this.#read?.(block, this.#known);
    return this.#known[block];
  }

  set(block: number, record: StepRecord | undefined): void {
    this.#read?.(block, this.#known);
    this.#known[block] = record;
    const stretch = Math.floor(block / STRETCH);
    this.#changes[stretch] = this.changes(stretch) + 1;
  }

  /** Whether no block of a stretch has ever had a record. Some are not known to be, though they are. */
  isUntouched(stretch: number): boolean {
    return this.#wasEmpty && this.changes(stretch) === 0;
  }

  /** How often a record of a stretch was set. */
  changes(stretch: number): number {
    return this.#changes[stretch] ?? 0;
  }

  /** The records of all blocks up to the last one that has any. */
  all(): readonly (StepRecord | undefined)[] {
    if (this.#read) for (let block = 0; block < this.#known.length; block++) this.#read(block, this.#known);
    return this.#known;
  }
}
