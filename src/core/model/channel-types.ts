import type { FromJson, FromType } from "./json-types.ts";
import type { Value } from "./value.ts";
import type { ChannelDeclaration, ValueType, Workflow } from "./workflow.ts";

/** What the channels of a workflow hold, by name. */
export type ChannelsOf<W extends Workflow> =
  Of<W> extends infer C ? (string extends keyof C ? { readonly [name: string]: unknown } : { readonly [K in keyof C]: Held<C[K]> }) : never;

/** What may be written to the channels of a workflow, by name. */
export type ChannelChangesOf<W extends Workflow> =
  Of<W> extends infer C
    ? string extends keyof C
      ? { readonly [name: string]: unknown }
      : { readonly [K in keyof C]: Change<C[K]> }
    : never;

type Of<W extends Workflow> = W extends { readonly channels: infer C } ? C : { readonly [name: string]: ChannelDeclaration };

type ReducerOf<D> = D extends { readonly reduce: infer R } ? R : "replace";
type SchemaOf<D> = D extends { readonly schema: infer S } ? S : Record<never, never>;
type ItemOf<D> = SchemaOf<D> extends { readonly items: infer I } ? FromJson<I, "given"> : unknown;
type MembersOf<D> = FromType<"object", SchemaOf<D>, "given">;

/** What it holds where something was written, or a default says so. */
type Given<D> = D extends { readonly type: infer T extends ValueType } ? FromType<T, SchemaOf<D>, "given"> : FromJson<SchemaOf<D>, "given">;

type HasDefault<D> = D extends { readonly default: Value } ? true : false;

type Held<D> =
  ReducerOf<D> extends "append" | "union"
    ? FromType<"array", SchemaOf<D>, "given">
    : ReducerOf<D> extends "sum"
      ? number
      : ReducerOf<D> extends "merge"
        ? HasDefault<D> extends true
          ? MembersOf<D>
          : Partial<MembersOf<D>>
        : HasDefault<D> extends true
          ? Given<D>
          : Given<D> | null;

type Change<D> =
  ReducerOf<D> extends "append"
    ? ItemOf<D>
    : ReducerOf<D> extends "union"
      ? ItemOf<D> | readonly ItemOf<D>[]
      : ReducerOf<D> extends "sum"
        ? number
        : ReducerOf<D> extends "merge"
          ? Partial<MembersOf<D>>
          : ReducerOf<D> extends "replace"
            ? Given<D>
            : unknown;
