import type { ChannelsOf } from "../../model/channel-types.ts";
import type { Value } from "../../model/value.ts";
import type { Block, Workflow } from "../../model/workflow.ts";
import type { BlockType } from "../../ports/block.ts";
import type { GivenBy, OwnTypes } from "./block-types.ts";
import type { BuiltInTypes } from "./built-in-types.ts";
import type { SeenInputs } from "./input-types.ts";
import type { Mistake, Suggest } from "./mistake.ts";

/** What references of a workflow can lead to. Made once for each workflow. */
export interface Scope {
  readonly inputs: object;
  readonly blocks: object;
  readonly channels: object;
  /** The names of the fields of a form, in its own conditions and rules. None elsewhere. */
  readonly fields: string;
  /** The developer's own block types. */
  readonly own: object;
  /** The names of all block types; any text where they are not known. */
  readonly types: string;
}

export interface ScopeOf<W extends Workflow, Own extends readonly BlockType[]> extends Scope {
  readonly inputs: "inputs" extends keyof W ? SeenInputs<NonNullable<W["inputs"]>> : Record<never, never>;
  readonly blocks: Plain<{ readonly [B in W["blocks"][number] as B["id"]]: B }>;
  readonly channels: "channels" extends keyof W ? ChannelsOf<W> : Record<never, never>;
  readonly fields: never;
  readonly own: OwnTypes<Own>;
  readonly types: string extends Own[number]["type"] ? string : keyof BuiltInTypes | Own[number]["type"];
}

/** The same members. Their keys are worked out once: those of a type with `as` would be each time. */
type Plain<T> = { readonly [K in keyof T]: T[K] };

/** Whether the compiler does not know all of a text, since it is put together when the program runs. */
export type IsComputed<Text extends string> = Record<never, never> extends Record<Text, unknown> ? true : false;

/** The references of a text: what stands between `${` and `}`. None of a text with references inside of references. */
export type ReferencesIn<Text extends string, Found = never> = Text extends `${infer Before}\${${infer Rest}`
  ? Before extends `${string}$`
    ? ReferencesIn<Rest, Found>
    : Rest extends `${infer Reference}}${infer After}`
      ? Reference extends `${string}\${${string}`
        ? never
        : ReferencesIn<After, Found | Reference>
      : Found
  : Found;

/** The reference that a text is and nothing else, so that the value keeps its type. */
export type OnlyReference<Text> = Text extends `\${${infer Reference}}`
  ? Reference extends `${string}${"{" | "}"}${string}`
    ? never
    : Reference
  : never;

/** The type of what a reference leads to, or the {@link Mistake} that it is. `Value` where it cannot be known. */
export type Resolve<Reference extends string, S extends Scope> = Reference extends `${string}${" " | "$" | "\n"}${string}`
  ? Value
  : At<Path<Reference>, S>;

/** The names of a path. A number stands for a part in brackets, and all that follows it. */
type Path<Text extends string> = Text extends `${infer Start}[${string}` ? [...Names<Start>, number] : Names<Text>;

type Names<Text extends string> = Text extends `${infer Name}.${infer Rest}` ? [Name, ...Names<Rest>] : [Text];

type At<P, S extends Scope> = P extends readonly [infer Root extends string, ...infer Rest]
  ? Root extends keyof Namespaces
    ? InNamespace<Root, Rest, S>
    : Root extends keyof S["inputs"]
      ? Member<S["inputs"][Root], Rest>
      : Root extends keyof S["blocks"]
        ? OfBlock<S["blocks"][Root], Rest, S>
        : Mistake<`"${Root}" is no input and no block of this workflow.${Suggest<Root, keyof S["inputs"] | keyof S["blocks"] | keyof Namespaces>}`>
  : Value;

interface Namespaces {
  readonly inputs: "name";
  readonly blocks: "id.outputs.name";
  readonly channels: "name";
  readonly fields: "name";
  readonly metadata: "workflow_name";
  readonly each: "value";
  readonly failure: "message";
  readonly previous: "outputs.name";
  readonly secrets: "NAME";
}

