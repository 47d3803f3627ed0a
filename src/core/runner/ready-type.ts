import { compileMatcher } from "../expression/pattern.ts";
import { WorkflowError } from "../model/errors.ts";
import { schemaPatterns } from "../model/json-schema.ts";
import type { ValueProblem } from "../model/value-problem.ts";
import type { JsonSchema } from "../model/run.ts";
import type { Block } from "../model/workflow.ts";
import { validateWith, type Validation } from "../ports/block-schema.ts";
import type { BlockSchema, BlockType } from "../ports/block.ts";
import { describeSchema, lowerSchema, writeTexts } from "../definition/definition.ts";

/** A block type with what its schemas check. */
export interface ReadyType extends BlockType {
  readonly validateInputs?: Validate;
  readonly validateOutputs?: Validate;
  /** What its questions expect where they do not say. */
  readonly answerSchema?: JsonSchema;
  readonly validateAnswer?: (response: unknown) => Validation | Promise<Validation>;
}

/** Gives the value with defaults and conversions applied. Throws, or rejects, with all that is wrong with it. */
type Validate = (value: unknown, block: Pick<Block, "id" | "inputs">) => unknown;

/** Makes a block type ready: its code and its checks, patterns included, so that a run that has begun can go on offline. Throws `PATTERN_INVALID`. */
export async function makeReady(type: BlockType): Promise<ReadyType> {
  await type.load?.();
  return {
    ...type,
    ...(type.inputs ? { validateInputs: await makeValidateInputs(type.inputs) } : {}),
    ...(type.outputs ? { validateOutputs: await makeValidate(type.outputs, "OUTPUT_INVALID") } : {}),
    ...(type.answer ? await readyAnswer(type.type, type.answer) : {}),
  };
}

async function readyAnswer(type: string, answer: BlockSchema): Promise<Pick<ReadyType, "answerSchema" | "validateAnswer">> {
  const answerSchema = lowerSchema(answer, `The answer of block type ${type}`);
  const matches = await compileMatcher(schemaPatterns(answerSchema));
  return { answerSchema, validateAnswer: (response) => validateWith(answer, response, { matches }) };
}

/** A number or boolean that a reference puts where a text is wanted becomes one before it is checked. */
async function makeValidateInputs(schema: BlockSchema): Promise<Validate> {
  const validate = await makeValidate(schema, "BLOCK_INPUT_INVALID");
  const json = describeSchema(schema);
  return json ? (value, block) => validate(writeTexts(json, block.inputs, value), block) : validate;
}

async function makeValidate(schema: BlockSchema, code: "BLOCK_INPUT_INVALID" | "OUTPUT_INVALID"): Promise<Validate> {
  const matches = "jsonSchema" in schema ? await compileMatcher(schemaPatterns(schema.jsonSchema)) : undefined;
  return (value, block) => {
    const validation = validateWith(schema, value, matches && { matches });
    const take = ({ value: checked, issues }: Validation): unknown => {
      if (issues) throw invalidValue(code, block.id, issues);
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
