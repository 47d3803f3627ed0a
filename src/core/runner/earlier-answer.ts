import { hasChangedBefore, type PauseState, type RunReading, sameValue, standingOf, type Unit, unitKey } from "../machine/machine.ts";
import type { EarlierAnswer } from "../model/run.ts";
import type { Value } from "../model/value.ts";
import type { AnsweredQuestion } from "../ports/block.ts";
import { findAnswerProblem } from "./check-answer.ts";
import type { KeptSecrets } from "../journal/journal.ts";
import type { ReadyType } from "./ready-type.ts";

/** What a question that is about to be asked was answered before a revision. */
export interface Earlier {
  readonly answer: EarlierAnswer;
  /** Whether it answers the question now too, so that no one need be asked. */
  readonly counts: boolean;
}

/** A unit that is about to ask. */
export interface Asking {
  readonly run: RunReading;
  readonly unit: Unit;
  readonly types: ReadonlyMap<string, ReadyType>;
  /** What stands for markers in the answers of the run, where there are any. */
  readonly kept?: KeptSecrets | undefined;
}

/**
 * What the same question of a unit, the next one in its order, was answered before a revision. It counts where the question is the same, the answer
 * still does, and the block does not want to be asked where something before it has changed. Nothing where it had none.
 */
export async function findEarlier({ run, unit, types, kept }: Asking, question: AnsweredQuestion): Promise<Earlier | undefined> {
  const { state, compiled } = run;
  const number = state.former.get(unitKey(unit))?.[standingOf(state, unit).length];
  if (number === undefined) return undefined;
  const asked = state.pauses[number]!;
  const before = lastAnswered(state.pauses, asked);
  if (!before?.answer || before.answer.action || before.answer.by === "timeout") return undefined;
  const response = before.answer.response as Value;
  const { type, onRevise = "keep" } = compiled.workflow.blocks[unit.block]!;
  const opened = kept?.open(response, new Set()) ?? response;
  if (await findAnswerProblem(question, opened, types.get(type))) return { answer: { response, state: "invalid" }, counts: false };
  const isTouched = onRevise !== "keep" && hasChangedBefore(run, unit.block, before.answer.place);
  if (isTouched && onRevise === "ask_again") return undefined;
  const isSame = !isTouched && sameQuestion(before, question);
  // A question that was opened again waits for a person, though its answer would do.
  return { answer: { response, state: isSame ? "ok" : "needs_review" }, counts: isSame && asked === before };
}

/** The asking itself where it was answered, else the one it took the place of. */
function lastAnswered(pauses: readonly PauseState[], asked: PauseState): PauseState | undefined {
  let found: PauseState | undefined = asked;
  while (found && !found.answer) found = found.supersedes === undefined ? undefined : pauses[found.supersedes];
  return found;
}

function sameQuestion({ entry, metadata }: PauseState, question: AnsweredQuestion): boolean {
  return entry.prompt === question.prompt && sameValue(entry.schema, question.schema) && sameValue(metadata, question.metadata);
}
