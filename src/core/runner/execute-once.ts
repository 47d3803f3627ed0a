import type { BeganEntry, PausedEntry } from "../model/journal.ts";
import type { JsonChoice, JsonSchema } from "../model/run.ts";
import type { BlockResult } from "../ports/block.ts";
import { stepFields, turnField } from "./record-step.ts";
import type { Outcome, Step } from "./step.ts";
import { unitKey } from "../machine/machine.ts";

/**
 * Executes a block that must not run twice. That it begins is stored before it does, with every durability: where another process, or a later
 * attempt, finds that and nothing else, it does not execute the block but asks what became of it, and gives "recorded".
 */
export async function executeOnce(step: Step, execute: () => BlockResult | Promise<BlockResult>): Promise<Outcome> {
  const { session } = step.around;
  // The run may have been closed or cancelled while this code was loaded.
  if (step.hasEnded) return undefined;
  const begun = session.state.begun.get(unitKey(step.unit));
  if (begun && !begun.isCleared) {
    askOutcome(step);
    return "recorded";
  }
  const effect = step.given === undefined ? undefined : session.state.effects.get(unitKey(step.unit));
  if (effect) {
    if (effect.given === step.given) return { status: "known", outputs: effect.outputs ?? {} };
    askRepetition(step);
    return "recorded";
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
  askAbout(step, "repetition", {
    title: "This is already done. Shall it be done again?",
    prompt:
      `Block "${step.block}" (${step.definition.type}) must not run twice. It ran, and an earlier answer that was changed since gives it something else. ` +
      "What it did then is not undone.",
    choices: [
      { const: "again", title: "Do it again", description: "It happens a second time, with the answers as they are now." },
      {
        const: "keep",
        title: "Leave it as it is",
        description: "Nothing more happens here. What follows goes on with what came of it then.",
      },
    ],
  });
}

function askOutcome(step: Step): void {
  const outputs = step.around.types.get(step.definition.type)?.outputs;
  const schema = outputs && "jsonSchema" in outputs ? outputs.jsonSchema : {};
  askAbout(step, "outcome", {
    title: "This was interrupted. Was it done?",
    prompt:
      `Block "${step.block}" (${step.definition.type}) must not run twice. It was interrupted while it was being executed, and nothing says whether it took ` +
      "effect. Look where that would show.",
    choices: [
      { const: "done", title: "It is done" },
      { const: "failed", title: "It was not done", description: "The run fails here. Where it is resumed, this is done then." },
      { const: "again", title: "Do it now", description: "If it was done after all, it happens a second time." },
    ],
    outputs: { ...schema, type: "object", title: "What came of it", description: "What the block gives, where it is done." },
  });
}

interface About {
  readonly title: string;
  readonly prompt: string;
  readonly choices: readonly JsonChoice[];
  readonly outputs?: JsonSchema;
}

/** Asks a question of the engine's own. */
function askAbout(step: Step, about: NonNullable<PausedEntry["about"]>, { title, prompt, choices, outputs }: About): void {
  const { session } = step.around;
  const entry: PausedEntry = {
    ...stepFields("paused", step),
    pause: session.state.pauses.length,
    title,
    prompt,
    schema: {
      type: "object",
      properties: { outcome: { type: "string", title: "What shall be done?", oneOf: choices }, ...(outputs ? { outputs } : {}) },
      required: ["outcome"],
      additionalProperties: false,
    },
    about,
  };
  session.record(entry);
}
