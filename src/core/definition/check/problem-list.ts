import type { ErrorCode, Problem } from "../../model/errors.ts";
import { isWorkflowError } from "../../model/errors.ts";

/** Problems of each severity that a report holds. The first hundred tell enough, and looking for names that were meant takes time. */
export const MAX_PROBLEMS = 100;

/** What is known of a problem beside its code, path and message. */
export interface ProblemDetails extends Partial<Problem> {
  /** Whether it is about the key at the end of the path, not about the value. Default: false. */
  readonly isKey?: boolean;
}

/** Collects what is wrong with a definition. */
export interface ProblemList {
  /** In the order they were found. */
  readonly problems: readonly Problem[];
  /** The problems that are about the key at the end of their path. */
  readonly ofKeys: ReadonlySet<Problem>;
  /** Whether further errors would not be kept. */
  readonly isFull: boolean;
  error(code: ErrorCode, path: string, message: string, more?: ProblemDetails): void;
  warn(code: ErrorCode, path: string, message: string, more?: ProblemDetails): void;
  /** Adds a `WorkflowError` as a problem at this path; throws on what is none. */
  caught(thrown: unknown, path: string): void;
  /** Where a path stands in what was written; nothing where no more is to be said about it: then its problems are left out. */
  place(path: string): string | undefined;
  /** The same list for paths that `place` translates. */
  placed(place: (path: string) => string | undefined): ProblemList;
}

/** An empty list. `errors` is how many were found before, elsewhere. */
export function listProblems({ errors = 0 }: { readonly errors?: number } = {}): ProblemList {
  const problems: Problem[] = [];
  const counts = { error: errors, warning: 0 };
  const ofKeys = new Set<Problem>();
  const listAt = (place: (path: string) => string | undefined): ProblemList => {
    const add = ({ isKey = false, ...problem }: Problem & ProblemDetails): void => {
      const path = place(problem.path!);
      if (path === undefined || counts[problem.severity]++ >= MAX_PROBLEMS) return;
      const placed = { ...problem, path };
      problems.push(placed);
      if (isKey) ofKeys.add(placed);
    };
    return {
      problems,
      ofKeys,
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
      place,
      placed: listAt,
    };
  };
  return listAt((path) => path);
}
