import { WorkflowError } from "../model/errors.ts";
import { MAX_CALLED_RUNS } from "../model/limits.ts";

/** How many more runs may be called below the same outermost run, for each run of the tree. It lives as long as they are in memory. */
const budgets = new WeakMap<object, { left: number }>();

/**
 * Counts a call of a run. Lists of items in workflows that call each other multiply at each level, so depth alone bounds nothing. Throws
 * `LIMIT_EXCEEDED`.
 */
export function spendCall(caller: object): void {
  const budget = budgetOf(caller);
  if (budget.left === 0) {
    throw new WorkflowError(
      "LIMIT_EXCEEDED",
      `One run and those it calls may call ${MAX_CALLED_RUNS} runs in all. Give each call more to do, or start several runs.`,
      { details: { limit: MAX_CALLED_RUNS } },
    );
  }
  budget.left--;
}

/** What a called run calls is counted with its caller's calls. */
export function shareCalls(caller: object, called: object): void {
  budgets.set(called, budgetOf(caller));
}

function budgetOf(run: object): { left: number } {
  let budget = budgets.get(run);
  if (budget === undefined) {
    budget = { left: MAX_CALLED_RUNS };
    budgets.set(run, budget);
  }
  return budget;
}
