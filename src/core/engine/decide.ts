import { PENDING, SKIPPED_BLOCK } from "./block-code.ts";
import type { RunState } from "./state.ts";

/** What is to be done next with a run. */
export type Decision =
  /** Run these blocks at the same time, and give these answers to the blocks that asked. */
  | {
      readonly do: "execute";
      readonly blocks: readonly number[];
      readonly answered: readonly number[];
      readonly recheck: readonly number[];
    }
  /** Only answers can move the run on. */
  | { readonly do: "wait" }
  | { readonly do: "finish"; readonly status: "completed" }
  | { readonly do: "finish"; readonly status: "failed"; readonly block: number }
  | { readonly do: "nothing" };

const NOTHING: Decision = { do: "nothing" };
const WAIT: Decision = { do: "wait" };
const COMPLETE: Decision = { do: "finish", status: "completed" };
const NO_BLOCKS: readonly number[] = [];

/** Decides from the state alone, so that a first run, a resume, a recovery and a fork take the same way. */
export function decide(state: RunState): Decision {
  if (state.finished) return NOTHING;
  const { plan } = state.compiled;
  if (state.wave === plan.waves.length) return COMPLETE;
  const blocks = pendingBlocks(state);
  if (blocks.length > 0 || state.answered.size > 0 || state.recheck.size > 0) {
    return { do: "execute", blocks, answered: listed(state.answered), recheck: listed(state.recheck) };
  }
  if (state.fatal >= 0) return { do: "finish", status: "failed", block: state.fatal };
  return WAIT;
}

function listed(numbers: ReadonlySet<number>): readonly number[] {
  return numbers.size === 0 ? NO_BLOCKS : [...numbers];
}

function pendingBlocks(state: RunState): readonly number[] {
  if (state.unsettled[state.wave] === state.waiting) return NO_BLOCKS;
  const wave = state.compiled.plan.waves[state.wave]!;
  if (wave.length === state.unsettled[state.wave] && state.waiting === 0) return wave;
  return wave.filter((block) => state.blocks[block] === PENDING);
}

/**
 * The dependency because of which a block is skipped, or -1. A dependency that failed without `continue_on_error` ends the run before any
 * dependent's wave, so only skipped ones are met here.
 */
export function skippingDependency(state: RunState, block: number): number {
  const { plan } = state.compiled;
  for (let i = plan.dependencyStart[block]!; i < plan.dependencyStart[block + 1]!; i++) {
    if (plan.required[i] === 1 && state.blocks[plan.dependencies[i]!] === SKIPPED_BLOCK) return plan.dependencies[i]!;
  }
  return -1;
}
