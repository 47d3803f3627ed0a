import type { ErrorCode } from "../model/errors.ts";
import { isRecord } from "../model/value.ts";
import { success, type BlockResult } from "../ports/block.ts";
import type { ReadyType } from "./ready-type.ts";
import { askRepetition } from "./execute-once.ts";
import { recordFailure } from "./record-step.ts";
import { knownType } from "./ready-step.ts";
import { ResumedStep, Step } from "./step.ts";
import { unitKey } from "../machine/machine.ts";

/** How the block goes on. */
interface GoingOn {
  /** Executes it. */
  attempt(step: Step): Promise<void> | undefined;
  /** Records what it came to. */
  conclude(step: Step, type: ReadyType, result: BlockResult): Promise<void> | undefined;
}

/** Goes on with what an answer says about a block that must not run twice. */
export function takeOutcome(step: ResumedStep, { attempt, conclude }: GoingOn): Promise<void> | undefined {
  const { around, unit, response } = step;
  const { state } = around.session;
  const { begun } = state;
  const key = unitKey(unit);
  const { about } = state.pauses[step.answers!]!.entry;
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
    return attempt(pause === undefined ? new Step(around, unit) : new ResumedStep(around, unit, pause));
  }
  if (outcome === "keep") return conclude(step, knownType(step), success(state.effects.get(key)?.outputs ?? {}));
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
    return undefined;
  }
  return conclude(step, knownType(step), success(outputs));
}

function refuse(step: Step, code: ErrorCode, what: string): Promise<void> | undefined {
  return recordFailure(step, { error: { code, message: `Block "${step.block}", which must not run twice, ${what}` } });
}
