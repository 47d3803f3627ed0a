import { CALLING_TYPES } from "../../model/calling-types.ts";
import { adviseName } from "../../model/nearest.ts";
import type { Workflow } from "../../model/workflow.ts";
import type { BlockType } from "../../ports/block.ts";
import type { ProblemList } from "./problem-list.ts";
import { walkTexts } from "./walk-texts.ts";

const ENDS = ["fail", "skip"];

/** Reports what is said about the questions of blocks and cannot be meant: ends that there are not, and time limits of blocks that ask nothing. */
export function checkQuestions(
  { blocks }: Workflow,
  { blockTypes, problems }: { readonly blockTypes: ReadonlyMap<string, BlockType> | undefined; readonly problems: ProblemList },
): void {
  for (const [i, { id, type, answerTimeoutMs, onTimeout, skippable }] of blocks.entries()) {
    const path = `blocks[${i}].onTimeout`;
    if (typeof onTimeout === "string" && !ENDS.includes(onTimeout)) {
      const { details } = adviseName(onTimeout, ENDS);
      const message = `The on_timeout of block "${id}" must be "fail", "skip" or { answer: … }, not "${String(onTimeout).slice(0, 100)}".`;
      problems.error("SCHEMA_INVALID", path, message, details);
    } else if (typeof onTimeout === "object") {
      const message = `The answer in the on_timeout of block "${id}" is taken as it is written, and holds a reference. Write the answer itself.`;
      const visit = (text: string, at: string): void => void (text.includes("${") && problems.error("SCHEMA_INVALID", at, message));
      walkTexts(onTimeout.answer, `${path}.answer`, { problems, visit });
    }
    const blockType = blockTypes?.get(type);
    if (!blockType) continue;
    if ((answerTimeoutMs ?? onTimeout) !== undefined && !blockType.resume) {
      const key = answerTimeoutMs === undefined ? "onTimeout" : "answerTimeoutMs";
      const message = `Block "${id}" of type ${type} asks nothing, so no answer can come too late. Remove this key, or limit its work by timeout_ms.`;
      problems.error("BLOCK_NOT_INTERACTIVE", `blocks[${i}].${key}`, message);
    }
    if (!skippable || (blockType.resume && !CALLING_TYPES.has(type))) continue;
    const message = `Block "${id}" of type ${type} asks nothing itself, so there is no question to leave out. Say it of the block that asks.`;
    problems.error("BLOCK_NOT_INTERACTIVE", `blocks[${i}].skippable`, message);
  }
}
