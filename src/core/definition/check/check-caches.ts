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
