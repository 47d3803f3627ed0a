import { assertOptions } from "../model/assert-options.ts";
import { isDamage, isWorkflowError, WorkflowError } from "../model/errors.ts";
import type { CheckpointRow } from "../model/checkpoint.ts";
import type { FailedRun } from "../model/maintenance.ts";
import type { RunHead } from "../model/run.ts";
import type { AbortSignalLike } from "../ports/host.ts";
import type { Base, Note, Store } from "../ports/store.ts";
import { allPages, checkpointRows } from "../journal/journal.ts";
import { blobsOfDraft } from "./drafts.ts";

/** Options of {@link copyStore}. */
export interface CopyOptions {
  /** Called after each run. */
  readonly onProgress?: (progress: CopyProgress) => void;
  /** Ends the work after the current run. What was copied stays. */
  readonly signal?: AbortSignalLike;
}

/** The progress of copying a store. */
export interface CopyProgress {
  /** Runs of the first store, counted at the beginning. */
  readonly total: number;
  readonly copied: number;
  /** Runs that were there already and did not change. */
  readonly unchanged: number;
  readonly failed: number;
}

/** What was copied. */
export interface CopyReport extends Omit<CopyProgress, "failed" | "total"> {
  /** Runs that could not be copied, and why. */
  readonly failed: readonly FailedRun[];
}

/** Two stores, one of which is copied into the other. */
interface Copying {
  readonly from: Store;
  readonly to: Store;
  /** Blobs that are there by now. */
  readonly blobs: Set<string>;
}

/**
 * Copies all runs of a store into another one, with journals, checkpoints, drafts, definitions and blobs. Each run is written in one atomic step, after
 * everything that it refers to. If the copy was interrupted, call this again: runs that are there are compared, entry by entry, and get the entries that
 * they lack. Nothing is ever removed from either store. A run that is another one there, or has continued there, is among `failed` with `RUN_EXISTS`; one that
 * was handed over and is there is `unchanged`. Let
 * no executor use the second store before the copy is complete. The copy of an encrypted store is sealed with the key of the second store; a store without
 * a key gets no secrets. Throws `STORE_KEY_WRONG` where the first store is encrypted and was opened without its key, `ABORTED`, and what the stores throw.
 */
export async function copyStore(from: Store, to: Store, options: CopyOptions = {}): Promise<CopyReport> {
  assertOptions("copyStore", options, { onProgress: true, signal: true });
  const copying: Copying = { from, to, blobs: new Set() };
  const failed = new Map<string, FailedRun>();
  const seen = new Map<string, number>();
  const progress = { total: (await from.usage()).runs, copied: 0, unchanged: 0, failed: 0 };
  for await (const { items, damaged = [] } of allPages((place) => from.runs({ ...place, oldestFirst: true }))) {
    for (const one of damaged) failed.set(one.run, one);
    for (const head of items) {
      if (options.signal?.aborted) throw ended(progress, options.signal);
      // A run that changed meanwhile is listed again at the end.
      if (seen.get(head.id) === head.revision) continue;
      seen.set(head.id, head.revision);
      try {
        progress[(await copyRun(copying, head)) ? "copied" : "unchanged"]++;
      } catch (error) {
        if (!isOfOneRun(error)) throw error;
        failed.set(head.id, { run: head.id, error: error.toJSON() });
      }
      options.onProgress?.({ ...progress, failed: failed.size });
    }
  }
  const { copied, unchanged } = progress;
  return { copied, unchanged, failed: [...failed.values()] };
}

/** What is wrong with one run, and no reason to leave the others. */
function isOfOneRun(error: unknown): error is WorkflowError {
  return isDamage(error) || (isWorkflowError(error) && error.code === "RUN_EXISTS");
}

function ended(progress: CopyProgress, signal: AbortSignalLike): WorkflowError {
  return new WorkflowError(
    "ABORTED",
    `Ended after ${progress.copied + progress.unchanged} of ${progress.total} runs. Call it again for the others.`,
    {
      details: { ...progress },
      cause: signal.reason,
    },
  );
}

/** Gives whether there was anything to do. */
async function copyRun(copying: Copying, listed: RunHead): Promise<boolean> {
  const { from, to } = copying;
  assertOpened(from, listed);
  const there = await to.head(listed.id);
  if (there && (await hasArrived(copying, listed, there))) return false;
  const isSame = there !== undefined && describes(there, listed);
  if (isSame) await assertContinues(copying, listed, there);
  else await copyJournal(copying, listed, there);
  const isChanged = await copyNotes(copying, listed.id);
  return !isSame || isChanged;
}

function assertOpened({ seals }: Store, { id, sealed }: RunHead): void {
  if (sealed === undefined || seals) return;
  throw new WorkflowError(
    "STORE_KEY_WRONG",
    "The store is encrypted, and was opened without its key. Open it with encryptedStore; nothing was copied.",
    {
      details: { run: id },
    },
  );
}

/** Whether two heads say the same of a run. Each store counts its own commits. */
function describes(one: RunHead, other: RunHead): boolean {
  return JSON.stringify(comparable(one)) === JSON.stringify(comparable(other));
}

function comparable(head: RunHead): readonly (readonly [string, unknown])[] {
  return Object.entries(head)
    .filter(([name]) => name !== "revision" && name !== "sealed")
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}

