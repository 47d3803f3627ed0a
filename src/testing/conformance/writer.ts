import type { CheckpointRow } from "../../core/model/checkpoint.ts";
import type { RunHead } from "../../core/model/run.ts";
import type { Commit, Store } from "../../core/ports/store.ts";
import { assertOptions } from "../../core/model/assert-options.ts";

/** Writes to one run the way an executor does: it remembers the head it saw last. */
export interface Writer {
  readonly head: RunHead | undefined;
  /** Commits and moves on to the new head; where the store rejects, the writer stays where it was. */
  commit(entries: readonly string[], options?: WriterOptions): Promise<void>;
}

/** What else belongs to a commit. */
export interface WriterOptions {
  readonly head?: Partial<RunHead>;
  readonly checkpoints?: readonly CheckpointRow[];
  readonly forgotten?: Commit["forgotten"];
  readonly base?: Commit["base"];
  readonly dropNotes?: Commit["dropNotes"];
  readonly durability?: Commit["durability"];
}

/** A {@link Writer} for a run of a store, starting from a head or from nothing. */
export function runWriter(store: Store, run: string, seen?: RunHead): Writer {
  let head = seen;
  return {
    get head() {
      return head;
    },
    async commit(entries, options = {}) {
      assertOptions("commit", options, {
        head: true,
        checkpoints: true,
        forgotten: true,
        base: true,
        dropNotes: true,
        durability: true,
      });
      const next = nextHead(run, head, entries.length, { ...options.head, ...(options.base && { base: options.base.at }) });
      await store.commit({
        run,
        expected: head && { revision: head.revision, epoch: head.epoch },
        head: next,
        entries,
        durability: options.durability ?? "strict",
        ...(options.checkpoints && { checkpoints: options.checkpoints }),
        ...(options.forgotten && { forgotten: options.forgotten }),
        ...(options.base && { base: options.base }),
        ...(options.dropNotes && { dropNotes: options.dropNotes }),
      });
      head = next;
    },
  };
}

/** The head after a commit of so many entries. What lists show has changed where the status or the questions are given. */
export function nextHead(run: string, head: RunHead | undefined, added: number, changes: Partial<RunHead> = {}): RunHead {
  const before = head ?? {
    id: run,
    workflow: "conformance",
    definition: "d".repeat(64),
    status: "running",
    createdAt: 1_767_225_600_000,
    updatedAt: 1_767_225_600_000,
    changedAt: 1_767_225_600_000,
    revision: 0,
    epoch: 1,
    entries: 0,
    pauses: [],
  };
  const updatedAt = before.updatedAt + 7;
  const isChanged = head === undefined || changes.status !== undefined || changes.pauses !== undefined;
  return {
    ...before,
    updatedAt,
    changedAt: isChanged ? updatedAt : before.changedAt,
    ...changes,
    revision: before.revision + 1,
    entries: before.entries + added,
  };
}

/** A row of the checkpoint index of a run. */
export function checkpointRow(run: string, number: number, changes: Partial<CheckpointRow> = {}): CheckpointRow {
  return { run, workflow: "conformance", kind: "wave", number, createdAt: 1_767_225_600_000 + number, entries: number, ...changes };
}
