import type { ErrorData } from "../model/errors.ts";
import { pauseId } from "../model/ids.ts";
import type { RevisedEntry } from "../model/journal.ts";
import type { PauseState, RunReading } from "../machine/machine.ts";
import { revisedEntry } from "../runner/runner.ts";
import { withdrawnError } from "../run/run.ts";
import type { QuestionAddress } from "./questions.ts";

/** A question whose answer is to be changed, as the run that asked it has it. */
export interface AskedQuestion extends QuestionAddress {
  readonly asker: { readonly id: string };
  readonly asked: PauseState;
}

type Change =
  { readonly entry: Omit<RevisedEntry, "at">; readonly problem?: never } | { readonly entry?: never; readonly problem: ErrorData };

/** The entry by which a run takes another answer to a question that is not open, or why the answer stays as it is. */
export function changeAnswer(run: RunReading, { calls, pause, asker, asked }: AskedQuestion): Change {
  const id = pauseId(asker.id, pause);
  const { answer, entry, withdrawn } = asked;
  if (answer && entry.about !== undefined) return { problem: aboutOutcome(id) };
  if (!answer && asked.closed && !withdrawn) return { problem: expired(id) };
  const revised = revisedEntry(run, calls, pause);
  // It was taken back, or the item that called the run is not in its list for now.
  return revised ? { entry: revised } : { problem: withdrawnError(id) };
}

/** Why the answers of a run that has ended stay as they are. */
export function endedError(run: string, status: string): ErrorData {
  return {
    code: "RUN_ENDED",
    message: `Run ${run} is ${status}, so its answers stay as they are. Fork its last checkpoint with \`revise\` to change one in a new run.`,
    details: { run },
  };
}

/** What a person said of a block that must not run twice is no answer of the workflow. */
function aboutOutcome(pause: string): ErrorData {
  return {
    code: "PAUSE_ALREADY_ANSWERED",
    message: `Pause ${pause} asked what became of a block that must not run twice, and what was said of that stays. Change an answer before it.`,
    details: { pause },
  };
}

/** Where nothing was answered there is nothing to change. */
function expired(pause: string): ErrorData {
  return {
    code: "PAUSE_EXPIRED",
    message: `No answer to pause ${pause} came in time, so there is none to change. Where its block failed, resume the run to be asked again; else change an answer before it.`,
    details: { pause },
  };
}
