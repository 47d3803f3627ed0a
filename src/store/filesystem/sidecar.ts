import { join } from "node:path";
import type { Disk } from "../../core/ports/disk.ts";
import { readFile, replaceSoon } from "./disk.ts";
import { openFile, sealedLines } from "./line.ts";
import { packState, unpackState } from "./packed-state.ts";
import type { PackedState } from "./packed-state.ts";
import { emptyState } from "./run-state.ts";
import type { RunState } from "./run-state.ts";

const VERSION = 1;

/**
 * Writes down what follows from a journal, so that lists need not read it. A cache: deleting it changes nothing but time. It also holds how
 * long the journal was when all of it was acknowledged, which tells a journal that lost its end from one that never had it.
 */
export function writeSidecar(disk: Disk, directory: string, temporary: string, state: RunState): void {
  const { head, position } = state;
  if (head === undefined) return;
  replaceSoon(
    disk,
    temporary,
    sidecarPath(directory),
    sealedLines([], [VERSION, position.segment, position.bytes, ...packState(state, head)]),
  );
}

/** The state a sidecar holds; nothing where there is none, or none that this version can use. */
export function readSidecar(disk: Disk, directory: string): RunState | undefined {
  let bytes: Buffer | undefined;
  try {
    bytes = readFile(disk, sidecarPath(directory));
  } catch {
    return undefined;
  }
  const seal = bytes && openFile(bytes)?.seal;
  if (seal?.[0] !== VERSION) return undefined;
  const [, segment, end, ...packed] = seal as [number, number, number, ...PackedState];
  const state = emptyState();
  state.apply(unpackState(packed));
  state.position = { segment, bytes: end };
  return state;
}

function sidecarPath(directory: string): string {
  return join(directory, "cache.json");
}