async function copyJournal(copying: Copying, listed: RunHead, there: RunHead | undefined): Promise<void> {
  const { from, to } = copying;
  for (;;) {
    const head = await from.head(listed.id);
    // It was deleted meanwhile.
    if (!head) return;
    if (there) await assertContinues(copying, head, there);
    const journal = await readMissing(from, head, there);
    const rows = await rowsOf(from, head.id);
    // A run that changes while it is read is read again.
    if ((await from.head(head.id))?.revision !== head.revision) continue;
    const known = there ? await rowsOf(to, head.id) : new Map<string, CheckpointRow>();
    await copyBlobs(copying, head);
    const { sealed: _, ...own } = head;
    await to.commit({
      run: head.id,
      expected: there && { revision: there.revision, epoch: there.epoch },
      head: { ...own, revision: (there?.revision ?? 0) + 1 },
      ...journal,
      checkpoints: [...rows].filter(([key]) => !known.has(key)).map(([, { sealed: __, ...row }]) => row),
      forgotten: [...known].filter(([key]) => !rows.has(key)).map(([, row]) => row),
      durability: "strict",
    });
    return;
  }
}

/** The entries that a copy lacks, and the base if it does not have it yet. */
async function readMissing(
  from: Store,
  { id, entries, base = 0 }: RunHead,
  there: RunHead | undefined,
): Promise<{ readonly entries: readonly string[]; readonly base?: Base }> {
  const known = there?.entries ?? 0;
  const rest = await from.read(id, { from: Math.max(known, base), to: entries });
  if (rest.length !== entries - Math.max(known, base)) throw notWhole(id);
  if (base === (there?.base ?? 0)) return { entries: rest };
  const [text] = await from.read(id, { from: base - 1, to: base });
  if (text === undefined) throw notWhole(id);
  return { entries: rest, base: { at: base, text } };
}

function notWhole(run: string): WorkflowError {
  return new WorkflowError("RUN_CORRUPT", `The journal of run ${run} is not whole, so it was not copied.`, { details: { run } });
}

/** Whether the run was handed over and went on there: what it left here is an earlier state. */
async function hasArrived(copying: Copying, head: RunHead, there: RunHead): Promise<boolean> {
  const isLater = head.transferredTo !== undefined && (there.ownership ?? 0) > (head.ownership ?? 0);
  return isLater && isSameRun(head, there) && agree(copying, head, there, head.entries);
}

function isSameRun(one: RunHead, other: RunHead): boolean {
  return one.workflow === other.workflow && one.createdAt === other.createdAt;
}

/** Whether both say the same up to an entry. Entries that a base has replaced cannot be compared one by one. */
async function agree({ from, to }: Copying, head: RunHead, there: RunHead, end: number): Promise<boolean> {
  const place = { from: Math.max(head.base ?? 0, there.base ?? 0), to: end };
  if (place.from >= place.to) return true;
  const [here, known] = await Promise.all([from.read(head.id, place), to.read(head.id, place)]);
  return here.length === known.length && here.every((text, i) => text === known[i]);
}

/** Throws `RUN_EXISTS` unless the run there is an earlier state of this one. Heads do not show that, so all entries that both have are compared. */
async function assertContinues(copying: Copying, head: RunHead, there: RunHead): Promise<void> {
  const isEarlier = there.epoch <= head.epoch && there.entries <= head.entries && (there.base ?? 0) <= (head.base ?? 0);
  if (isEarlier && isSameRun(head, there) && (await agree(copying, head, there, there.entries))) return;
  throw new WorkflowError(
    "RUN_EXISTS",
    `Run ${head.id} is in the second store already, and is not an earlier state of this one: it went on there by itself, or is another run. It was left as it is; delete it there to copy this one.`,
    { details: { run: head.id } },
  );
}

async function rowsOf(store: Store, run: string): Promise<ReadonlyMap<string, CheckpointRow>> {
  const rows = new Map<string, CheckpointRow>();
  for await (const row of checkpointRows({ store }, { run })) rows.set(`${row.kind} ${row.number}`, row);
  return rows;
}

/** Copies what a run refers to, before the run itself. */
async function copyBlobs(copying: Copying, { id, definition, blobs: named = [] }: RunHead): Promise<void> {
  for (const hash of [definition, ...named]) {
    if (!(await copyBlob(copying, hash))) {
      throw new WorkflowError(
        "RUN_CORRUPT",
        `Run ${id} refers to the blob ${hash}, which its store no longer has. The run was not copied.`,
        {
          details: { run: id, blob: hash },
        },
      );
    }
  }
}

/** Gives whether there is such a blob. */
async function copyBlob({ from, to, blobs }: Copying, hash: string): Promise<boolean> {
  if (blobs.has(hash)) return true;
  const content = await from.getBlob(hash);
  if (content === undefined) return false;
  await to.putBlob(hash, content);
  blobs.add(hash);
  return true;
}

/** What may stand beside a run there: a store that seals keeps secrets there, which no other gets. */
function notesOf({ from, to }: Copying, run: string): Promise<readonly Note[]> {
  return from.seals && !to.seals ? from.notes(run, "draft.") : from.notes(run);
}

/** Gives whether there was anything to do. */
async function copyNotes(copying: Copying, run: string): Promise<boolean> {
  const { to } = copying;
  const notes = await notesOf(copying, run);
  const known = new Map((await to.notes(run)).map(({ key, text }) => [key, text]));
  const wanted = new Map(notes.map(({ key, text }) => [key, text]));
  const changed = [...wanted].filter(([key, text]) => known.get(key) !== text);
  const gone = [...known.keys()].filter((key) => !wanted.has(key));
  for (const [key, text] of changed) {
    // A draft whose bytes are gone is lost. Its run is copied all the same.
    for (const hash of blobsOfDraft(text)) await copyBlob(copying, hash);
    await to.putNote(run, key, text);
  }
  for (const key of gone) await to.putNote(run, key, undefined);
  return changed.length + gone.length > 0;
}
