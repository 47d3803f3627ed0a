import type { ErrorCode, RunStatus } from "../../index.ts";

/** The exit codes of the process. */
export const EXIT = { completed: 0, failed: 1, invalid: 2, paused: 3, store: 4, interrupted: 130 } as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** What each exit code means, for `--help`. */
export const EXIT_MEANINGS: readonly (readonly [ExitCode, string])[] = [
  [EXIT.completed, "completed; a command that runs nothing did what it was asked"],
  [EXIT.failed, "the run failed or was cancelled"],
  [EXIT.invalid, "wrong usage, or a workflow, input, run or checkpoint that cannot be used"],
  [EXIT.paused, "the run waits for an answer, also where the one given was refused"],
  [EXIT.store, "the store cannot be used, or something in it is damaged"],
  [EXIT.interrupted, "interrupted; the run can be resumed"],
];

const DAMAGE: ReadonlySet<ErrorCode> = new Set<ErrorCode>(["RUN_CORRUPT", "CHECKPOINT_CORRUPT", "SCHEMA_VERSION_UNSUPPORTED"]);

/** Returns the exit code for the state of a run. A run that is still running was interrupted. */
export function exitCodeOf(status: RunStatus): ExitCode {
  switch (status) {
    case "completed":
      return EXIT.completed;
    case "paused":
      return EXIT.paused;
    case "running":
      return EXIT.interrupted;
    default:
      return EXIT.failed;
  }
}

/** The exit code for an error that kept a command from doing its work. */
export function exitCodeOfError(code: ErrorCode): ExitCode {
  if (code === "ABORTED") return EXIT.interrupted;
  if (code === "STORE_ADDRESS_INVALID" || code === "STORE_KEY_INVALID" || code === "STORE_QUERY_INVALID") return EXIT.invalid;
  return code.startsWith("STORE_") || DAMAGE.has(code) ? EXIT.store : EXIT.invalid;
}
