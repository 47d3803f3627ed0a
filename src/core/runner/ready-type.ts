import { readySchema } from "../expression/ready-schema.ts";
import { WorkflowError } from "../model/errors.ts";
import type { ValueProblem } from "../model/value-problem.ts";
import type { JsonSchema } from "../model/json-schema.ts";
import type { Touches } from "../model/journal.ts";
import { type Block, CALLING_TYPES, type Workflow } from "../model/workflow.ts";
import { validateWith, type Validation } from "../ports/block-schema.ts";
import { type BlockSchema, type BlockType, effectOf, neededBy } from "../ports/block.ts";
import type { Grants } from "../ports/grants.ts";
import type { Values } from "../model/value.ts";
import type { RunReading } from "../machine/machine.ts";
import { after } from "./waiting.ts";
import { describeSchema, lowerSchema, writeTexts } from "../definition/definition.ts";

/** A block type with what its schemas check. */
export interface ReadyType extends BlockType {
  readonly validateInputs?: Validate;
  readonly validateOutputs?: Validate;
  /** What its questions expect where they do not say. */
  readonly answerSchema?: JsonSchema;
  readonly validateAnswer?: (response: unknown) => Validation | Promise<Validation>;
}

/** Block types by name. */
export type ReadyTypes = ReadonlyMap<string, ReadyType>;

/** Whether a block must not run twice: it says so, or its type does. */
export function isOnce({ types }: { readonly types: ReadyTypes }, { compiled }: Pick<RunReading, "compiled">, block: number): boolean {
  const definition = compiled.workflow.blocks[block]!;
  return effectOf(definition, types.get(definition.type)) === "once";
}

/** Whether a block may change something outside of its run: it says so, its type does, or it calls a workflow. */
export function hasEffect({ types }: { readonly types: ReadyTypes }, { compiled }: Pick<RunReading, "compiled">, block: number): boolean {
  const definition = compiled.workflow.blocks[block]!;
  return effectOf(definition, types.get(definition.type)) !== undefined || CALLING_TYPES.has(definition.type);
}

/**
 * Whether a run may be revised, so that the inputs of its blocks are noted: one of its blocks may ask, or its caller may change its inputs.
 */
export function mayRevise(types: ReadyTypes, { compiled, state }: RunReading): boolean {
  return state.started.parent !== undefined || [...compiled.types].some((type) => types.get(type)?.resume !== undefined);
}

/** The grants of the host that a block type says it needs, with these inputs as the workflow writes them. */
export function grantsOf(
  { types, grants }: { readonly types: ReadyTypes; readonly grants: Grants },
  name: string,
  inputs?: Values,
): Grants {
  const type = types.get(name);
  const needs = type ? neededBy(type, inputs) : [];
  return Object.fromEntries(needs.map((capability) => [capability, grants[capability]]));
}

/** How the code of the block types of a workflow may use its channels; nothing where it uses none. */
export function touchesOf(types: ReadyTypes, { channels, blocks }: Workflow): Touches | undefined {
  const names = Object.keys(channels ?? {});
  if (names.length === 0) return undefined;
  const touches = [...new Set(blocks.map(({ type }) => type))].flatMap((name) => {
    const { pure = false, channels: use = pure ? {} : undefined } = types.get(name) ?? {};
    const { reads = [], writes = [] } = use ?? { reads: names, writes: names };
    return reads.length + writes.length > 0 ? [[name, { reads, writes }] as const] : [];
  });
  return touches.length > 0 ? Object.fromEntries(touches) : undefined;
}

/** Gives the value with defaults and conversions applied. Throws, or rejects, with all that is wrong with it. */
type Validate = (value: unknown, block: Pick<Block, "id" | "inputs">) => unknown;

/** Loads the code of a block type and compiles its checks, patterns included, so that a run can continue offline. Throws `PATTERN_INVALID`. */
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
  const ready = await readySchema(answerSchema);
  return { answerSchema, validateAnswer: (response) => validateWith(answer, response, ready) };
}

/** A number or boolean that a reference puts where a text is wanted becomes one before it is checked. */
async function makeValidateInputs(schema: BlockSchema): Promise<Validate> {
  const validate = await makeValidate(schema, "BLOCK_INPUT_INVALID");
  const json = describeSchema(schema);
  return json ? (value, block) => validate(writeTexts(json, block.inputs, value), block) : validate;
}

async function makeValidate(schema: BlockSchema, code: "BLOCK_INPUT_INVALID" | "OUTPUT_INVALID"): Promise<Validate> {
  const ready = "jsonSchema" in schema ? await readySchema(schema.jsonSchema) : undefined;
  return (value, block) => {
    return after(validateWith(schema, value, ready), ({ value: checked, issues }) => {
      if (issues) throw invalidValue(code, block.id, issues);
      return checked;
    });
  };
}

function invalidValue(code: "BLOCK_INPUT_INVALID" | "OUTPUT_INVALID", block: string, issues: readonly ValueProblem[]): WorkflowError {
  const what = code === "OUTPUT_INVALID" ? "outputs" : "inputs";
  const list = issues.map(({ path, message }) => (path ? `${path}: ${message}` : message));
  return new WorkflowError(code, `The ${what} of block "${block}" are not as the block type wants them. ${list.join(" ")}`, {
    details: { problems: list },
  });
}
