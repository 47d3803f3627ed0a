import type { ErrorData } from "../model/errors.ts";
import type { CachedFrom, SkipReason } from "../model/run.ts";
import type { Values } from "../model/value.ts";

export interface StepRecord {
  readonly at: number;
  readonly ms: number;
  /** When it began, if it waited since; otherwise it began `ms` before `at`. */
  readonly begunAt?: number;
  readonly attempts?: number | undefined;
  readonly until?: number | undefined;
  /** The events for which it waits. */
  readonly events?: readonly string[] | undefined;
  readonly outputs?: Values | null;
  readonly error?: ErrorData;
  readonly skipped?: SkipReason;
  /** Whose outputs they are, where it was not executed; see the entry. */
  readonly cached?: CachedFrom | undefined;
  /** The blocks of its `next` that its code chose; see the entry. */
  readonly next?: readonly string[] | undefined;
  /** In a preview: it is assumed to complete, with unknown outputs. */
  readonly assumed?: true;
  /** What the execution was given; see the entry. */
  readonly given?: string | undefined;
}

/** The records of a range of blocks, in their order. May end after the last block that has a record. */
export type Steps = (StepRecord | undefined)[];

/** Blocks with neighbouring numbers, whose records are watched for changes and kept together. */
export const STRETCH = 1_024;

/**
 * What is recorded of each block, by its number. A stretch of a snapshot is read on demand: a run that continues needs few of the steps
 * behind it.
 */
export class StepRecords {
  readonly #stretches: (Steps | (() => Steps) | undefined)[];
  /** How often a record of each stretch was set. */
  readonly #changes: number[] = [];

  constructor(stretches: readonly (Steps | (() => Steps))[] = []) {
    this.#stretches = [...stretches];
  }

  get(block: number): StepRecord | undefined {
    return this.stretch(Math.floor(block / STRETCH))[block % STRETCH];
  }

  set(block: number, record: StepRecord | undefined): void {
    const number = Math.floor(block / STRETCH);
    this.stretch(number)[block % STRETCH] = record;
    this.#changes[number] = this.changes(number) + 1;
  }

  /** How many stretches there are up to the last one that has any record. */
  get stretches(): number {
    return this.#stretches.length;
  }

  /** The records of a stretch, which is read now if it was not yet. */
  stretch(number: number): Steps {
    const found = this.#stretches[number];
    if (typeof found === "object") return found;
    return (this.#stretches[number] = found?.() ?? []);
  }

  /** How often a record of a stretch was set. */
  changes(stretch: number): number {
    return this.#changes[stretch] ?? 0;
  }
}