type InNamespace<Root extends keyof Namespaces, Rest, S extends Scope> = Rest extends readonly [infer Name, ...infer More]
  ? Name extends string
    ? Root extends "inputs"
      ? Name extends keyof S["inputs"]
        ? Member<S["inputs"][Name], More>
        : Mistake<`There is no input "${Name}".${Suggest<Name, keyof S["inputs"]>}`>
      : Root extends "blocks"
        ? Name extends keyof S["blocks"]
          ? OfBlock<S["blocks"][Name], More, S>
          : Mistake<`No block is called "${Name}".${Suggest<Name, keyof S["blocks"]>}`>
        : Root extends "channels"
          ? Name extends keyof S["channels"]
            ? Member<S["channels"][Name], More>
            : Mistake<`There is no channel "${Name}".${Suggest<Name, keyof S["channels"]>}`>
          : Root extends "metadata"
            ? Name extends keyof RunMetadata
              ? RunMetadata[Name]
              : Mistake<`The metadata of a run have no "${Name}".${Suggest<Name, keyof RunMetadata>}`>
            : Root extends "fields"
              ? Name extends S["fields"]
                ? Value
                : FieldMistake<Name, S["fields"]>
              : Value
    : Value
  : Mistake<`\${${Root}} is not a value. Name one: \${${Root}.${Namespaces[Root]}}.`>;

type FieldMistake<Name extends string, Fields> = [Fields] extends [never]
  ? Mistake<`Only conditions and rules of a form see its fields, and "${Name}" is asked for elsewhere. Write \${blocks.id.${Name}}.`>
  : Mistake<`The form has no field "${Name}".${Suggest<Name, Fields>}`>;

interface RunMetadata {
  readonly workflow_name: string;
  readonly execution_id: string;
  readonly start_time: number;
  readonly started_at: string;
  readonly execution_time_seconds: number;
  readonly total_blocks: number;
  readonly execution_waves: number;
}

interface BlockStatus {
  readonly status: "completed" | "failed" | "skipped" | "paused";
  readonly outcome: "success" | "failure" | "n/a";
  readonly succeeded: boolean;
  readonly failed: boolean;
  readonly skipped: boolean;
  readonly paused: boolean;
}

interface BlockMetadata extends BlockStatus {
  readonly wave: number;
  readonly execution_order: number;
  readonly iterations: number;
  readonly execution_time_ms: number;
  readonly started_at: string | null;
  readonly completed_at: string | null;
  readonly attempts: number;
  readonly count: number;
  readonly succeeded_count: number;
  readonly failed_count: number;
}

type OfBlock<B, Rest, S extends Scope> = B extends Block
  ? Rest extends readonly [infer Part, ...infer More]
    ? Part extends "inputs" | "files"
      ? Value
      : Part extends "metadata"
        ? More extends readonly [infer Field extends string, ...unknown[]]
          ? Field extends keyof BlockMetadata
            ? BlockMetadata[Field]
            : Mistake<`The metadata of a block have no "${Field}".${Suggest<Field, keyof BlockMetadata>}`>
          : Value
        : Part extends "outputs"
          ? More extends readonly [infer Field, ...infer Deeper]
            ? Output<B, GivenBy<B, S["own"]>, Field, Deeper>
            : GivenBy<B, S["own"]>
          : Output<B, GivenBy<B, S["own"]>, Part, More>
    : Value
  : Value;

type Output<B extends Block, Given, Field, Rest> = Field extends string
  ? Field extends keyof Given
    ? Member<Given[Field], Rest>
    : Field extends keyof BlockStatus
      ? BlockStatus[Field]
      : Mistake<`The block "${B["id"]}" has no output "${Field}".${Suggest<Field, keyof Given>}`>
  : Value;

/** What a path leads to from a value on. */
type Member<T, Rest> = Rest extends readonly [infer Name, ...infer More]
  ? Name extends string
    ? unknown extends T
      ? Value
      : Value extends T
        ? Value
        : [MemberOf<NonNullable<T>, Name>] extends [never]
          ? Mistake<`There is no "${Name}" in it.${Suggest<Name, keyof NonNullable<T>>}`>
          : Member<MemberOf<NonNullable<T>, Name>, More>
    : Value
  : T;

type MemberOf<T, Name> = T extends readonly unknown[] ? Value : T extends object ? (Name extends keyof T ? T[Name] : never) : never;
