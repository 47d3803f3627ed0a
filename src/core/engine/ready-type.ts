import { compileMatcher } from "../expression/pattern.ts";
import { WorkflowError } from "../model/errors.ts";
import { schemaPatterns, type ValueProblem } from "../model/json-schema.ts";
import type { JsonSchema } from "../model/run.ts";
import type { Workflow } from "../model/workflow.ts";
import { validateWith, type Validation } from "../ports/block-schema.ts";
import type { BlockSchema, BlockType } from "../ports/block.ts";
import type { askQuestions } from "./ask-questions.ts";
import { loadDrafts } from "./pauses/load-drafts.ts";

export { assertStore } from "./assert-store.ts";

/** A block type with what its schemas check. */
export interface ReadyType extends BlockType {
  readonly validateInputs?: Validate;
  readonly validateOutputs?: Validate;
  /** What its questions expect where they do not say. */
  readonly answerSchema?: JsonSchema;
  readonly validateAnswer?: (response: unknown) => Validation | Promise<Validation>;
  /** Records its questions; had by every type that may ask. */
  readonly askQuestions?: typeof askQuestions;
}

/** Gives the value with defaults and conversions applied. Throws, or rejects, with all that is wrong with it. */
type Validate = (value: unknown, block: string) => unknown;

/** Loads the code that what a workflow uses will need, so that a run that has begun can go on offline. */
export async function loadParts({ blocks }: Workflow): Promise<void> {
  await Promise.all([
    import("./alarm.ts"),
    import("./effects/recover-run.ts"),
    import("./cancel-run.ts"),
    import("./finish-run.ts"),
    import("./merge-others.ts"),
    import("./refuse-block.ts"),
    import("./run-again.ts"),
    import("./wait-for.ts"),
    import("./values/encode-rich.ts"),
    import("./values/pack-text.ts"),
    ...(blocks.some(({ forEach }) => forEach !== undefined) ? [import("./run-items.ts")] : []),
    ...(blocks.some(({ retry }) => retry) ? [import("./try-again.ts")] : []),
    ...(blocks.some(({ timeoutMs }) => timeoutMs !== undefined) ? [import("./time-limit.ts")] : []),
    ...(blocks.some(({ outputs }) => outputs) ? [import("./file-outputs.ts")] : []),
    ...(blocks.some(({ effect }) => effect) ? [...effects(), ...replies()] : []),
  ]);
}

/** What it takes to answer questions. */
function replies(): readonly Promise<unknown>[] {
  return [import("./answer-pause.ts"), import("./pauses/decline.ts"), loadDrafts(), import("./pauses/expire.ts")];
}

/** What it takes for blocks that must not run twice. */
function effects(): readonly Promise<unknown>[] {
  return [import("./effects/execute-once.ts"), import("./effects/take-outcome.ts")];
}

/**
 * Makes a block type ready: its checks, patterns included, and all code that its questions, answers and calls will need, so that a run
 * that has begun can go on offline. Throws `PATTERN_INVALID`.
 */
export async function makeReady(type: BlockType): Promise<ReadyType> {
  await type.load?.();
  if (type.resume) await Promise.all([import("./call-workflow.ts"), ...replies()]);
  if (type.effect === "once") await Promise.all([...effects(), ...replies()]);
  return {
    ...type,
    ...(type.resume ? { askQuestions: (await import("./ask-questions.ts")).askQuestions } : {}),
    ...(type.inputs ? { validateInputs: await makeValidate(type.inputs, "BLOCK_INPUT_INVALID") } : {}),
    ...(type.outputs ? { validateOutputs: await makeValidate(type.outputs, "OUTPUT_INVALID") } : {}),
    ...(type.answer ? await readyAnswer(type.type, type.answer) : {}),
  };
}

async function readyAnswer(type: string, answer: BlockSchema): Promise<Pick<ReadyType, "answerSchema" | "validateAnswer">> {
  const [{ lowerSchema }] = await Promise.all([import("./lower-schema.ts"), import("./pauses/resume-checked.ts")]);
  const answerSchema = lowerSchema(answer, `The answer of block type ${type}`);
  const matches = await compileMatcher(schemaPatterns(answerSchema));
  return { answerSchema, validateAnswer: (response) => validateWith(answer, response, { matches }) };
}

async function makeValidate(schema: BlockSchema, code: "BLOCK_INPUT_INVALID" | "OUTPUT_INVALID"): Promise<Validate> {
  const matches = "jsonSchema" in schema ? await compileMatcher(schemaPatterns(schema.jsonSchema)) : undefined;
  return (value, block) => {
    const validation = validateWith(schema, value, matches && { matches });
    const take = ({ value: checked, issues }: Validation): unknown => {
      if (issues) throw invalidValue(code, block, issues);
      return checked;
    };
    return validation instanceof Promise ? validation.then(take) : take(validation);
  };
}

function invalidValue(code: "BLOCK_INPUT_INVALID" | "OUTPUT_INVALID", block: string, issues: readonly ValueProblem[]): WorkflowError {
  const what = code === "OUTPUT_INVALID" ? "outputs" : "inputs";
  const list = issues.map(({ path, message }) => (path ? `${path}: ${message}` : message));
  return new WorkflowError(code, `The ${what} of block "${block}" are not as the block type wants them. ${list.join(" ")}`, {
    details: { problems: list },
  });
}
