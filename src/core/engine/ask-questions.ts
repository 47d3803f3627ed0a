import { encodeValue } from "../model/encoding.ts";
import { WorkflowError } from "../model/errors.ts";
import { checkJsonSchema } from "../model/json-schema.ts";
import type { JsonSchema } from "../model/run.ts";
import type { Question } from "../ports/block.ts";
import { entryText, stepFields } from "./record-step.ts";
import type { Step } from "./step.ts";
import { unitKey } from "./unit.ts";

/** What a question expects where the block does not say: any text that is not empty. */
const ANY_TEXT: JsonSchema = { type: "string", minLength: 1 };

/** Records the questions of a block. Its run waits for the answers once nothing else is left to do. */
export async function askQuestions(step: Step, questions: readonly Question[]): Promise<void> {
  const { session } = step.around;
  const { state } = session;
  state.recheck.delete(unitKey(step.unit));
  const unknown = questions.filter(({ child }) => !child || !isKnownQuestion(step, child.pause));
  for (const question of unknown) {
    const schema = question.schema ?? ANY_TEXT;
    const problems = checkJsonSchema(schema);
    if (problems.length > 0) {
      throw new WorkflowError(
        "SCHEMA_INVALID",
        `The question of block "${step.block}" has a schema that cannot be used: ${problems.join(" ")}`,
      );
    }
    const { encoded, value } = await encodeValue(question.metadata ?? {}, `The metadata of a question of block "${step.block}"`);
    if (step.hasEnded) return;
    const entry = {
      type: "paused" as const,
      ...stepFields(step),
      pause: state.pauses.length,
      prompt: question.prompt,
      schema,
      metadata: encoded,
      ...(question === unknown.at(-1) ? {} : { more: true as const }),
      ...(question.child ? { child: question.child.pause, path: question.child.path, asks: question.child.asks } : {}),
    };
    const text = entryText(entry, `The question of block "${step.block}"`);
    session.record(entry, { ...entry, metadata: value }, text);
  }
}

/**
 * A called run keeps its questions while others of it are answered: each is asked here once, unless the block failed meanwhile, which took
 * its questions back.
 */
function isKnownQuestion({ around, unit }: Step, child: number): boolean {
  return around.session.state.pauses.some(
    ({ entry, block, item, closed, answer }) =>
      entry.child === child && block === unit.block && item === unit.item && (!closed || answer !== undefined),
  );
}
