import type { StepRecord } from "./state.ts";

/** Puts the stored records around a block among those that are known, unless they are there. */
export type ReadRecords = (block: number, known: (StepRecord | undefined)[]) => void;

/**
 * What is recorded of each block, by its number. What a snapshot holds is read when somebody asks for it: a run that goes on looks at few of
 * the steps behind it.
 */
export class StepRecords {
  readonly #known: (StepRecord | undefined)[];
  readonly #read: ReadRecords | undefined;

  constructor(known: (StepRecord | undefined)[] = [], read?: ReadRecords) {
    this.#known = known;
    this.#read = read;
  }

  get(block: number): StepRecord | undefined {
    this.#read?.(block, this.#known);
    return this.#known[block];
  }

  set(block: number, record: StepRecord | undefined): void {
    this.#read?.(block, this.#known);
    this.#known[block] = record;
  }

  /** The records of all blocks up to the last one that has any. */
  all(): readonly (StepRecord | undefined)[] {
    if (this.#read) for (let block = 0; block < this.#known.length; block++) this.#read(block, this.#known);
    return this.#known;
  }
}
