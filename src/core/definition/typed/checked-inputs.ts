import type { DeclaredInputs } from "./block-types.ts";
import type { Indexes, Mistake, MistakeOf, Suggest, Wrong } from "./mistake.ts";
import type { IsComputed, OnlyReference, ReferencesIn, Resolve, Scope } from "./references.ts";

/** What is wrong with the inputs of a block: its type does not take one, or takes another type, or needs one that is not there. */
export type WrongInputs<Inputs, Type extends string, S extends Scope> = WrongInputsFor<Inputs, DeclaredInputs<Type, S["own"]>, Type, S>;

type WrongInputsFor<Inputs, Declared, Type extends string, S extends Scope> = [
  WrongInput<keyof Inputs, Inputs, Declared, Type, S> | MissingNames<Inputs, Declared>,
] extends [never]
  ? never
  : {
      readonly [Name in keyof Inputs as [WrongInput<Name, Inputs, Declared, Type, S>] extends [never] ? never : Name]: WrongInput<
        Name,
        Inputs,
        Declared,
        Type,
        S
      >;
    } & { readonly [Name in MissingNames<Inputs, Declared>]: Mistake<`${Type} needs the input "${Name & string}".`> };

type MissingNames<Inputs, Declared> = Exclude<RequiredNames<Declared>, keyof Inputs>;

type WrongInput<Name extends keyof Inputs, Inputs, Declared, Type extends string, S extends Scope> = Name extends keyof Declared
  ? Misfit<
      Inputs[Name],
      Exclude<Declared[Name], undefined>,
      `${Name & string} of ${Type}`,
      Name extends "fields" | "rules" | "schema" ? FormScope<Inputs, S> : S
    >
  : Mistake<`${Type} takes no input "${Name & string}".${Suggest<Name & string, keyof Declared>}`>;

/** What the lines of a form can refer to: its fields too. A schema has them at any depth, and they are not looked for. */
type FormScope<Inputs, S extends Scope> = Omit<S, "fields"> & {
  readonly fields: Inputs extends { readonly fields: infer Fields } ? FieldNames<Fields> : string;
};

type FieldNames<Fields> = Fields extends readonly (infer Part)[]
  ? Part extends { readonly name: infer Name extends string }
    ? Name | (Part extends { readonly fields: infer Inner } ? FieldNames<Inner> : never)
    : never
  : never;

type RequiredNames<T> = { [K in keyof T]-?: string extends K ? never : Record<never, never> extends Pick<T, K> ? never : K }[keyof T];

/** What does not fit in a value, or refers to something that does not. */
type Misfit<V, Declared, What extends string, S extends Scope> = unknown extends Declared
  ? WrongValue<V, S>
  : V extends `${string}\${${string}`
    ? [OnlyReference<V>] extends [never]
      ? MistakesIn<V, S>
      : WrongReference<Resolve<OnlyReference<V>, S>, Declared, What>
    : V extends Written<Declared>
      ? [StrangeKeys<V, Declared>] extends [never]
        ? WrongValue<V, S>
        : MisfitPart<V, Declared, What, S>
      : MisfitPart<V, Declared, What, S>;

/** Where in a value it does not fit. */
type MisfitPart<V, Declared, What extends string, S extends Scope> = V extends readonly unknown[]
  ? [ItemsOf<Declared>] extends [never]
    ? Mistake<Takes<Declared, What>>
    : Wrong<{ readonly [I in Indexes<V>]: Misfit<V[I], ItemsOf<Declared>[number], What, S> }>
  : V extends object
    ? MisfitMembers<V, RecordsOf<Declared>, What, S>
    : V extends string
      ? [Extract<Declared, string>] extends [never]
        ? Mistake<Takes<Declared, What>>
        : MistakeOf<`The input ${What} takes one of these.`, Extract<Declared, string>>
      : Mistake<Takes<Declared, What>>;

/** Which member of an object does not fit; the object itself where it lacks one. */
type MisfitMembers<V, Declared, What extends string, S extends Scope> = [Declared] extends [never]
  ? Mistake<Takes<Declared, What>>
  : Wrong<
      { readonly [Name in keyof V]: MisfitMember<Name, V[Name], Declared, What, S> } & {
        readonly [Name in Exclude<RequiredNames<Declared>, keyof V>]: Mistake<`The input ${What} needs "${Name & string}".`>;
      }
    >;

type MisfitMember<Name, V, Declared, What extends string, S extends Scope> =
  Name extends KeysOf<Declared>
    ? Misfit<V, Exclude<MemberOf<Declared, Name>, undefined>, `${What}, ${Name & string},`, S>
    : Mistake<`The input ${What} has no "${Name & string}".${Suggest<Name & string, KeysOf<Declared>>}`>;

/** The keys of objects that nothing takes, also in lists: a value may have more than its type, and an input may not. */
type StrangeKeys<V, Declared> = V extends readonly (infer Item)[]
  ? StrangeKeys<Item, ItemsOf<Declared>[number]>
  : V extends object
    ? StrangeKeysIn<V, RecordsOf<Declared>>
    : never;

type StrangeKeysIn<Item, Declared> = [Declared] extends [never]
  ? never
  : | Exclude<keyof Item, KeysOf<Declared>>
    | ("fields" extends keyof Item ? StrangeKeys<Item["fields"], MemberOf<Declared, "fields">> : never);

type ItemsOf<Declared> = Extract<Declared, readonly unknown[]>;

type RecordsOf<Declared> = Exclude<Extract<Declared, object>, readonly unknown[]>;

type KeysOf<Declared> = Declared extends unknown ? keyof Declared : never;

type MemberOf<Declared, Name> = Declared extends unknown ? (Name extends keyof Declared ? Declared[Name] : never) : never;

type WrongReference<Resolved, Declared, What extends string> = [Resolved] extends [Mistake<string>]
  ? Resolved
  : [Kind<Resolved> & Accepted<Kind<Declared>>] extends [never]
    ? Mistake<`It refers to ${Kind<Resolved>}. ${Takes<Declared, What>}`>
    : never;

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

/** All mistakes of a value with texts at any depth, wherever they are: references that lead nowhere. */
export type MistakesIn<V, S extends Scope> = V extends string
  ? V extends `${string}\${${string}`
    ? UnlessComputed<Extract<Resolve<ReferencesIn<V>, S>, Mistake<string>>, V>
    : never
  : V extends readonly unknown[]
    ? MistakesIn<V[number], S>
    : V extends object
      ? MistakesIn<V[keyof V], S>
      : never;

type UnlessComputed<Found, Text extends string> = [Found] extends [never] ? never : IsComputed<Text> extends true ? never : Found;

/** The same, each at its place. */
export type WrongValue<V, S extends Scope> = [MistakesIn<V, S>] extends [never]
  ? never
  : V extends string
    ? MistakesIn<V, S>
    : V extends readonly unknown[]
      ? Wrong<{ readonly [I in Indexes<V>]: WrongValue<V[I], S> }>
      : Wrong<{ readonly [K in keyof V]: WrongValue<V[K], S> }>;
