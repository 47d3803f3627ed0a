import type { Block } from "../../model/workflow.ts";
import type { Checked } from "./rule.ts";

/** Keys of a block that mean nothing outside of the plan. */
const OF_THE_PLAN: readonly (keyof Block)[] = ["dependsOn", "join", "next", "onFailure", "continueOnError", "forEach"];

/** Reports what a block says, or what is said of it, that is no part of the plan: it only undoes another one. */
export function checkCompensations({ workflow: { blocks }, graph: { plan }, texts, problems }: Checked): void {
  if (plan === undefined || plan.compensations.size === 0) return;
  const undone = new Map([...plan.compensations].map(([block, by]) => [by, block]));
  for (const [block, of] of undone) {
    for (const key of OF_THE_PLAN) {
      if (blocks[block]![key] === undefined) continue;
      const message = `Block "${plan.ids[block]!}" undoes "${plan.ids[of]!}" and is no part of the plan, so this key means nothing there. Remove it.`;
      problems.error("SCHEMA_INVALID", `blocks[${block}].${key}`, message);
    }
  }
  for (const { path: at, references } of texts) {
    for (const { path, column } of references) {
      const target = path[0] === "blocks" && typeof path[1] === "string" ? plan.index.get(path[1]) : undefined;
      const of = target === undefined ? undefined : undone.get(target);
      if (of === undefined) continue;
      const message = `Block "${plan.ids[target!]!}" only runs to undo "${plan.ids[of]!}", so there is nothing of it to refer to.`;
      problems.error("REFERENCE_TOO_EARLY", at, message, { column });
    }
  }
}
