import { isName } from "../model/ids.ts";
import { WorkflowError } from "../model/errors.ts";
import type { BlockContext, BlockResult, BlockSchema, BlockType, ResumeContext } from "../ports/block.ts";
import { type StandardSchema, describeStandard } from "../ports/standard-schema.ts";
import type { Value } from "../model/value.ts";

/** A {@link BlockType} as it is written: `execute` and `resume` know the types that the schemas describe. */
export interface BlockDefinition<
  Inputs extends BlockSchema,
  Outputs extends BlockSchema,
  Answer extends BlockSchema = StandardSchema,
> extends Pick<
  BlockType,
  | "type"
  | "description"
  | "needs"
  | "effect"
  | "pure"
  | "channels"
  | "secretInputs"
  | "templateInputs"
  | "load"
  | "checkAnswer"
  | "judgesAnswers"
  | "checkInputs"
  | "asks"
  | "takesDecline"
> {
  /** Any Standard Schema (zod, valibot, arktype, …) or a JSON Schema. Default: anything. */
  readonly inputs?: Inputs;
  /** What `success` takes. Default: any named values. */
  readonly outputs?: Outputs;
  /** What `resume` is given. With a Standard Schema that tells its JSON Schema, or a JSON Schema. Default: what the question says. */
  readonly answer?: Answer;
  execute(context: BlockContext<SchemaOutput<Inputs>>): BlockResult<SchemaInput<Outputs>> | Promise<BlockResult<SchemaInput<Outputs>>>;
  resume?(
    context: ResumeContext<SchemaOutput<Inputs>, SchemaOutput<Answer>>,
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
>(definition: BlockDefinition<Inputs, Outputs, Answer>): BlockType {
  if (!isName(definition.type)) {
    throw new WorkflowError(
      "ID_INVALID",
      `A block type cannot be named ${JSON.stringify(definition.type)}. Use letters, digits, "_" and "-".`,
    );
  }
  const { answer } = definition;
  if (answer && "~standard" in answer && answer["~standard"].jsonSchema) describeStandard(answer, `The answer of ${definition.type}`);
  return Object.freeze({ ...definition });
}

/** The type of the values that a schema takes: what a caller may write. */
export type SchemaInput<S> = S extends { readonly jsonSchema: infer J } ? FromJson<J, "given"> : StandardTypes<S>["input"];

/** The type of the values that a schema gives: what is left after defaults and conversions. */
export type SchemaOutput<S> = S extends { readonly jsonSchema: infer J } ? FromJson<J, "checked"> : StandardTypes<S>["output"];

type StandardTypes<S> = S extends { readonly "~standard": { readonly types?: infer T } }
  ? Extract<T, { readonly input: unknown; readonly output: unknown }>
  : never;

/** Defaults are filled in on the first level only, so only there a checked value has them for certain. */
type Stage = "given" | "checked";

type FromJson<S, At extends Stage> = S extends { readonly enum: readonly (infer E)[] }
  ? E
  : S extends { readonly const: infer C } | { readonly oneOf: readonly { readonly const: infer C }[] }
    ? C
    : S extends { readonly type: readonly (infer T)[] }
      ? FromType<T, S, At>
      : S extends { readonly type: infer T }
        ? FromType<T, S, At>
        : Value;

type FromType<T, S, At extends Stage> = T extends "string"
  ? string
  : T extends "number" | "integer"
    ? number
    : T extends "boolean"
      ? boolean
      : T extends "null"
        ? null
        : T extends "array"
          ? readonly (S extends { readonly items: infer I } ? FromJson<I, "given"> : Value)[]
          : T extends "object"
            ? S extends { readonly properties: infer P }
              ? Flat<
                  { readonly [K in PresentNames<P, S, At>]: FromJson<P[K], "given"> } & {
                    readonly [K in Exclude<keyof P, PresentNames<P, S, At>>]?: FromJson<P[K], "given">;
                  }
                >
              : { readonly [name: string]: Value }
            : Value;

type PresentNames<P, S, At extends Stage> =
  | (S extends { readonly required: readonly (infer R)[] } ? Extract<keyof P, R> : never)
  | (At extends "checked" ? { [K in keyof P]: P[K] extends { readonly default: unknown } ? K : never }[keyof P] : never);

type Flat<T> = { [K in keyof T]: T[K] };
