import { damaged } from "./failure.ts";
import { foldChain } from "./fold.ts";
import { NOWHERE, type Position, type RunState, emptyState } from "./run-state.ts";
import { inodeOf } from "./segment-writer.ts";
import { segmentChain } from "./segments.ts";
import type { JournalPlace, Segment } from "./segments.ts";
import { readSidecar } from "./sidecar.ts";

/** What a store knows of a journal before it reads again. */
export interface Known {
  readonly state: RunState;
  /** The file behind the position of the state, so that a run deleted and made again is not taken for the old one. */
  readonly inode: number | undefined;
  /** Whether files were added or removed since: then one that the sidecar names may be lost. */
  readonly hasNewFiles: boolean;
  /** Where a failed write began: bytes that it left behind must never count. */
  readonly abandoned: (Position & { readonly inode: number }) | undefined;
  /** The end of the part that is known to be acknowledged, by any store. */
  readonly acknowledged: Position;
  /** Only segments before this one are read. */
  readonly below?: number;
}

/** A journal as it is stored now. */
export interface Loaded {
  readonly state: RunState;
  readonly chain: readonly Segment[];
  /** Bytes of an unfinished write at its end. */
  readonly torn: number;
  /** The latest of three: as known before, as the sidecar says, or as the writes show. */
  readonly acknowledged: Position;
}

/** Reads and folds the unknown part of a journal. Throws `STORE_DATA_CORRUPT` if it is damaged. */
export function loadState(place: JournalPlace, known: Known): Loaded {
  const { run, disk, directory } = place;
  const { state, inode, hasNewFiles, abandoned, below = Infinity } = known;
  const current = state.position.segment >= 0 && inodeOf(disk, directory, state.position.segment) === inode;
  // Trust what is known of its files only as long as the state.
  if (!current) place.headers.clear();
  // Read before the chain, which then holds at least the part in the sidecar.
  const cached = current && !hasNewFiles ? undefined : readSidecar(place);
  const segments = segmentChain(place, below);
  const last = segments.at(-1);
  if (last === undefined) {
    if (cached !== undefined && cached.position.segment < below) throw shorter(run);
    return { state: emptyState(), chain: [], torn: 0, acknowledged: NOWHERE };
  }
  const isAbandoned = last.number === abandoned?.segment && last.inode === abandoned.inode;
  const chain = isAbandoned ? [...segments.slice(0, -1), { ...last, end: Math.max(last.start, abandoned.bytes) }] : segments;
  // Read this before folding changes the state.
  const before = current ? known.acknowledged : (cached?.position ?? NOWHERE);
  const stored = usable(run, chain, below, cached);
  const from = current ? state : stored;
  const folded = foldChain(place, chain, from ?? emptyState());
  return { ...folded, chain, acknowledged: later(before, folded.acknowledged) };
}

/** Returns the state of a sidecar, if the chain continues it. Throws if the chain has less. */
function usable(run: string, chain: readonly Segment[], below: number, cached: RunState | undefined): RunState | undefined {
  if (cached === undefined || cached.position.segment >= below) return undefined;
  const { segment, bytes } = cached.position;
  const [first] = chain;
  if (first!.replaced && segment < first!.number) return undefined;
  const part = chain.find(({ number }) => number === segment);
  if (part === undefined || part.end < bytes) throw shorter(run);
  return cached;
}

function later(a: Position, b: Position): Position {
  return a.segment > b.segment || (a.segment === b.segment && a.bytes >= b.bytes) ? a : b;
}

function shorter(run: string): Error {
  return damaged(run, "it is shorter than what had been acknowledged");
}
