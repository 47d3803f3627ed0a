import { isRecord } from "../../model/value.ts";
import { success } from "../../ports/block.ts";
import { recordFailure } from "../record-step.ts";
import { refuseBlock } from "../refuse-block.ts";
import { attempt, conclude } from "../run-block.ts";
import { ResumedStep, Step } from "../step.ts";
import { unitKey } from "../unit.ts";

/** Goes on with what somebody said about a block that must not run twice. */
export function takeOutcome(step: ResumedStep): Promise<void> | undefined {
  const { around, unit, response } = step;
  const { compiled, begun } = around.session.state;
  if (step.isDeclined) {
    return recordFailure(step, {
      code: "PAUSE_DECLINED",
      message: `Nobody said whether block "${step.block}", which must not run twice, took effect. Resume the run to be asked again.`,
    });
  }
  const { outcome, outputs = {} } = isRecord(response) ? response : {};
  if (outcome === "again") {
    const pause = begun.get(unitKey(unit))?.pause;
    return attempt(pause === undefined ? new Step(around, unit) : new ResumedStep(around, unit, pause));
  }
  if (outcome !== "done") {
    return recordFailure(step, {
      code: "OUTCOME_UNKNOWN",
      message: `Block "${step.block}", which must not run twice, was interrupted, and somebody said that it failed. Resume the run to execute it again.`,
    });
  }
  const name = compiled.workflow.blocks[step.index]!.type;
  const type = around.types.get(name);
  if (!type) refuseBlock(step, name, type);
  return conclude(step, type, success(outputs));
}
