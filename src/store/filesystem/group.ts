import type { CheckpointRow } from "../../core/model/checkpoint.ts";
import type { RunHead } from "../../core/model/run.ts";
import type { Commit } from "../../core/ports/store.ts";
import { kindDigit, kindOf, longRow, shortRow, trimmed, type ShortRow } from "../short-row.ts";
import { sealedLines, textLine } from "./line.ts";

/** The changes of a commit other than its entries. */
export interface Change {
  readonly head: RunHead;
  readonly checkpoints: readonly CheckpointRow[];
  readonly forgotten: readonly Pick<CheckpointRow, "kind" | "number">[];
  /** Notes that are gone, as `DroppedNotes` has them. */
  readonly dropped: readonly (readonly [key: string, revision: number])[];
}

/** A commit as a group writes it. */
export interface NewGroup {
  readonly commit: Commit;
  readonly dropped: Change["dropped"];
  /** Whether it goes to the disk in one write with the group before it. */
  readonly continues: boolean;
}

/** Written for a field that left the head: no field of a head is ever null. */
const GONE = null;

/** Place in the seal of a group. */
const CONTINUES = 6;

/** Fields that follow from the place of a group in its journal. */
const IMPLIED: ReadonlySet<string> = new Set(["id", "revision", "entries", "updatedAt"]);

/**
 * The bytes of one commit: its entries a line each, and a line that seals them: the revision, by how much `updatedAt` grew, the fields of
 * the head that changed, the rows that joined the index and those that left it, the notes that are gone, and whether it was written together
 * with the group before it.
 */
export function encodeGroup({ commit, dropped, continues }: NewGroup, before: RunHead | undefined): Buffer {
  const { head } = commit;
  const seal: unknown[] = [head.revision, head.updatedAt - (before?.updatedAt ?? 0)];
  const fields = changedFields(head, before);
  const joined = commit.checkpoints?.map((row) => shortRow(row, head)) ?? [];
  const left = commit.forgotten?.map(({ kind, number }) => [kindDigit(kind), number]) ?? [];
  const more = [Object.keys(fields).length > 0 ? fields : 0, orNone(joined), orNone(left), orNone(dropped), continues ? 1 : 0];
  return sealedLines(commit.entries.map(textLine), [...seal, ...trimmed(more)]);
}

/** Whether a seal says that its group was written together with the one before it. */
export function continuesWrite(seal: readonly unknown[]): boolean {
  return seal[CONTINUES] === 1;
}

/** Reads the changes of a group from its seal. Throws if the seal does not follow `before`. */
export function decodeGroup(run: string, seal: readonly unknown[], added: number, before: RunHead | undefined): Change {
  const [revision, later, fields, joined, left, dropped] = seal as [
    number,
    number,
    object | 0 | undefined,
    ShortRow[] | 0 | undefined,
    [number, number][] | 0 | undefined,
    [string, number][] | 0 | undefined,
  ];
  if (revision !== (before?.revision ?? 0) + 1) throw new RangeError(`revision ${revision} does not follow ${before?.revision ?? 0}`);
  const changed = {
    ...before,
    ...(fields === 0 ? undefined : fields),
    id: run,
    revision,
    updatedAt: (before?.updatedAt ?? 0) + later,
    entries: (before?.entries ?? 0) + added,
  };
  const head = Object.fromEntries(Object.entries(changed).filter(([, value]) => value !== GONE)) as unknown as RunHead;
  return {
    head,
    checkpoints: (joined || []).map((row) => longRow(row, head)),
    forgotten: (left || []).map(([kind, number]) => ({ kind: kindOf(kind), number })),
    dropped: dropped || [],
  };
}

function orNone<T>(list: readonly T[]): readonly T[] | 0 {
  return list.length > 0 ? list : 0;
}

function changedFields(head: RunHead, before: RunHead | undefined): { [field: string]: unknown } {
  const changed: { [field: string]: unknown } = {};
  const old = (before ?? {}) as { [field: string]: unknown };
  for (const [field, value] of Object.entries(head)) {
    if (IMPLIED.has(field) || value === undefined || old[field] === value) continue;
    if (old[field] === undefined || JSON.stringify(old[field]) !== JSON.stringify(value)) changed[field] = value;
  }
  for (const field of Object.keys(old)) if ((head as unknown as { [field: string]: unknown })[field] === undefined) changed[field] = GONE;
  return changed;
}
