import { errorData, WorkflowError } from "../model/errors.ts";
import type { InputProblem } from "../ports/block.ts";

/** An input that cannot be meant. */
export function wrongInput(input: string, message: string): InputProblem {
  return { input, code: "BLOCK_INPUT_INVALID", message };
}

/** What looking at an input throws, as a problem with it. */
export function problemsOf(input: string, look: () => unknown): InputProblem[] {
  try {
    look();
    return [];
  } catch (thrown) {
    const { code, message } = errorData(thrown, "BLOCK_INPUT_INVALID");
    return [{ input, code, message }];
  }
}

/** Throws the first problem. For blocks that look again once references have their values. */
export function assertSound([problem]: readonly InputProblem[]): void {
  if (problem) throw new WorkflowError(problem.code, problem.message);
}
