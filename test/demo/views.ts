import type { BlockView, Pause, RunHead, RunView } from "wavepoint";

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

/** The question of an `AskChoice` block. */
export function choicePause(rest: Partial<Pause> = {}): Pause {
  return {
    id: "pause_a.0",
    run: "run_a",
    path: ["brew"],
    type: "AskChoice",
    prompt: "How do you make coffee?\n\nChoices:\n1. Filter\n2. French press\n\nRespond with the number of your choice.",
    schema: { type: ["string", "integer"], minLength: 1 },
    metadata: { kind: "choice", choices: ["Filter", "French press"] },
    allows: { decline: true, cancel: true, back: false, skip: false },
    progress: { answered: 0, remaining: { min: 1 } },
    askedAt: NOW - 1_000,
    ...rest,
  };
}

/** The question of a `GetInput` block. */
export function textPause(rest: Partial<Pause> = {}): Pause {
  return {
    ...choicePause({ id: "pause_a.1", path: ["cups"], type: "GetInput", prompt: "How many cups a day?", schema: { type: "string" } }),
    metadata: { kind: "text", pattern: "[1-9]" },
    ...rest,
  };
}

/** The question of a `ConfirmOperation` block. */
export function confirmPause(rest: Partial<Pause> = {}): Pause {
  return {
    ...choicePause({ id: "pause_a.2", path: ["subscribe"], type: "ConfirmOperation", schema: { type: "string", minLength: 1 } }),
    prompt: "Confirm operation: Send the first box?\n\nRespond with 'yes' or 'no'",
    metadata: { kind: "confirm", operation: "subscribe" },
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
    revision: 1,
    epoch: 1,
    entries: 2,
    pauses: [],
    ...rest,
  };
}
