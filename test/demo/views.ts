import type { BlockView, RunHead, RunView } from "wavepoint";

/** 21 November 2026, 10:00 UTC. */
export const NOW: number = Date.UTC(2026, 10, 21, 10);

/** A block of a view; waits unless told otherwise. */
export function blockView(id: string, rest: Partial<BlockView> = {}): BlockView {
  return { id, type: "EchoBlock", status: "pending", ...rest };
}

/** A view of a run whose waves hold the given blocks. */
export function runView(waves: readonly (readonly BlockView[])[], rest: Partial<RunView> = {}): RunView {
  return {
    id: "run_a",
    workflow: "coffee-subscription",
    definition: "0".repeat(64),
    status: "running",
    createdAt: NOW - 120_000,
    updatedAt: NOW,
    inputs: {},
    waves: waves.map((blocks, index) => ({ index, blocks })),
    pauses: [],
    progress: { answered: 0, remaining: { min: 0 } },
    active: false,
    ...rest,
  };
}

/** A line of the list of runs. */
export function runHead(rest: Partial<RunHead> = {}): RunHead {
  return {
    id: "run_a",
    workflow: "coffee-subscription",
    definition: "0".repeat(64),
    status: "paused",
    createdAt: NOW - 120_000,
    updatedAt: NOW,
    changedAt: NOW - 120_000,
    revision: 1,
    epoch: 1,
    entries: 2,
    pauses: [],
    ...rest,
  };
}
