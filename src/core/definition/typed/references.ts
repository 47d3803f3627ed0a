import type { ChannelsOf } from "../../model/channel-types.ts";
import type { Value } from "../../model/value.ts";
import type { Block, Workflow } from "../../model/workflow.ts";
import type { BlockType } from "../../ports/block.ts";
import type { GivenBy, OwnTypes } from "./block-types.ts";
import type { BuiltInTypes } from "./built-in-types.ts";
import type { SeenInputs } from "./input-types.ts";
import type { Mistake, Suggest, UnknownName } from "./mistake.ts";

/** What references of a workflow can lead to. Made once for each workflow. */
export interface Scope {
  readonly inputs: object;
  readonly blocks: object;
  readonly channels: object;
  /** The names of the fields of a form, in its own conditions and rules. None elsewhere. */
  readonly fields: string;
  /** The developer's own block types. */
  readonly own: object;
  /** The names of all block types, built in and own; any text where those of the own ones are not known. */
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
  : Reference extends `${infer Start}[${string}`
    ? At<`${Start}.[`, S>
    : At<Reference, S>;

// Paths stay texts: to make lists of their names would cost the compiler more than all that is read from them. A name `[` stands for a part in brackets
// and all that follows it, which is not known; an empty text for the end.

type At<Path extends string, S extends Scope> = Path extends `${infer Root}.${infer Rest}` ? AtRoot<Root, Rest, S> : AtRoot<Path, "", S>;

type AtRoot<Root extends string, Rest extends string, S extends Scope> = Root extends keyof Namespaces
  ? Rest extends ""
    ? Mistake<`\${${Root}} is not a value. Name one: \${${Root}.${Namespaces[Root]}}.`>
    : Rest extends `${infer Name}.${infer More}`
      ? InNamespace<Root, Name, More, S>
      : InNamespace<Root, Rest, "", S>
  : Root extends keyof S["inputs"]
    ? Member<S["inputs"][Root], Rest>
    : Root extends keyof S["blocks"]
      ? OfBlock<S["blocks"][Root], Rest, S>
      : Mistake<`"${Root}" is no input and no block of this workflow.${Suggest<Root, keyof S["inputs"] | keyof S["blocks"] | keyof Namespaces>}`>;

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

type InNamespace<Root extends keyof Namespaces, Name extends string, Rest extends string, S extends Scope> = Name extends "["
  ? Value
  : Root extends "blocks"
    ? Name extends keyof S["blocks"]
      ? OfBlock<S["blocks"][Name], Rest, S>
      : UnknownName<`No block is called "${Name}".`, Name, keyof S["blocks"]>
    : Root extends "inputs"
      ? Name extends keyof S["inputs"]
        ? Member<S["inputs"][Name], Rest>
        : UnknownName<`There is no input "${Name}".`, Name, keyof S["inputs"]>
      : Root extends "channels"
        ? Name extends keyof S["channels"]
          ? Member<S["channels"][Name], Rest>
          : UnknownName<`There is no channel "${Name}".`, Name, keyof S["channels"]>
        : Root extends "metadata"
          ? Name extends keyof RunMetadata
            ? RunMetadata[Name]
            : Mistake<`The metadata of a run have no "${Name}".${Suggest<Name, keyof RunMetadata>}`>
          : Root extends "fields"
            ? Name extends S["fields"]
              ? Value
              : FieldMistake<Name, S["fields"]>
            : Value;

type FieldMistake<Name extends string, Fields> = [Fields] extends [never]
  ? Mistake<`Only conditions and rules of a form see its fields, and "${Name}" is asked for elsewhere. Write \${blocks.id.${Name}}.`>
  : UnknownName<`The form has no field "${Name}".`, Name, Fields>;

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

type OfBlock<B, Path extends string, S extends Scope> = B extends Block
  ? Path extends `${infer Part}.${infer Rest}`
    ? Part extends "outputs"
      ? Rest extends `${infer Field}.${infer More}`
        ? Output<B, GivenBy<B, S["own"]>, Field, More>
        : Output<B, GivenBy<B, S["own"]>, Rest, "">
      : Part extends "inputs" | "files"
        ? Value
        : Part extends "metadata"
          ? MetadataOfBlock<Rest>
          : Output<B, GivenBy<B, S["own"]>, Part, Rest>
    : Path extends "outputs"
      ? GivenBy<B, S["own"]>
      : Path extends "" | "inputs" | "files" | "metadata"
        ? Value
        : Output<B, GivenBy<B, S["own"]>, Path, "">
  : Value;

type MetadataOfBlock<Path extends string> = Path extends `${infer Field}.${string}`
  ? MetadataOfBlock<Field>
  : Path extends keyof BlockMetadata
    ? BlockMetadata[Path]
    : Path extends "["
      ? Value
      : Mistake<`The metadata of a block have no "${Path}".${Suggest<Path, keyof BlockMetadata>}`>;

type Output<B extends Block, Given, Field extends string, Rest extends string> = Field extends keyof Given
  ? Member<Given[Field], Rest>
  : Field extends keyof BlockStatus
    ? BlockStatus[Field]
    : Field extends "["
      ? Value
      : UnknownName<`The block "${B["id"]}" has no output "${Field}".`, Field, keyof Given>;

/** What a path leads to from a value on. */
type Member<T, Path extends string> = Path extends ""
  ? T
  : unknown extends T
    ? Value
    : Value extends T
      ? Value
      : Path extends `${infer Name}.${infer Rest}`
        ? Inner<T, MemberOf<NonNullable<T>, Name>, Name, Rest>
        : Inner<T, MemberOf<NonNullable<T>, Path>, Path, "">;

type Inner<T, Found, Name extends string, Rest extends string> = [Found] extends [never]
  ? Mistake<`There is no "${Name}" in it.${Suggest<Name, keyof NonNullable<T>>}`>
  : Member<Found, Rest>;

type MemberOf<T, Name> = Name extends "["
  ? Value
  : T extends readonly unknown[]
    ? Value
    : T extends object
      ? Name extends keyof T
        ? T[Name]
        : never
      : never;
