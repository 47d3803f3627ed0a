import type { BeganEntry, PausedEntry } from "../../model/journal.ts";
import type { JsonSchema } from "../../model/run.ts";
import type { BlockResult } from "../../ports/block.ts";
import { stepFields } from "../record-step.ts";
import type { Step } from "../step.ts";
import { unitKey } from "../unit.ts";

/**
 * Executes a block that must not run twice. That it begins is stored before it does, whatever the durability: where another process, or a later
 * attempt, finds that and nothing else, it does not execute the block but asks what became of it, and gives "asked".
 */
export async function executeOnce(
  step: Step,
  execute: () => BlockResult | Promise<BlockResult | undefined> | undefined,
): Promise<BlockResult | "asked" | undefined> {
  const { session } = step.around;
  // The run may have been closed or cancelled while this code was loaded.
  if (step.hasEnded) return undefined;
  const begun = session.state.begun.get(unitKey(step.unit));
  if (begun && !begun.isCleared) {
    askOutcome(step);
    return "asked";
  }
  const { item } = step.unit;
  const entry: BeganEntry = {
    type: "began",
    block: step.block,
    ...(item === undefined ? {} : { item }),
    ...(step.answers === undefined ? {} : { pause: step.answers }),
    at: session.now(),
  };
  session.record(entry);
  await session.flushed();
  return execute();
}

function askOutcome(step: Step): void {
  const { session, types } = step.around;
  const { state } = session;
  const { type } = state.compiled.workflow.blocks[step.index]!;
  const outputs = types.get(type)?.outputs;
  const entry: PausedEntry = {
    type: "paused",
    ...stepFields(step),
    pause: state.pauses.length,
    prompt:
      `Block "${step.block}" (${type}) must not run twice. It was interrupted while it was being executed, and nothing says whether it took effect. ` +
      `Look where that would show. Is it done, has it failed, or shall it be executed again?`,
    schema: outcomeSchema(outputs && "jsonSchema" in outputs ? outputs.jsonSchema : {}),
    about: "outcome",
  };
  session.record(entry);
}

/** What an answer to the question about an outcome looks like. */
function outcomeSchema(outputs: JsonSchema): JsonSchema {
  return {
    type: "object",
    properties: {
      outcome: { type: "string", enum: ["done", "failed", "again"] },
      outputs: { ...outputs, type: "object", description: "What the block gives, where it is done." },
    },
    required: ["outcome"],
    additionalProperties: false,
  };
}
