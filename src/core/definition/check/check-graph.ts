import { isWorkflowError } from "../../model/errors.ts";
import { adviseName } from "../../model/suggestions.ts";
import type { Block } from "../../model/workflow.ts";
import { type Plan, dependencyId, planWaves } from "../plan.ts";
import type { ProblemList } from "./problem-list.ts";

/** Cycles told of at once. Each is found by planning anew, and those after the first are often made of the same blocks. */
const MAX_CYCLES = 10;

/** What can be said of the order of blocks. */
export interface CheckedGraph {
  /** The plan of what is right; nothing where too many cycles are left. */
  readonly plan: Plan | undefined;
  /** Blocks of the cycles that were told of: who of them comes first is open. */
  readonly tangled: ReadonlySet<string>;
}

/**
 * Reports blocks of one id, dependencies on unknown blocks and on oneself, and cycles. Plans what is right, so that the rest can be checked
 * in the same go.
 */
export function checkGraph(blocks: readonly Block[], problems: ProblemList): CheckedGraph {
  const ids = new Set<string>();
  const named = blocks.map((block, i): Block => {
    const { id } = block;
    if (!ids.has(id)) {
      ids.add(id);
      return block;
    }
    problems.error("ID_DUPLICATE", `blocks[${i}].id`, `There are two blocks with the id "${id}". Rename one of them.`);
    // Of those with one id the first is meant by it. A blank is in no id, so nothing means the others.
    return { ...block, id: `${id} ${i}` };
  });
  return planWithoutCycles(blocks, withoutUnknown(named, blocks, { ids, problems }), problems);
}

function withoutUnknown(
  named: readonly Block[],
  written: readonly Block[],
  { ids, problems }: { readonly ids: ReadonlySet<string>; readonly problems: ProblemList },
): Block[] {
  return named.map((block, i): Block => {
    if (block.dependsOn === undefined) return block;
    const { id: own } = written[i]!;
    const dependsOn = block.dependsOn.filter((dependency, j) => {
      const id = dependencyId(dependency);
      const path = `blocks[${i}].dependsOn[${j}]${typeof dependency === "string" ? "" : ".block"}`;
      if (id === own) {
        problems.error("DEPENDENCY_CYCLE", path, `Block "${id}" depends on itself, a cycle. Remove that dependency.`);
        return false;
      }
      if (ids.has(id)) return true;
      if (problems.isFull) return false;
      const advice = adviseName(id, ids);
      const message = `Block "${own}" depends on "${id}", which is no block of this workflow.${advice.sentence}`;
      problems.error("DEPENDENCY_UNKNOWN", path, message, advice.details);
      return false;
    });
    return dependsOn.length === block.dependsOn.length ? block : { ...block, dependsOn };
  });
}

/** Takes one dependency out of each cycle until none is left. */
function planWithoutCycles(written: readonly Block[], blocks: Block[], problems: ProblemList): CheckedGraph {
  const tangled = new Set<string>();
  for (let cycles = 0; cycles < MAX_CYCLES; cycles++) {
    try {
      return { plan: planWaves(blocks), tangled };
    } catch (thrown) {
      if (!isWorkflowError(thrown) || thrown.code !== "DEPENDENCY_CYCLE") throw thrown;
      const cycle = thrown.details["cycle"] as readonly string[];
      const [first, next] = cycle;
      for (const id of cycle) tangled.add(id);
      const i = blocks.findIndex(({ id }) => id === first);
      const leadsOn = (dependency: NonNullable<Block["dependsOn"]>[number]): boolean => dependencyId(dependency) === next;
      problems.caught(thrown, `blocks[${i}].dependsOn[${written[i]!.dependsOn!.findIndex(leadsOn)}]`);
      blocks[i] = { ...blocks[i]!, dependsOn: blocks[i]!.dependsOn!.filter((dependency) => !leadsOn(dependency)) };
    }
  }
  return { plan: undefined, tangled };
}
