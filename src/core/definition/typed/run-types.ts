import type { Answer } from "../../model/file-value.ts";
import type { Pause, PauseId } from "../../model/run.ts";
import type { Value, Values } from "../../model/value.ts";
import type { Block, ValueType, Workflow } from "../../model/workflow.ts";
import type { BlockType } from "../../ports/block.ts";
import type { AnswerTo, OwnTypes } from "./block-types.ts";
import type { TypeOf } from "./input-types.ts";
import type { IsComputed, OnlyReference, Resolve, Scope, ScopeOf } from "./references.ts";
import type { Mistake } from "./mistake.ts";

/** The developer's own block types that a workflow was defined with; where it was with none, the list that `defineWorkflow` checked it with. */
type OwnOf<W> = "~blocks" extends keyof W ? Extract<NonNullable<W["~blocks"]>, readonly BlockType[]> : [];

/** The outputs a run of this workflow gives. */
export type OutputsOf<W extends Workflow> = "outputs" extends keyof W
  ? string extends keyof NonNullable<W["outputs"]>
    ? Values
    : OutputValues<NonNullable<W["outputs"]>, ScopeOf<W, OwnOf<W>>, HasUncertain<W["blocks"][number]>>
  : Values;

type OutputValues<O, S extends Scope, Unsure> = { readonly [K in keyof O]: OutputValue<O[K], S, Unsure> };

type OutputValue<O, S extends Scope, Unsure> = O extends string
  ? ValueOf<O, S, Unsure>
  : O extends { readonly type: infer T extends ValueType }
    ? TypeOf[T]
    : O extends { readonly value: infer V }
      ? ValueOf<V, S, Unsure>
      : Value;

/** What a text of a workflow gives. `Unsure` says whether any block may be missing. */
type ValueOf<V, S extends Scope, Unsure> = V extends string
  ? IsComputed<V> extends true
    ? Value
    : [OnlyReference<V>] extends [never]
      ? string
      : Seen<Resolve<OnlyReference<V>, S>, Unsure extends true ? MayBeMissing<OnlyReference<V>, S> : false>
  : V extends object
    ? { readonly [K in keyof V]: ValueOf<V[K], S, Unsure> }
    : V;

/** With `null`, where the block it comes from may be skipped or fail. */
type Seen<T, Missing> = T extends Mistake<string> ? Value : T | (Missing extends true ? null : never);

/** Nothing before the first block can skip it; a later one may be skipped where any block may be. */
type MayBeMissing<Reference, S extends Scope> = Reference extends `blocks.${infer Id}.${string}`
  ? Id extends keyof S["blocks"]
    ? IsUncertain<S["blocks"][Id]> extends true
      ? true
      : S["blocks"][Id] extends { readonly dependsOn: readonly [unknown, ...unknown[]] }
        ? true
        : false
    : true
  : Reference extends `inputs.${string}` | `channels.${string}` | `metadata.${string}`
    ? false
    : true;

type HasUncertain<B> = true extends (B extends Block ? IsUncertain<B> : false) ? true : false;

/** Whether a block may be skipped, or fail without failing the run. */
type IsUncertain<B> = [keyof B & UncertainKey] extends [never] ? false : B extends Uncertain ? true : false;

type Uncertain =
  | { readonly condition: unknown }
  | { readonly next: unknown }
  | { readonly skippable: true }
  | { readonly continueOnError: true }
  | { readonly onFailure: string }
  | { readonly onTimeout: unknown }
  | { readonly onEvent: unknown }
  | { readonly forEach: unknown };

type UncertainKey = Uncertain extends infer U ? (U extends unknown ? keyof U : never) : never;

/** The questions that a run of this workflow may ask, told apart by `type`; any where it calls other workflows. */
export type PausesOf<W extends Workflow> = string extends W["blocks"][number]["id"]
  ? Pause
  : "ExecuteWorkflow" | "Workflow" extends infer Calling
    ? [Extract<W["blocks"][number]["type"], Calling>] extends [never]
      ? PauseBy<W["blocks"][number], OwnTypes<OwnOf<W>>>
      : Pause
    : never;

type PauseBy<B, Own> = B extends Block
  ? [AnswerTo<B, Own>] extends [never]
    ? never
    : PauseOf<B["type"], AnswerIn<AnswerTo<B, Own>>>
  : never;

/** The same for all blocks of a type that are answered the same. */
type PauseOf<Type, A> = Omit<Pause, "id" | "type"> & { readonly id: PauseId<A>; readonly type: Type };

type AnswerIn<A> = [A] extends [Answer] ? A : Answer;
