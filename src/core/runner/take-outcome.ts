import type { ErrorCode } from "../model/errors.ts";
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
  if (outcome === "keep") return success(state.effects.get(key)?.outputs ?? {});
  if (outcome !== "done") {
    return refuse(step, "OUTCOME_UNKNOWN", "was interrupted, and the answer says that it failed. Resume the run to execute it again.");
  }
  const given = begun.get(key)?.given;
  if (given !== undefined && given !== step.given) {
    // It is done with what it was given then, which is something else by now.
    const { item } = unit;
    const of = { block: step.block, ...(item === undefined ? {} : { item }) };
    around.session.record({ type: "effected", ...of, given, outputs, at: around.session.now() });
    askRepetition(step);
    return "recorded";
  }
  return success(outputs);
}

function refuse({ block }: Step, code: ErrorCode, what: string): Outcome {
  return failure({ code, message: `Block "${block}", which must not run twice, ${what}` });
}
