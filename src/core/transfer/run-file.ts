import { WorkflowError } from "../model/errors.ts";
import type { RunFork } from "../model/run.ts";
import type { CheckpointRow } from "../model/checkpoint.ts";
import type { BlobContent, Note } from "../ports/store.ts";

/** What a run file holds: one run, and the runs its blocks called. */
export interface RunFile {
  /** The run that was exported. */
  readonly run: string;
  /** The texts of definitions by their hash. */
  readonly definitions: ReadonlyMap<string, string>;
  readonly blobs: ReadonlyMap<string, BlobContent>;
  /** Each behind the one that called it; the exported one first. */
  readonly runs: readonly MovedRun[];
}

/** A run on its way from one store to another: what cannot be told from its journal, and the journal. */
export interface MovedRun {
  readonly id: string;
  readonly createdAt: number;
  readonly fork?: RunFork;
  /** How many entries the first text stands for, where it is a base. */
  readonly base?: number;
  readonly texts: readonly string[];
  readonly checkpoints: readonly Pick<CheckpointRow, "kind" | "number" | "createdAt" | "entries">[];
  /** Hashes of the blobs its values refer to. */
  readonly blobs: readonly string[];
  readonly drafts: readonly Note[];
  /** The secrets, where they go along: inputs by name, what stands under secret keys by its markers. */
  readonly secrets: ReadonlyMap<string, string | number>;
}

/** How many entries of a journal come before the first text. */
export function entriesBefore({ base }: { readonly base?: number | undefined }): number {
  return base === undefined ? 0 : base - 1;
}

/** How many entries the journal of a moved run has. */
export function entriesOf(run: Pick<MovedRun, "base" | "texts">): number {
  return entriesBefore(run) + run.texts.length;
}

export function invalidFile(reason: string, cause?: unknown): WorkflowError {
  return new WorkflowError(
    "RUN_FILE_INVALID",
    `The file holds no run that can be taken in: ${reason}. Nothing was stored; export it again.`,
    { cause },
  );
}
