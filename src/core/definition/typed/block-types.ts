import type { FileValue } from "../../model/file-value.ts";
import type { FromJson } from "../../model/json-types.ts";
import type { Value, Values } from "../../model/value.ts";
import type { Block, ValueType } from "../../model/workflow.ts";
import type { BlockType } from "../../ports/block.ts";
import type { BuiltInTypes } from "./built-in-types.ts";
import type { TypeOf } from "./input-types.ts";

/** What a block type takes, gives and is answered. */
interface Types {
  readonly inputs: unknown;
  readonly outputs: unknown;
  readonly answer: unknown;
}

/** Of a block type that nothing is known of. */
interface Untyped extends Types {
  readonly inputs: Anything;
  readonly outputs: Values;
}

interface Anything {
  readonly [name: string]: unknown;
}

/** The types of a developer's own block types, by their names, where these are known. */
export type OwnTypes<Own extends readonly BlockType[]> = {
  readonly [B in Own[number] as string extends B["type"] ? never : B["type"]]: B extends { readonly "~types"?: infer T }
    ? NonNullable<T>
    : Untyped;
};

type TypesOf<Type, Own> = Type extends keyof Own ? Own[Type] : Type extends keyof BuiltInTypes ? BuiltInTypes[Type] : Untyped;

/** What the inputs of a block of this type are, once they are resolved. */
export type DeclaredInputs<Type, Own> = TypesOf<Type, Own> extends { readonly inputs: infer I } ? I : Anything;

/** What a block gives, as references see it. */
export type GivenBy<B extends Block, Own> = B extends { readonly forEach: unknown }
  ? { readonly results: readonly GivenOnce<B, Own>[]; readonly keys: readonly string[]; readonly count: number }
  : GivenOnce<B, Own>;

type GivenOnce<B, Own> = B extends { readonly outputs: infer Files }
  ? GivenByType<B, Own> & { readonly [Name in keyof Files]: FromFile<Files[Name]> }
  : GivenByType<B, Own>;

type FromFile<F> =
  (F extends { readonly type: infer T extends ValueType } ? TypeOf[T] : string) | (F extends { readonly required: false } ? null : never);

type GivenByType<B, Own> = B extends { readonly type: infer Type extends keyof Own }
  ? OutputsIn<Own[Type]>
  : B extends { readonly type: "Form"; readonly inputs: infer Inputs }
    ? FormOutputs<Inputs>
    : B extends { readonly type: "AskChoice"; readonly inputs: { readonly choices: infer Choices } }
      ? Omit<BuiltInTypes["AskChoice"]["outputs"], "choice" | "value"> & {
          readonly choice: Titles<Choices>;
          readonly value: Meanings<Choices>;
        }
      : B extends { readonly type: "Compute"; readonly inputs: { readonly formulas: infer Formulas extends object } }
        ? { readonly [Name in keyof Formulas]: Value }
        : B extends { readonly type: infer Type extends Exclude<keyof BuiltInTypes, Calling> }
          ? BuiltInTypes[Type]["outputs"]
          : Values;

type Calling = "ExecuteWorkflow" | "Workflow";

type OutputsIn<T> = T extends { readonly outputs: infer O } ? O : Values;

/** What a question of the block is answered; `unknown` where that is not known, and nothing where it asks none of its own. */
export type AnswerTo<B extends Block, Own> = B["type"] extends keyof Own
  ? Own[B["type"]] extends { readonly answer: infer A }
    ? A
    : unknown
  : B extends { readonly type: "Form"; readonly inputs: infer Inputs }
    ? FormAnswer<Inputs>
    : B extends { readonly type: "AskChoice"; readonly inputs: { readonly choices: infer Choices } }
      ? Titles<Choices> | number
      : B extends { readonly type: "ConfirmOperation" }
        ? string | { readonly answer: string; readonly comment?: string }
        : B extends { readonly type: "GetInput" | "Prompt" }
          ? string
          : B extends { readonly type: "EchoBlock" | "PopulateTemplate" | "Compute" }
            ? never
            : unknown;

/** The texts of which one is chosen. */
type Titles<Choices> = Choices extends readonly (infer C)[] ? TitleOf<C> : string;

type TitleOf<C> = C extends { readonly title: infer T extends string }
  ? T
  : C extends { readonly value: infer V extends string | number | boolean }
    ? `${V}`
    : C extends string
      ? C
      : string;

type Meanings<Choices> = Choices extends readonly (infer C)[] ? (C extends { readonly value: infer V } ? V : C) : Value;

/** The values of a form's fields; `null` where one may be left out. */
type FormOutputs<Inputs> = Inputs extends { readonly fields: infer Fields extends readonly object[] }
  ? { readonly [F in Fields[number] as NameOf<F>]: FieldValue<F> | (MayBeEmpty<F> extends true ? null : never) }
  : Inputs extends { readonly schema: infer S extends object }
    ? FromJson<S, "given">
    : Values;

type FormAnswer<Inputs> = Inputs extends { readonly fields: infer Fields extends readonly object[] }
  ? { readonly [F in Fields[number] as MayBeLeftOut<F> extends true ? never : NameOf<F>]: FieldValue<F> } & {
      readonly [F in Fields[number] as MayBeLeftOut<F> extends true ? NameOf<F> : never]?: FieldValue<F>;
    }
  : Inputs extends { readonly schema: infer S extends object }
    ? FromJson<S, "given">
    : { readonly [name: string]: unknown };

type NameOf<F> = F extends { readonly name: infer N extends string } ? N : never;

/** Also one that is only shown at times. */
type MayBeLeftOut<F> = F extends { readonly required: false } | { readonly default: unknown } | { readonly show_if: unknown }
  ? true
  : false;

type MayBeEmpty<F> = F extends { readonly show_if: unknown }
  ? true
  : F extends { readonly default: unknown }
    ? false
    : F extends { readonly required: false }
      ? true
      : false;

type FieldValue<F> = F extends { readonly type: "array"; readonly fields: unknown }
  ? readonly FormAnswer<F>[]
  : F extends { readonly type: "object"; readonly fields: unknown }
    ? FormAnswer<F>
    : F extends { readonly type: "array" }
      ? readonly ChosenIn<F, Value>[]
      : F extends { readonly type: "file"; readonly multiple: true }
        ? readonly FileValue[]
        : F extends { readonly type: "file" }
          ? FileValue
          : F extends { readonly type: infer T }
            ? T extends "string" | "integer" | "number" | "boolean"
              ? ChosenIn<F, TypeOf[T]>
              : Value
            : ChosenIn<F, string>;

type ChosenIn<F, Else> = F extends { readonly enum: readonly (infer C)[] } ? (C extends { readonly value: infer V } ? V : C) : Else;
