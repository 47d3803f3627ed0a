import type { Value } from "./value.ts";

/** Defaults are filled in on the first level only, so only there a checked value has them for certain. */
type Stage = "given" | "checked";

/** The type of the values that a JSON Schema describes. */
export type FromJson<S, At extends Stage> = S extends { readonly enum: readonly (infer E)[] }
  ? E
  : S extends { readonly const: infer C } | { readonly oneOf: readonly { readonly const: infer C }[] }
    ? C
    : S extends { readonly type: readonly (infer T)[] }
      ? FromType<T, S, At>
      : S extends { readonly type: infer T }
        ? FromType<T, S, At>
        : Value;

/** The same, where the type stands apart from the schema. */
export type FromType<T, S, At extends Stage> = T extends "string"
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
              : {
                  readonly [name: string]: S extends { readonly additionalProperties: infer O extends object }
                    ? FromJson<O, "given">
                    : Value;
                }
            : Value;

type PresentNames<P, S, At extends Stage> =
  | (S extends { readonly required: readonly (infer R)[] } ? Extract<keyof P, R> : never)
  | (At extends "checked" ? { [K in keyof P]: P[K] extends { readonly default: unknown } ? K : never }[keyof P] : never);

type Flat<T> = { [K in keyof T]: T[K] };
