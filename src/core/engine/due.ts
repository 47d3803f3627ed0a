import { decide } from "./decide.ts";
import type { RunState } from "./state.ts";

/** Whether there is something to do for whoever takes the run. */
export function hasWork(state: RunState, now: number): boolean {
  return isDue(state, now) || waitsForCalls(state) || mayTakeAnswers(state);
}

/** Whether something can be executed, or an end recorded. */
export function isDue(state: RunState, now: number): boolean {
  const { do: next } = decide(state, now);
  return next === "execute" || next === "expire" || next === "finish";
}

/** Whether it waits for runs that its blocks called: how those stand has to be looked at. */
export function waitsForCalls({ finished, open, pauses }: RunState): boolean {
  if (finished) return false;
  for (const number of open) if (pauses[number]!.entry.child !== undefined) return true;
  return false;
}

/** Whether open questions may have answers in the run that this one revises. */
function mayTakeAnswers({ revises, open, finished }: RunState): boolean {
  return revises !== undefined && open.size > 0 && !finished;
}
