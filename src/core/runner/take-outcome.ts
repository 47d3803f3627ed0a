import type { ErrorCode } from "../model/errors.ts";
import type { EffectedEntry } from "../model/journal.ts";
import { isRecord } from "../model/value.ts";
import { failure, success } from "../ports/block.ts";
import { askRepetition } from "./execute-once.ts";
import { type Outcome, ResumedStep, Step } from "./step.ts";
import { unitKey } from "../machine/machine.ts";

/** What follows from an answer about a block that must not run twice. `execute` executes it once more, and records what comes of that. */
export function takeOutcome(step: ResumedStep, execute: (step: Step) => Promise<void> | undefined): Outcome | Promise<Outcome> {
  const { around, unit, response, about } = step;
  const { state } = around.session;
  const { begun } = state;
  const key = unitKey(unit);
  if (step.isDeclined && about === "repetition") {
    return refuse(
      step,
      "PAUSE_DECLINED",
      "ran before, and the question whether it shall run again was declined. Revise an answer, or resume the run to be asked again.",
    );
  }
  if (step.isDeclined) {
    return refuse(
      step,
      "PAUSE_DECLINED",
      "was interrupted, and the question whether it took effect was declined. Resume the run to be asked again.",
    );
  }
  const { outcome, outputs = {} } = isRecord(response) ? response : {};
  if (outcome === "again") {
    const pause = begun.get(key)?.pause ?? step.lastQuestion;
    const work = execute(pause === undefined ? new Step(around, unit) : new ResumedStep(around, unit, pause));
    return work ? work.then(() => "recorded") : "recorded";
  }
  if (outcome === "keep") return { status: "known", outputs: state.effects.get(key)?.outputs ?? {} };
  if (outcome !== "done") {
    return refuse(step, "OUTCOME_UNKNOWN", "was interrupted, and the answer says that it failed. Resume the run to execute it again.");
  }
  // What this process does not have of the outputs would be recorded as the markers that stand for it.
  if (step.lacksSecrets) return around.regain(step).then(() => takeOutcome(step, execute));
  const given = begun.get(key)?.given;
  return given === undefined || given === step.given ? success(outputs) : recordEffect(step, given, outputs);
}

/** It is done with what it was given then, which is something else by now. */
async function recordEffect(step: ResumedStep, given: string, outputs: unknown): Promise<Outcome> {
  const { block, unit, around } = step;
  const { session } = around;
  const { encoded, value } = await session.encode(outputs, `The output of block "${block}"`);
  const { item } = unit;
  const entry: EffectedEntry = { type: "effected", block, ...(item === undefined ? {} : { item }), given, at: session.now() };
  session.record({ ...entry, outputs: encoded }, { ...entry, outputs: value });
  askRepetition(step);
  return "recorded";
}

function refuse({ block }: Step, code: ErrorCode, what: string): Outcome {
  return failure({ code, message: `Block "${block}", which must not run twice, ${what}` });
}
