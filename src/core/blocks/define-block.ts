import { isName } from "../model/ids.ts";
import { WorkflowError } from "../model/errors.ts";
import type { BlockContext, BlockResult, BlockSchema, BlockType, ChannelUse, ResumeContext, TypedBlock } from "../ports/block.ts";
import type { ResourceType } from "../ports/resource.ts";
import { type StandardSchema, describeStandard } from "../ports/standard-schema.ts";
import type { FromJson } from "../model/json-types.ts";
import type { Workflow } from "../model/workflow.ts";

/** A {@link BlockType} as it is written: `execute` and `resume` know the types that the schemas describe. */
export interface BlockDefinition<
  Inputs extends BlockSchema,
  Outputs extends BlockSchema,
  Answer extends BlockSchema = StandardSchema,
  W extends Workflow = Workflow,
  Resources extends object = object,
  Type extends string = string,
> extends Pick<
  BlockType,
  | "description"
  | "needs"
  | "effect"
  | "pure"
  | "cacheVersion"
  | "calls"
  | "within"
  | "secretInputs"
  | "templateInputs"
  | "load"
  | "checkAnswer"
  | "judgesAnswers"
  | "checkInputs"
  | "asks"
  | "takesDecline"
> {
  /** Letters, digits, `_`, `-`. */
  readonly type: Type;
  /** Any Standard Schema (zod, valibot, arktype, …) or a JSON Schema. Default: anything. */
  readonly inputs?: Inputs;
  /** What `success` takes. Default: any named values. */
  readonly outputs?: Outputs;
  /** What `resume` is given. With a Standard Schema that tells its JSON Schema, or a JSON Schema. Default: what the question says. */
  readonly answer?: Answer;
  /** See {@link BlockType.channels}. With `of`, `context.channels` knows the names and types of that workflow's channels. */
  readonly channels?: ChannelUse<W>;
  /** See {@link BlockType.resources}. `context.resource` knows their names and live forms. */
  readonly resources?: { readonly [Name in keyof Resources]: ResourceType<Resources[Name]> };
  execute(
    context: BlockContext<SchemaOutput<Inputs>, W, Resources>,
  ): BlockResult<SchemaInput<Outputs>> | Promise<BlockResult<SchemaInput<Outputs>>>;
  resume?(
    context: ResumeContext<SchemaOutput<Inputs>, SchemaOutput<Answer>, W, Resources>,
  ): BlockResult<SchemaInput<Outputs>> | Promise<BlockResult<SchemaInput<Outputs>>>;
}

type Anything = StandardSchema<{ readonly [name: string]: unknown }>;

/**
 * Makes a block type. The schemas check values at run time and give `execute` its types. Throws `ID_INVALID` for a `type` that is not made
 * of letters, digits, `_` and `-`, and `SCHEMA_INVALID` for an `answer` that no JSON value fits, such as `z.date()`.
 */
export function defineBlock<
  const Inputs extends BlockSchema = Anything,
  const Outputs extends BlockSchema = Anything,
  const Answer extends BlockSchema = StandardSchema,
  const W extends Workflow = Workflow,
  Resources extends object = object,
  const Type extends string = string,
>(
  definition: BlockDefinition<Inputs, Outputs, Answer, W, Resources, Type>,
): TypedBlock<Type, SchemaInput<Inputs>, SchemaOutput<Outputs>, SchemaInput<Answer>> {
  if (!isName(definition.type)) {
    throw new WorkflowError(
      "ID_INVALID",
      `A block type cannot be named ${JSON.stringify(definition.type)}. Use letters, digits, "_" and "-".`,
    );
  }
  const { answer } = definition;
  if (answer && "~standard" in answer && answer["~standard"].jsonSchema) describeStandard(answer, `The answer of ${definition.type}`);
  // The engine gives its code what the definition says that it is given.
  return Object.freeze({ ...definition }) as unknown as ReturnType<typeof defineBlock<Inputs, Outputs, Answer, W, Resources, Type>>;
}

/** The type of the values that a schema takes: what a caller may write. */
export type SchemaInput<S> = S extends { readonly jsonSchema: infer J } ? FromJson<J, "given"> : StandardTypes<S>["input"];

/** The type of the values that a schema gives: what is left after defaults and conversions. */
export type SchemaOutput<S> = S extends { readonly jsonSchema: infer J } ? FromJson<J, "checked"> : StandardTypes<S>["output"];

type StandardTypes<S> = S extends { readonly "~standard": { readonly types?: infer T } }
  ? Extract<T, { readonly input: unknown; readonly output: unknown }>
  : never;
