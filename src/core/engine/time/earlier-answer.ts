import type { EarlierAnswer } from "../../model/run.ts";
import type { Value } from "../../model/value.ts";
import type { AnsweredQuestion } from "../../ports/block.ts";
import type { ReadyType } from "../ready-type.ts";
import { findAnswerProblem } from "../pauses/check-answer.ts";
import type { RunState } from "../state.ts";
import type { Unit } from "../unit.ts";
import { dependsOnChange, inputsOf, pausesOf, sameQuestion, unitIn, type Donor } from "./match-step.ts";
import { sameValue } from "./same-value.ts";

/** A question that a unit is about to ask, or asks. */
export interface OpenQuestion {
  readonly unit: Unit;
  /** Which of the unit's questions it is, from 0. */
  readonly ordinal: number;
  readonly question: AnsweredQuestion;
  readonly type: ReadyType | undefined;
  /** What the unit is given now, to be compared. */
  readonly inputs: unknown;
}

/** What a question was answered in the run that is revised. */
export interface Earlier {
  /** Absent where it is not to be shown. */
  readonly answer?: EarlierAnswer;
  /** Whether it answers the question here too, so that nobody need be asked. */
  readonly counts: boolean;
}

/**
 * The answer that a question had in another run. It counts here where the question is the same, the answer still does, and the block does not
 * want to be asked where something before it has changed. Nothing where it had none.
 */
export async function earlierAnswer(state: RunState, donor: Donor, open: OpenQuestion): Promise<Earlier | undefined> {
  const { unit, ordinal, question, type, inputs } = open;
  const there = unitIn(donor.state, state, unit);
  const before = there && pausesOf(donor.state, there)[ordinal];
  if (!before) return undefined;
  const given = Object.hasOwn(donor.answers, before.entry.pause);
  // Nobody gave an answer that nobody gave.
  if (!given && (!before.answer || before.answer.action || before.answer.by === "timeout")) return undefined;
  const response = (given ? donor.answers[before.entry.pause] : before.answer!.response) as Value;
  if (await findAnswerProblem(question, response, type)) return { answer: { response, state: "invalid" }, counts: false };
  if (given) return { answer: { response, state: "ok" }, counts: true };
  const { onRevise = "keep" } = state.compiled.workflow.blocks[unit.block]!;
  const isTouched = onRevise !== "keep" && (dependsOnChange(state, unit.block, donor) || !sameValue(inputs, inputsOf(donor, there)));
  if (isTouched && onRevise === "ask_again") return { counts: false };
  const isSame = !isTouched && sameQuestion({ entry: { ...before.entry, ...question } }, before);
  return { answer: { response, state: isSame ? "ok" : "needs_review" }, counts: isSame };
}
