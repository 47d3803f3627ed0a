import type { ErrorCode, Problem } from "../../model/errors.ts";
import { isWorkflowError } from "../../model/errors.ts";

/** Problems of each severity that a report holds. The first hundred tell enough, and looking for names that were meant takes time. */
const MAX_PROBLEMS = 100;

/** Collects what is wrong with a definition. */
export interface ProblemList {
  /** In the order they were found. */
  readonly problems: readonly Problem[];
  readonly hasErrors: boolean;
  /** Whether further errors would not be kept. */
  readonly isFull: boolean;
  error(code: ErrorCode, path: string, message: string, more?: Partial<Problem>): void;
  warn(code: ErrorCode, path: string, message: string, more?: Partial<Problem>): void;
  /** Adds a `WorkflowError` as a problem at this path; throws on what is none. */
  caught(thrown: unknown, path: string): void;
}

/** An empty list. */
export function listProblems(): ProblemList {
  const problems: Problem[] = [];
  const counts = { error: 0, warning: 0 };
  const add = (problem: Problem): void => {
    if (counts[problem.severity]++ < MAX_PROBLEMS) problems.push(problem);
  };
  return {
    problems,
    get hasErrors() {
      return counts.error > 0;
    },
    get isFull() {
      return counts.error >= MAX_PROBLEMS;
    },
    error: (code, path, message, more) => add({ severity: "error", code, path, message, ...more }),
    warn: (code, path, message, more) => add({ severity: "warning", code, path, message, ...more }),
    caught(thrown, path) {
      if (!isWorkflowError(thrown)) throw thrown;
      const { suggestion, ...details } = thrown.details;
      add({
        ...thrown.toJSON(),
        severity: "error",
        path,
        ...(Object.keys(details).length > 0 ? { details } : {}),
        ...(typeof suggestion === "string" ? { suggestion } : {}),
      });
    },
  };
}
