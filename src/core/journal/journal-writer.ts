import { isConflict } from "../model/errors.ts";
import type { RunHead } from "../model/run.ts";
import type { FoldedRun } from "../machine/machine.ts";
import type { JournalParts } from "./journal-parts.ts";
import { mergeOthers } from "./merge-others.ts";
import { gather, type Pending } from "./pending.ts";
import { storeCommit } from "./store-commit.ts";

/** What the writer needs from the session whose entries it writes. */
interface WriterOptions {
  /** The head of the last commit that is known to be stored, or nothing for a run that is being created. */
  readonly head: RunHead | undefined;
  /** Whether entries wait until a caller needs them stored. */
  readonly waitsForCaller: boolean;
  /** The head as the session sees it after everything appended so far. */
  readonly describe: (known: RunHead | undefined, added: number) => RunHead;
  /** Called when another writer was first, and what it wrote was taken into the state. */
  readonly merged: () => void;
}

/** Merging more often than this in a row means that two writers fight over the run. */
const MAX_MERGES = 20;
/** Turns of the queue of promises before a write begins: what a block that takes no time records within them goes along. */
const QUICK_TURNS = 12;

/**
 * Writes a run's journal in the background and in order. Entries appended while a commit is under way share the next one, so that steps
 * which finish together cost one write. After a failed write nothing more is written: what the store holds has to be read again.
 */
export class JournalWriter {
  readonly #services: JournalParts;
  readonly #run: FoldedRun;
  readonly #options: WriterOptions;
  #head: RunHead | undefined;
  #queue: Pending[] = [];
  #flushing: Promise<void> | undefined;
  #failure: unknown;

  constructor(services: JournalParts, run: FoldedRun, options: WriterOptions) {
    this.#services = services;
    this.#run = run;
    this.#options = options;
    this.#head = options.head;
  }

  /** The head of the newest commit that is known to be stored. */
  get head(): RunHead | undefined {
    return this.#head;
  }

  /** How many entries wait to be written. */
  get backlog(): number {
    return this.#queue.length;
  }

  /** Whether nothing waits to be written, and nothing is being written. */
  get isIdle(): boolean {
    return this.#flushing === undefined && this.#queue.length === 0;
  }

  get failed(): boolean {
    return this.#failure !== undefined;
  }

  append(pending: Pending): void {
    this.#queue.push(pending);
    if (!this.#options.waitsForCaller) this.#begin();
  }

  /** Nothing more is written: the state in memory is not what was appended. */
  fail(error: unknown): void {
    this.#failure ??= error;
  }

  #begin(): void {
    if (this.#flushing || this.#failure !== undefined || this.#queue.length === 0) return;
    this.#work(this.#flush());
  }

  #work(flushing: Promise<void>): void {
    this.#flushing = flushing;
    // Who needs to know asks `flushed`; an unobserved rejection must not end the process.
    flushing.catch(() => {});
  }

  /**
   * Lets `write` make the next commit out of everything that waits, in place of a plain one. It gives the head it left, or nothing where it
   * wrote nothing: then what waits goes on waiting.
   */
  async commitWith(write: (known: RunHead | undefined, pending: readonly Pending[]) => Promise<RunHead | undefined>): Promise<void> {
    while (this.#flushing) await this.#flushing;
    if (this.#failure !== undefined) throw this.#failure;
    const pending = this.#queue.splice(0);
    this.#work(
      this.#replaceCommit(write, pending)
        .catch((error: unknown) => {
          this.#failure = error;
          throw error;
        })
        .finally(() => {
          this.#flushing = undefined;
          if (!this.#options.waitsForCaller) this.#begin();
        }),
    );
    await this.#flushing;
  }

  async #replaceCommit(write: Parameters<JournalWriter["commitWith"]>[0], pending: readonly Pending[]): Promise<void> {
    const head = await write(this.#head, pending);
    if (head) this.#head = head;
    else this.#queue.unshift(...pending);
  }

  /** Resolves when everything appended so far is stored; rejects with the first failed write. */
  async flushed(): Promise<void> {
    for (this.#begin(); this.#flushing; this.#begin()) await this.#flushing;
    if (this.#failure !== undefined) throw this.#failure;
  }

  async #flush(): Promise<void> {
    try {
      while (this.#queue.length > 0) {
        for (let turn = 0; turn < QUICK_TURNS; turn++) await undefined;
        if (this.#failure !== undefined) return;
        await this.#commit(this.#queue.splice(0));
      }
    } catch (error) {
      this.#failure = error;
      throw error;
    } finally {
      this.#flushing = undefined;
    }
  }

  async #commit(batch: readonly Pending[]): Promise<void> {
    const { describe, merged } = this.#options;
    let pending = batch;
    let outdated: unknown;
    for (let attempt = 0; pending.length > 0; attempt++) {
      const known = this.#head;
      const head = describe(known, pending.length);
      try {
        await storeCommit(this.#services, {
          run: this.#run.state.id,
          expected: known && { revision: known.revision, epoch: known.epoch },
          head,
          ...gather(pending),
          // A step, an answer or a pause that is acknowledged must survive a power cut.
          durability: "strict",
        });
        this.#head = head;
        break;
      } catch (error) {
        if (!known || !isConflict(error) || attempt >= MAX_MERGES) throw error;
        const own = pending;
        // The head describes everything recorded so far, so all of it goes along.
        const behind = await mergeOthers(this.#services, this.#run, known, () => [...own, ...this.#queue.splice(0)]);
        merged();
        this.#head = behind.head;
        pending = behind.pending;
        outdated ??= behind.outdated;
      }
    }
    if (outdated !== undefined) throw outdated;
  }
}
