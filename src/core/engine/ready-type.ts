import { compileMatcher } from "../expression/pattern.ts";
import { schemaPatterns } from "../model/json-schema.ts";
import { validateWith, type Validation } from "../ports/block-schema.ts";
import type { BlockSchema, BlockType } from "../ports/block.ts";

/** A block type with what its schemas check. */
export interface ReadyType extends BlockType {
  readonly validateInputs?: Validate;
  readonly validateOutputs?: Validate;
}

type Validate = (value: unknown) => Validation | Promise<Validation>;

/**
 * Makes a block type ready: its checks, patterns included, and all code that its questions, answers and calls will need, so that a run
 * that has begun can go on offline. Throws `PATTERN_INVALID`.
 */
export async function makeReady(type: BlockType): Promise<ReadyType> {
  await type.load?.();
  if (type.resume) await Promise.all([import("./ask-questions.ts"), import("./answer-pause.ts"), import("./call-workflow.ts")]);
  return {
    ...type,
    ...(type.inputs ? { validateInputs: await makeValidate(type.inputs) } : {}),
    ...(type.outputs ? { validateOutputs: await makeValidate(type.outputs) } : {}),
  };
}

async function makeValidate(schema: BlockSchema): Promise<Validate> {
  if (!("jsonSchema" in schema)) return (value) => validateWith(schema, value);
  const matches = await compileMatcher(schemaPatterns(schema.jsonSchema));
  return (value) => validateWith(schema, value, { matches });
}
