import type { CheckpointRow } from "../model/checkpoint.ts";
import { isConflict } from "../model/errors.ts";
import type { Entry } from "../model/journal.ts";
import type { RunHead } from "../model/run.ts";
import type { Commit } from "../ports/store.ts";

/** One entry on its way to the store. */
export interface Pending {
  readonly text: string;
  /** The entry as it was folded; nothing for those with which a run is created. */
  readonly entry?: Entry;
  readonly checkpoints: readonly CheckpointRow[];
  readonly forgotten: readonly Pick<CheckpointRow, "kind" | "number">[];
  /** Keys of notes that go with it. */
  readonly dropNotes?: readonly string[];
}

/** What the writer knows of the stored run, and what it needs from the session. */
export interface WriterOptions {
  readonly store: (commit: Commit) => Promise<void>;
  readonly run: string;
  /** The head of the last commit that is known to be stored, or nothing for a run that is being created. */
  readonly head: RunHead | undefined;
  /** Whether entries wait until a caller needs them stored. */
  readonly holds: boolean;
  /** The head as the session sees it after everything appended so far. */
  readonly describe: (known: RunHead | undefined, entries: number) => RunHead;
  /**
   * Another writer was first: reads what it wrote, and gives the head it left and the pending entries with their new places, or throws where
   * they no longer hold. `takePending` gives everything recorded so far: the head will describe it, so it has to go with it.
   */
  readonly rebase: (known: RunHead, takePending: () => readonly Pending[]) => Promise<Rebased>;
}

/** What waits, behind what another writer wrote. */
export interface Rebased {
  readonly head: RunHead;
  readonly pending: readonly Pending[];
  /** Why the run has to be read again once that is stored: something that was recorded here was left out. */
  readonly outdated?: unknown;
}

/** Rebasing more often than this in a row means that two writers fight over the run. */
const MAX_REBASES = 20;
/** Turns of the queue of promises before a write begins: what a block that takes no time records within them goes along. */
const QUICK_TURNS = 12;

/**
 * Writes a run's journal in the background and in order. Entries appended while a commit is under way share the next one, so that steps
 * which finish together cost one write. After a failed write nothing more is written: what the store holds has to be read again.
 */
export class JournalWriter {
  readonly #options: WriterOptions;
  #head: RunHead | undefined;
  #queue: Pending[] = [];
  #flushing: Promise<void> | undefined;
  #failure: unknown;

  constructor(options: WriterOptions) {
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

  get failed(): boolean {
    return this.#failure !== undefined;
  }

  append(pending: Pending): void {
    this.#queue.push(pending);
    if (!this.#options.holds) this.#begin();
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
   * Lets `write` make the next commit out of everything that waits, in the place of a plain one. It gives the head it left, or nothing where it
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
          if (!this.#options.holds) this.#begin();
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
    const { store, run, describe, rebase } = this.#options;
    let pending = batch;
    let outdated: unknown;
    for (let attempt = 0; pending.length > 0; attempt++) {
      const known = this.#head;
      const head = describe(known, pending.length);
      try {
        await store({
          run,
          expected: known && { revision: known.revision, epoch: known.epoch },
          head,
          ...gather(pending),
          // A step, an answer or a pause that is acknowledged must survive a power cut.
          durability: "strict",
        });
        this.#head = head;
        break;
      } catch (error) {
        if (!known || !isConflict(error) || attempt >= MAX_REBASES) throw error;
        const own = pending;
        const rebased = await rebase(known, () => [...own, ...this.#queue.splice(0)]);
        this.#head = rebased.head;
        pending = rebased.pending;
        outdated ??= rebased.outdated;
      }
    }
    if (outdated !== undefined) throw outdated;
  }
}

/** The part of a commit about notes that go with what waits. */
export function notesToDrop(pending: readonly Pending[]): Pick<Commit, "dropNotes"> {
  let dropNotes: string[] | undefined;
  for (const item of pending) if (item.dropNotes) dropNotes = [...(dropNotes ?? []), ...item.dropNotes];
  return dropNotes ? { dropNotes } : {};
}

function gather(pending: readonly Pending[]): Pick<Commit, "entries" | "checkpoints" | "forgotten" | "dropNotes"> {
  const entries: string[] = [];
  const checkpoints: CheckpointRow[] = [];
  const forgotten: Pick<CheckpointRow, "kind" | "number">[] = [];
  for (const item of pending) {
    entries.push(item.text);
    for (const row of item.checkpoints) checkpoints.push(row);
    for (const row of item.forgotten) forgotten.push(row);
  }
  return { entries, checkpoints, forgotten, ...notesToDrop(pending) };
}
