import { pauseId } from "../model/ids.ts";
import type { RevisedEntry } from "../model/journal.ts";
import type { RunReading, RunState } from "../machine/machine.ts";
import { revisedEntry } from "../runner/runner.ts";
import { assertNotCompensated, Refusal, withdrawn } from "../run/run.ts";
import type { FoundQuestion } from "./find-question.ts";

/** The entry that changes the answer to a question that is not open. Throws why the answer cannot be changed. */
export function changeAnswer(run: RunReading, { calls, pause, asker, asked }: FoundQuestion): Omit<RevisedEntry, "at"> {
  const id = pauseId(asker.id, pause);
  const { answer, entry, leftAt, leftBy } = asked;
  // The engine asked what became of a block that must not run twice: that is no question of the workflow.
  if (answer && entry.about !== undefined) {
    throw new Refusal(
      "PAUSE_ALREADY_ANSWERED",
      `Pause ${id} asked what became of a block that must not run twice, and what was said of that stays. Change an answer before it.`,
      { details: { pause: id } },
    );
  }
  if (!answer && leftAt !== undefined && !asked.withdrawn) {
    const expiredAt = asker.session.state.started.at + (entry.until ?? entry.at);
    const how =
      leftBy === undefined
        ? `expired at ${new Date(expiredAt).toISOString()}: no answer came in time`
        : `has no answer: the event "${leftBy}" ended it before one came`;
    throw new Refusal(
      "PAUSE_EXPIRED",
      `Pause ${id} ${how}, so there is none to change. Where its block failed, resume the run to be asked again; else change an answer before it.`,
      { details: { pause: id, ...(leftBy === undefined ? { expiredAt } : { event: leftBy }) } },
    );
  }
  const revised = revisedEntry(run, calls, pause);
  // It was taken back, or the list no longer has the item that called the run.
  if (!revised) throw withdrawn(id);
  return revised;
}

/** Throws where a run has ended for good: its answers stay as they are. */
export function assertRevisable(state: RunState): void {
  assertNotCompensated(state);
  const { id, finished } = state;
  if (finished?.status !== "completed" && finished?.status !== "cancelled") return;
  throw new Refusal(
    "RUN_ENDED",
    `Run ${id} is ${finished.status}, so its answers stay as they are. Fork its last checkpoint with \`revise\` to change one in a new run.`,
    { details: { run: id } },
  );
}
