import type { DeclaredInputs } from "./block-types.ts";
import type { CheckedValue } from "./checked-value.ts";
import type { Indexes, Mistake, Suggest, Wrong } from "./mistake.ts";
import type { OnlyReference, Resolve, Scope } from "./references.ts";

/** The inputs of a block: those that its type takes, of the types that it takes, and all that it needs. */
export type CheckedInputs<Inputs, Type extends string, S extends Scope> = Wrong<
  GivenInputs<Inputs, DeclaredInputs<Type, S["own"]>, Type, S> & MissingInputs<Inputs, DeclaredInputs<Type, S["own"]>, Type>
>;

type GivenInputs<Inputs, Declared, Type extends string, S extends Scope> = {
  readonly [Name in keyof Inputs]: Name extends keyof Declared
    ? CheckedInput<Inputs[Name], Exclude<Declared[Name], undefined>, `${Name & string} of ${Type}`, S>
    : Mistake<`${Type} takes no input "${Name & string}".${Suggest<Name & string, keyof Declared>}`>;
};

type MissingInputs<Inputs, Declared, Type extends string> = {
  readonly [Name in Exclude<RequiredNames<Declared>, keyof Inputs>]: Mistake<`${Type} needs the input "${Name & string}".`>;
};

type RequiredNames<T> = { [K in keyof T]-?: string extends K ? never : Record<never, never> extends Pick<T, K> ? never : K }[keyof T];

type CheckedInput<V, Declared, What extends string, S extends Scope> = unknown extends Declared
  ? CheckedValue<V, S>
  : V extends `${string}\${${string}`
    ? [OnlyReference<V>] extends [never]
      ? CheckedValue<V, S>
      : ReferenceThatFits<Resolve<OnlyReference<V>, S>, Declared, What>
    : V extends Written<Declared>
      ? CheckedValue<V, S>
      : Misfit<V, Declared, What, S>;

/** Where in a value it does not fit. */
type Misfit<V, Declared, What extends string, S extends Scope> = V extends readonly unknown[]
  ? ItemsOf<Declared> extends readonly (infer Item)[]
    ? Wrong<{ readonly [I in Indexes<V>]: CheckedInput<V[I], Item, What, S> }>
    : Mistake<Takes<Declared, What>>
  : Mistake<Takes<Declared, What>>;

type ItemsOf<Declared> = Extract<Declared, readonly unknown[]>;

type ReferenceThatFits<Resolved, Declared, What extends string> =
  Resolved extends Mistake<string>
    ? Resolved
    : [Kind<Resolved> & Accepted<Kind<Declared>>] extends [never]
      ? Mistake<`It refers to ${Kind<Resolved>}. ${Takes<Declared, What>}`>
      : unknown;

type Takes<Declared, What extends string> = `The input ${What} takes ${Kind<Declared>}.`;

/** What a value is, in words. Several for a union; none for `null`, which a skipped block gives. */
type Kind<T> = unknown extends T ? "a text" | "a number" | "true or false" | "a list" | "an object" : KindOf<T>;

type KindOf<T> = T extends string
  ? "a text"
  : T extends number
    ? "a number"
    : T extends boolean
      ? "true or false"
      : T extends readonly unknown[]
        ? "a list"
        : T extends object
          ? "an object"
          : never;

/** Where a text is wanted, numbers and booleans are written as one. */
type Accepted<K> = "a text" extends K ? K | "a number" | "true or false" : K;

type Template = `${string}\${${string}}${string}`;

/** A value as a workflow may write it: at any depth a reference may stand for it. */
type Written<T> = unknown extends T
  ? T
  : T extends readonly (infer E)[]
    ? readonly Written<E>[] | Template
    : T extends string | number | boolean | null | undefined
      ? T | Template
      : { readonly [K in keyof T]: Written<T[K]> } | Template;
