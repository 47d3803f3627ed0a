import type { ErrorCode } from "../model/errors.ts";
import type { BeganEntry, EffectedEntry, PausedEntry } from "../model/journal.ts";
import type { JsonChoice, JsonSchema } from "../model/json-schema.ts";
import { isRecord } from "../model/value.ts";
import { failure, success, type BlockResult } from "../ports/block.ts";
import { type Effect, unitState } from "../machine/machine.ts";
import { answerField, stepFields, turnField } from "./record-step.ts";
import type { ResumedContext } from "./resumed-context.ts";
import { type Job, nameUnit, type Outcome, type StepContext } from "./step-context.ts";

/**
 * Executes a block that must not run twice. Its beginning is stored first, with every durability. Another process, or a later attempt, that finds the
 * beginning without an end does not execute the block: it asks a person what became of it, and gives "recorded".
 */
export async function executeOnce(step: StepContext, execute: () => BlockResult | Promise<BlockResult>): Promise<Outcome> {
  const { begun, effect } = unitState(step.state, step.unit);
  if (begun && !begun.isCleared) return askOutcome(step);
  if (!effect || step.given === undefined) return executeNoted(step, execute);
  return effect.given === step.given ? asBefore(step, effect) : askRepetition(step);
}

function asBefore(step: StepContext, effect: Effect | undefined): Outcome {
  step.chosen = effect?.next;
  return { status: "known", outputs: effect?.outputs ?? {} };
}

/**
 * Executes a block with an effect once its inputs are stored. If the process dies after that and an answer changes, the engine then knows that another
 * key is needed. `repeats`: the block may run again.
 */
export async function executeNoted<T>(
  step: StepContext,
  execute: () => T | Promise<T>,
  { repeats }: Pick<BeganEntry, "repeats"> = {},
): Promise<T | undefined> {
  const { session, given } = step;
  const entry: BeganEntry = {
    type: "began",
    ...(repeats ? { repeats } : {}),
    ...nameUnit(session, step.unit),
    ...answerField(step),
    ...(step.signalId === undefined ? {} : { signal: step.signalId }),
    ...(given === undefined ? {} : { given }),
    ...turnField(step),
    at: session.now(),
  };
  session.record(entry);
  await session.flushed();
  // An answer before it may have been changed meanwhile.
  return step.hasEnded || step.isStale ? undefined : execute();
}

/** Handles the answer about a block that must not run twice. `execute` executes it once more, and records the outcome. */
export function takeOutcome(step: ResumedContext, execute: (job: Job) => Promise<void> | void): Outcome | Promise<Outcome> {
  const { unit, response, about } = step;
  const { begun, effect } = unitState(step.state, unit);
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
    const pause = begun?.pause ?? step.lastQuestion;
    const work = execute({ ...unit, pause, signal: begun?.signal });
    return work ? work.then(() => "recorded") : "recorded";
  }
  if (outcome === "keep") return asBefore(step, effect);
  if (outcome !== "done") {
    return refuse(step, "OUTCOME_UNKNOWN", "was interrupted, and the answer says that it failed. Resume the run to execute it again.");
  }
  // Secrets that this process lacks would be recorded as their markers.
  if (step.session.kept && step.lacksSecrets) return step.regainSecrets().then(() => takeOutcome(step, execute));
  const given = begun?.given;
  return given === undefined || given === step.given ? success(outputs) : recordEffect(step, given, outputs);
}

/** Records that a block is done with inputs that have changed since, and asks whether to repeat it. */
async function recordEffect(step: ResumedContext, given: string, outputs: unknown): Promise<Outcome> {
  const { session, unit, block } = step;
  const { encoded, value } = await session.encode(outputs, `The output of block "${block}"`);
  const entry: EffectedEntry = { type: "effected", ...nameUnit(session, unit), given, at: session.now() };
  session.record({ ...entry, outputs: encoded }, { ...entry, outputs: value });
  return askRepetition(step);
}

function refuse({ block }: StepContext, code: ErrorCode, what: string): Outcome {
  return failure({ code, message: `Block "${block}", which must not run twice, ${what}` });
}

/** Asks about a block that has run and would now get other inputs. */
function askRepetition(step: StepContext): "recorded" {
  return askAbout(step, "repetition", {
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

function askOutcome(step: StepContext): "recorded" {
  const outputs = step.place.services.types.get(step.definition.type)?.outputs;
  const schema = outputs && "jsonSchema" in outputs ? outputs.jsonSchema : {};
  return askAbout(step, "outcome", {
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
function askAbout(step: StepContext, about: NonNullable<PausedEntry["about"]>, { title, prompt, choices, outputs }: About): "recorded" {
  const { session } = step;
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
  return "recorded";
}
