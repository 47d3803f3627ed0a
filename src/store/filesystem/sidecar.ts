import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RunHead } from "../../core/model/run.ts";
import { longRow, shortRow } from "./group.ts";
import type { ShortRow } from "./group.ts";
import { openSeal, sealedLines } from "./line.ts";
import { emptyState } from "./run-state.ts";
import type { Position, RunState } from "./run-state.ts";

const VERSION = 1;

/**
 * Writes down what follows from a journal, so that lists need not read it. A cache: deleting it changes nothing but time. It also holds how
 * long the journal was when all of it was acknowledged, which tells a journal that lost its end from one that never had it.
 */
export function writeSidecar(directory: string, temporary: string, state: RunState): void {
  const { head, position } = state;
  if (head === undefined) return;
  const rows = [...state.rows.descending()].toReversed().map((row) => shortRow(row, head));
  writeFileSync(temporary, sealedLines([], [VERSION, position.segment, position.bytes, head, rows]));
  renameSync(temporary, sidecarPath(directory));
}

/** The state a sidecar holds; nothing where there is none, or none that this version can use. */
export function readSidecar(directory: string): RunState | undefined {
  let bytes: Buffer;
  try {
    bytes = readFileSync(sidecarPath(directory));
  } catch {
    return undefined;
  }
  const seal = bytes.at(-1) === 10 ? openSeal(bytes, 0, 0, bytes.length - 1) : undefined;
  if (seal?.[0] !== VERSION) return undefined;
  const [, segment, end, head, rows] = seal as [number, number, number, RunHead, ShortRow[]];
  const state = emptyState();
  state.apply({ head, checkpoints: rows.map((row) => longRow(row, head)), forgotten: [] });
  state.position = { segment, bytes: end } satisfies Position;
  return state;
}

function sidecarPath(directory: string): string {
  return join(directory, "cache.json");
}
