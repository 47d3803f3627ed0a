import type { Answer } from "../../model/file-value.ts";
import type { Pause, PauseId } from "../../model/run.ts";
import type { Value, Values } from "../../model/value.ts";
import type { Block, ValueType, Workflow } from "../../model/workflow.ts";
import type { BlockType } from "../../ports/block.ts";
import type { AnswerTo, OwnTypes } from "./block-types.ts";
import type { TypeOf } from "./input-types.ts";
import type { IsComputed, OnlyReference, Resolve, Scope, ScopeOf } from "./references.ts";
import type { Mistake } from "./mistake.ts";

/** The developer's own block types that a workflow was defined with. */
type OwnOf<W> = W extends { readonly "~blocks"?: infer Own } ? (NonNullable<Own> extends readonly BlockType[] ? NonNullable<Own> : []) : [];

/** The outputs a run of this workflow gives. */
export type OutputsOf<W extends Workflow> = "outputs" extends keyof W
  ? string extends keyof NonNullable<W["outputs"]>
    ? Values
    : OutputValues<NonNullable<W["outputs"]>, W, ScopeOf<W, OwnOf<W>>>
  : Values;

type OutputValues<O, W extends Workflow, S extends Scope> = { readonly [K in keyof O]: OutputValue<O[K], W, S> };

type OutputValue<O, W extends Workflow, S extends Scope> = O extends { readonly type: infer T extends ValueType }
  ? TypeOf[T]
  : O extends { readonly value: infer V }
    ? ValueOf<V, W, S>
    : ValueOf<O, W, S>;

/** What a text of a workflow gives. */
type ValueOf<V, W extends Workflow, S extends Scope> = V extends string
  ? IsComputed<V> extends true
    ? Value
    : [OnlyReference<V>] extends [never]
      ? string
      : Seen<Resolve<OnlyReference<V>, S>, V, W>
  : V extends object
    ? { readonly [K in keyof V]: ValueOf<V[K], W, S> }
    : V;

/** With `null`, where the block it comes from may be skipped or fail. */
type Seen<T, V, W extends Workflow> = T extends Mistake<string> ? Value : T | (MayBeMissing<BlockIn<V>, W> extends true ? null : never);

type BlockIn<V> = V extends `\${${infer Reference}}`
  ? Reference extends `blocks.${infer Id}.${string}`
    ? Id
    : Reference extends `inputs.${string}` | `channels.${string}` | `metadata.${string}`
      ? never
      : string
  : never;

/** Nothing before the first block can skip it; a later one may be skipped where any block may be. */
type MayBeMissing<Id, W extends Workflow> = [Id] extends [never]
  ? false
  : [Extract<W["blocks"][number], Uncertain>] extends [never]
    ? false
    : Extract<W["blocks"][number], { readonly id: Id }> extends infer B
      ? [B] extends [never]
        ? true
        : B extends Uncertain | { readonly dependsOn: readonly [unknown, ...unknown[]] }
          ? true
          : false
      : never;

/** Blocks that may be skipped, or fail without failing the run. */
type Uncertain =
  | { readonly condition: unknown }
  | { readonly next: unknown }
  | { readonly skippable: true }
  | { readonly continueOnError: true }
  | { readonly onFailure: string }
  | { readonly onTimeout: unknown }
  | { readonly onEvent: unknown }
  | { readonly forEach: unknown };

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
    : Omit<Pause, "id" | "type"> & { readonly id: PauseId<AnswerIn<AnswerTo<B, Own>>>; readonly type: B["type"] }
  : never;

type AnswerIn<A> = [A] extends [Answer] ? A : Answer;
