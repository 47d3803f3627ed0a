import type { BeganEntry, PausedEntry } from "../model/journal.ts";
import type { JsonSchema } from "../model/run.ts";
import { success, type BlockResult } from "../ports/block.ts";
import { stepFields, turnField } from "./record-step.ts";
import type { Step } from "./step.ts";
import { unitKey } from "../machine/machine.ts";

/**
 * Executes a block that must not run twice. That it begins is stored before it does, with every durability: where another process, or a
 * later
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
  const effect = step.given === undefined ? undefined : session.state.effects.get(unitKey(step.unit));
  if (effect) {
    if (effect.given === step.given) return success(effect.outputs ?? {});
    askRepetition(step);
    return "asked";
  }
  return executeNoted(step, execute);
}

/**
 * Executes a block with an effect once it is stored what it is given: where a process dies after that, and an answer is changed, it is known that
 * another key is needed. `repeats`: the block may run again.
 */
export async function executeNoted<T>(
  step: Step,
  execute: () => T | Promise<T>,
  { repeats }: Pick<BeganEntry, "repeats"> = {},
): Promise<T | undefined> {
  const { session } = step.around;
  const { item } = step.unit;
  const entry: BeganEntry = {
    type: "began",
    ...(repeats ? { repeats } : {}),
    block: step.block,
    ...(item === undefined ? {} : { item }),
    ...(step.answers === undefined ? {} : { pause: step.answers }),
    ...(step.given === undefined ? {} : { given: step.given }),
    ...turnField(step),
    at: session.now(),
  };
  session.record(entry);
  await session.flushed();
  // An answer before it may have been changed meanwhile.
  return step.hasEnded || step.isStale ? undefined : execute();
}

/** It has run, and is given something else now. */
export function askRepetition(step: Step): void {
  const { session } = step.around;
  const { type } = session.compiled.workflow.blocks[step.index]!;
  session.record({
    type: "paused",
    ...stepFields(step),
    pause: session.state.pauses.length,
    prompt:
      `Block "${step.block}" (${type}) must not run twice. It ran, and an answer that was changed since gives it something else. ` +
      "Shall it run again, or shall what it gave then be kept?",
    schema: {
      type: "object",
      properties: { outcome: { type: "string", enum: ["again", "keep"] } },
      required: ["outcome"],
      additionalProperties: false,
    },
    about: "repetition",
  });
}

function askOutcome(step: Step): void {
  const { session, types } = step.around;
  const { state } = session;
  const { type } = session.compiled.workflow.blocks[step.index]!;
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
