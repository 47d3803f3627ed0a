import { pauseId } from "../model/ids.ts";
import type { RunHead } from "../model/run.ts";
import { type FoldedRun, openPauses, pausePath, reasonOf, type RunState, statusOf } from "../machine/machine.ts";

/** Characters of a prompt that a list of runs shows. */
const PROMPT_SUMMARY_LENGTH = 200;

/** Where a run came from, beside its own start. */
export type RunOrigin = Partial<Pick<RunHead, "parent" | "fork" | "createdAt" | "imported" | "blobs">>;

/** What of a head is not in the state of the run. */
export interface HeadFacts {
  readonly origin: RunOrigin;
  readonly createdAt: number;
  readonly epoch: number;
  /** Hashes of the blobs to which values refer that were recorded here. */
  readonly blobs: ReadonlySet<string>;
  /** Whether the run may not go on here. */
  readonly isBlocked: boolean;
}

/** The head of a run that has `added` more entries than `known` has. */
export function describeRun(
  { state, compiled, scope }: Pick<FoldedRun, "state" | "compiled" | "scope">,
  known: RunHead | undefined,
  added: number,
  { origin, createdAt, epoch, blobs, isBlocked }: HeadFacts,
): RunHead {
  const error = state.finished?.error;
  const updatedAt = Math.max(createdAt, state.started.at + state.lastAt);
  const head: RunHead = {
    id: state.id,
    workflow: state.started.workflow,
    definition: state.definition,
    status: statusOf(state),
    ...reasonOf(state),
    createdAt,
    updatedAt,
    changedAt: known?.changedAt ?? updatedAt,
    revision: (known?.revision ?? 0) + 1,
    epoch,
    entries: (known?.entries ?? 0) + added,
    ...(known?.base ? { base: known.base } : {}),
    pauses: state.open.size === 0 ? NO_PAUSES : pauseSummaries(state),
    ...(origin.parent ? { parent: origin.parent } : {}),
    ...(origin.fork ? { fork: origin.fork } : {}),
    ...(state.started.previous ? { previous: state.started.previous } : {}),
    ...(origin.imported && isBlocked ? { imported: true } : {}),
    ...(state.superseded ? { revised: true } : {}),
    ...(state.ownership > 0 ? { ownership: state.ownership } : {}),
    ...(state.transferredTo === undefined ? {} : { transferredTo: state.transferredTo }),
    ...(error ? { error } : {}),
    ...allBlobs(known, blobs, state.formerly),
  };
  const isChanged = known === undefined || !looksSame(known, head);
  const listed = isChanged ? compiled.listed(scope) : known;
  return {
    ...head,
    ...(isChanged && known && { changedAt: Math.max(known.changedAt, updatedAt) }),
    ...(listed.label !== undefined && { label: listed.label }),
    ...(listed.search && { search: listed.search }),
  };
}

/** The blobs that the head named before, those that were recorded here, and the definitions that the run had before. */
function allBlobs(known: RunHead | undefined, blobs: ReadonlySet<string>, formerly: readonly string[]): Pick<RunHead, "blobs"> {
  if (blobs.size + formerly.length === 0) return known?.blobs ? { blobs: known.blobs } : NOTHING;
  return { blobs: [...new Set([...(known?.blobs ?? []), ...blobs, ...formerly])] };
}

/** Whether lists show both in the same place, with the same words. */
function looksSame(a: RunHead, b: RunHead): boolean {
  return (
    a.status === b.status &&
    a.reason === b.reason &&
    a.definition === b.definition &&
    a.imported === b.imported &&
    a.transferredTo === b.transferredTo &&
    a.pauses.length === b.pauses.length &&
    a.pauses.every(({ id }, index) => id === b.pauses[index]!.id)
  );
}

const NOTHING = {};
const NO_PAUSES: RunHead["pauses"] = [];

function pauseSummaries(state: RunState): RunHead["pauses"] {
  return openPauses(state).map((number) => {
    const { entry } = state.pauses[number]!;
    return {
      id: pauseId(state.id, number),
      path: pausePath(entry),
      prompt: entry.prompt.slice(0, PROMPT_SUMMARY_LENGTH),
    };
  });
}
