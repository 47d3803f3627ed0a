import type { Indexes, Mistake, Wrong } from "./mistake.ts";
import type { IsComputed, ReferencesIn, Resolve, Scope } from "./references.ts";

/** A text: all references in it lead somewhere. */
export type CheckedText<Text, S extends Scope> = [MistakesIn<Text, S>] extends [never] ? unknown : MistakesIn<Text, S>;

/** A value with texts at any depth. */
export type CheckedValue<V, S extends Scope> = [MistakesIn<V, S>] extends [never] ? unknown : Located<V, S>;

/** All mistakes of a value, wherever they are. */
type MistakesIn<V, S extends Scope> = V extends string
  ? V extends `${string}\${${string}`
    ? IsComputed<V> extends true
      ? never
      : Extract<Resolve<ReferencesIn<V>, S>, Mistake<string>>
    : never
  : V extends readonly unknown[]
    ? MistakesIn<V[number], S>
    : V extends object
      ? MistakesIn<V[keyof V], S>
      : never;

type Located<V, S extends Scope> = V extends string
  ? MistakesIn<V, S>
  : V extends readonly unknown[]
    ? Wrong<{ readonly [I in Indexes<V>]: CheckedValue<V[I], S> }>
    : Wrong<{ readonly [K in keyof V]: CheckedValue<V[K], S> }>;
