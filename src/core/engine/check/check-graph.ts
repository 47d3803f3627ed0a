import { isWorkflowError } from "../../model/errors.ts";
import { adviseName } from "../../model/nearest.ts";
import type { Block } from "../../model/workflow.ts";
import type { Plan } from "../plan.ts";
import { dependencyId, planWaves } from "../plan.ts";
import type { ProblemList } from "./problem-list.ts";

/**
 * Reports blocks of one id, dependencies on unknown blocks and on oneself, and a cycle. Gives the plan of what is right, so that the rest
 * can be checked in the same go; nothing where ids are unclear or a cycle is left.
 */
export function checkGraph(blocks: readonly Block[], problems: ProblemList): Plan | undefined {
  const ids = new Set<string>();
  for (const [i, { id }] of blocks.entries()) {
    if (ids.has(id)) problems.error("ID_DUPLICATE", `blocks[${i}].id`, `There are two blocks with the id "${id}". Rename one of them.`);
    ids.add(id);
  }
  const sound = blocks.map((block, i): Block => {
    if (block.dependsOn === undefined) return block;
    const dependsOn = block.dependsOn.filter((dependency, j) => {
      const id = dependencyId(dependency);
      const path = `blocks[${i}].dependsOn[${j}]`;
      if (id === block.id) {
        problems.error("DEPENDENCY_CYCLE", path, `Block "${id}" depends on itself, a cycle. Remove that dependency.`);
        return false;
      }
      if (ids.has(id)) return true;
      if (problems.isFull) return false;
      const advice = adviseName(id, ids);
      problems.error(
        "DEPENDENCY_UNKNOWN",
        path,
        `Block "${block.id}" depends on "${id}", which is no block of this workflow.${advice.sentence}`,
        advice.details,
      );
      return false;
    });
    return dependsOn.length === block.dependsOn.length ? block : { ...block, dependsOn };
  });
  if (ids.size < blocks.length) return undefined;
  try {
    return planWaves(sound);
  } catch (thrown) {
    problems.caught(thrown, (isWorkflowError(thrown) && thrown.place.path) || "blocks");
    return undefined;
  }
}
