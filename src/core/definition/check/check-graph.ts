import { type WorkflowError } from "../../model/errors.ts";
import type { Block } from "../../model/workflow.ts";
import { type Plan, planWaves } from "../plan.ts";
import type { ProblemList } from "./problem-list.ts";

/** Cycles told of at once. For each the waves are assigned anew, and those after the first are often made of the same blocks. */
const MAX_CYCLES = 10;

/** What can be said of the order of blocks. */
export interface CheckedGraph {
  /** The plan of what is right; nothing where there is too much wrong. */
  readonly plan: Plan | undefined;
  /** Blocks of the cycles that were told of: who of them comes first is open. */
  readonly tangled: ReadonlySet<string>;
}

/** Reports what {@link planWaves} finds wrong, and plans what is right, so that the rest can be checked in the same go. */
export function checkGraph(blocks: readonly Block[], problems: ProblemList): CheckedGraph {
  const tangled = new Set<string>();
  let cycles = 0;
  let isHopeless = false;
  const report = (mistake: WorkflowError): void => {
    problems.caught(mistake, mistake.place.path!);
    const cycle = (mistake.details["cycle"] ?? []) as readonly string[];
    // Who depends on itself is no riddle for others.
    if (cycle.length > 2) {
      cycles++;
      for (const id of cycle) tangled.add(id);
    }
    isHopeless = problems.isFull || cycles === MAX_CYCLES;
    if (isHopeless) throw mistake;
  };
  try {
    return { plan: planWaves(blocks, report), tangled };
  } catch (thrown) {
    if (!isHopeless) throw thrown;
    return { plan: undefined, tangled };
  }
}
