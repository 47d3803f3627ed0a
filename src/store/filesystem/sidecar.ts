import { join } from "node:path";
import type { RunHead } from "../../core/model/run.ts";
import type { Disk } from "../../core/ports/disk.ts";
import { readFile, replaceSoon } from "./disk.ts";
import { openFile, sealedBytes } from "./line.ts";
import { unpackState } from "./packed-state.ts";
import type { PackedState } from "./packed-state.ts";
import { emptyState } from "./run-state.ts";
import type { RunState } from "./run-state.ts";

const VERSION = 2;
/** The form in which the rows stood in the seal, and no marks. */
const SEALED_ROWS = 1;

type SealedState = readonly [
  rows: number,
  head: RunHead,
  dropped: readonly (readonly [string, number])[],
  marks: readonly (readonly [segment: number, bytes: number, entries: number])[],
];

/**
 * Writes down what follows from a journal, so that neither lists nor whoever goes on with a run read all of it. A cache: deleting it changes
 * nothing but time. It also holds how long the journal was when all of it was acknowledged, which tells a journal that lost its end from one
 * that never had it.
 */
export function writeSidecar(disk: Disk, directory: string, temporary: string, state: RunState): void {
  const { head, position, rows, dropped, marks } = state;
  if (head === undefined) return;
  const { lines, size } = rows.store(head);
  const sealed: SealedState = [size, head, [...dropped], marks.map(({ segment, bytes, entries }) => [segment, bytes, entries])];
  replaceSoon(disk, temporary, sidecarPath(directory), sealedBytes(lines, [VERSION, position.segment, position.bytes, ...sealed]));
}

/** The state a sidecar holds; nothing where there is none, or none that this version can use. */
export function readSidecar(disk: Disk, directory: string): RunState | undefined {
  let bytes: Buffer | undefined;
  try {
    bytes = readFile(disk, sidecarPath(directory));
  } catch {
    return undefined;
  }
  const { content, seal } = (bytes && openFile(bytes)) ?? {};
  if (content === undefined || seal === undefined) return undefined;
  const [version, segment, end, ...sealed] = seal as [number, number, number, ...unknown[]];
  const state = version === VERSION ? restored(content, sealed as unknown as SealedState) : unpacked(version, sealed);
  if (state !== undefined) state.position = { segment, bytes: end };
  return state;
}

function restored(lines: Buffer, [size, head, dropped, marks]: SealedState): RunState {
  const state = emptyState({ lines, size });
  state.apply({ head, checkpoints: [], forgotten: [], dropped });
  for (const [segment, bytes, entries] of marks) state.marks.push({ segment, bytes, entries });
  return state;
}

function unpacked(version: number, sealed: readonly unknown[]): RunState | undefined {
  if (version !== SEALED_ROWS) return undefined;
  const state = emptyState();
  state.apply(unpackState(sealed as unknown as PackedState));
  return state;
}

function sidecarPath(directory: string): string {
  return join(directory, "cache.json");
}
