import { invalid, type BlockResult } from "../ports/block.ts";
import type { ReadyType } from "./ready-type.ts";
import type { ResumedStep } from "./step.ts";
import { describeProblems } from "./check-answer.ts";

/** Gives an answer to the block that asked as the schema of the block type makes it. One that does no more leaves the question open. */
export async function resumeChecked(step: ResumedStep, { validateAnswer, resume }: ReadyType): Promise<BlockResult> {
  const { value, issues } = await validateAnswer!(step.response);
  if (issues) {
    const { message, details } = describeProblems(issues);
    return invalid(message, details);
  }
  step.checked = { response: value };
  return resume!(step as never);
}
