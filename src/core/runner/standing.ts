import type { WorkflowError } from "../model/errors.ts";
import type { AbortControllerLike } from "../ports/host.ts";

/** Where the runner of a run stands in this process. */
export type Standing =
  /** Nothing asked this executor to execute the run. */
  | { readonly at: "idle" }
  /** It waits for the lock of the run. */
  | { readonly at: "claiming" }
  /** It has the lock and executes blocks, until it is aborted. */
  | { readonly at: "executing"; readonly abort: AbortControllerLike }
  /** It was asked to execute the run and has nothing to do now. `error` is what ended the last work, if it was not the run itself. */
  | { readonly at: "waiting"; readonly error: unknown }
  /** Another runner took the run. What this one recorded since does not count, and the run has to be read again. */
  | { readonly at: "fenced"; readonly error: WorkflowError }
  /** The executor was closed: nothing executes any more. */
  | { readonly at: "closed"; readonly error: WorkflowError };

type Place = Standing["at"];

/** Every move there is, with its reason. The drawing in the docs is made from this table. */
export const MOVES: { readonly [From in Place]: { readonly [To in Place]?: string } } = {
  idle: { claiming: "asked to go on", waiting: "asked to go on, nothing to do yet", closed: "executor closed" },
  claiming: {
    executing: "lock taken",
    waiting: "at rest elsewhere, or the store failed",
    fenced: "another runner wrote first",
    closed: "executor closed",
  },
  executing: {
    claiming: "an answer came while the lock was released",
    waiting: "nothing to do now, or the store failed",
    fenced: "another runner took the run",
    closed: "executor closed",
  },
  waiting: { claiming: "an answer, an instant, or asked again", waiting: "nothing to do yet", closed: "executor closed" },
  fenced: { waiting: "read again", closed: "executor closed" },
  closed: {},
};

/** Where a runner stands after a move. Throws for a move that is not in the table: that is a fault of the runner. */
export function moved(from: Standing, to: Standing): Standing {
  if (MOVES[from.at][to.at] === undefined) throw new Error(`A runner that is ${from.at} cannot become ${to.at}.`);
  return to;
}
