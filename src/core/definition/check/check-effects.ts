import { type Block, CALLING_TYPES } from "../../model/workflow.ts";
import { type BlockType, effectOf } from "../../ports/block.ts";
import { namedSecret, secretInputsOf } from "./check-secrets.ts";
import type { Checked } from "./rule.ts";

/** Reports blocks whose outputs no other run can take over, though they say so. */
export function checkCaches({ workflow, blockTypes, texts, problems }: Checked): void {
  const secretInputs = secretInputsOf(workflow);
  for (const [i, block] of workflow.blocks.entries()) {
    if (block.cache === undefined) continue;
    const isSecret = texts.some(
      (text) => text.block === i && text.references.some((reference) => namedSecret(reference, secretInputs) !== undefined),
    );
    const reason = isSecret ? "is given secrets, which are not kept" : reasonOf(block, blockTypes?.get(block.type));
    if (reason === undefined) continue;
    const message = `Block "${block.id}" ${reason}, so no other run can take over what it gave. Remove this key, or do that in another block.`;
    problems.error("SCHEMA_INVALID", `blocks[${i}].cache`, message);
  }
}

/** What a block does beside giving outputs for its inputs, if anything. */
function reasonOf(block: Block, type: BlockType | undefined): string | undefined {
  const { type: name, repeatWhile } = block;
  if (CALLING_TYPES.has(name)) return "calls a workflow, which is a run of its own";
  if (type?.resume) return "may ask a question, and each run has its own answer";
  if (effectOf(block, type)) return "changes something outside of its run";
  if (repeatWhile !== undefined) return "runs again and again, each time with what it left in its run";
  return type?.cacheVersion === false ? `has the type "${name}", which waits, or gives what holds for its run alone` : undefined;
}

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
  for (const { path: at, block: own, section, references } of texts) {
    // What is looked at once a block has completed sees the block itself.
    const seesItself = section === "writes" || section === "repeatWhile";
    for (const { path, column } of references) {
      const target = path[0] === "blocks" && typeof path[1] === "string" ? plan.index.get(path[1]) : undefined;
      const of = target === undefined || (seesItself && target === own) ? undefined : undone.get(target);
      if (of === undefined) continue;
      const message = `Block "${plan.ids[target!]!}" only runs to undo "${plan.ids[of]!}", so there is nothing of it to refer to.`;
      problems.error("REFERENCE_TOO_EARLY", at, message, { column });
    }
  }
}
