import type { Value, Values } from "../../model/value.ts";
import type { ValueType, Workflow } from "../../model/workflow.ts";

/** What the types of inputs and outputs hold. */
export interface TypeOf {
  readonly string: string;
  readonly integer: number;
  readonly number: number;
  readonly boolean: boolean;
  readonly array: readonly Value[];
  readonly object: { readonly [key: string]: Value };
}

type InputValue<D> = D extends { readonly enum: readonly (infer E)[] }
  ? E
  : D extends { readonly type: infer T extends ValueType }
    ? TypeOf[T]
    : Value;

type HasDefault<D> = D extends { readonly default: unknown } ? true : false;

type IsRequired<D> = D extends { readonly required: false } ? false : HasDefault<D> extends true ? false : true;

type RequiredNames<I> = { [K in keyof I]: IsRequired<I[K]> extends true ? K : never }[keyof I];

/** The inputs a run of this workflow takes. */
export type InputsOf<W extends Workflow> = W extends { readonly inputs: infer I }
  ? string extends keyof I
    ? Values
    : { readonly [K in RequiredNames<I>]: InputValue<I[K]> } & { readonly [K in Exclude<keyof I, RequiredNames<I>>]?: InputValue<I[K]> }
  : Values;

/** What `start` takes after the workflow: inputs may be left out where the workflow requires none. */
export type StartArguments<W extends Workflow, Options> =
  Record<never, never> extends InputsOf<W> ? [inputs?: InputsOf<W>, options?: Options] : [inputs: InputsOf<W>, options?: Options];

/** What references to inputs see: one that need not be given and has no default may be `null`. */
export type SeenInputs<I> = {
  readonly [K in keyof I]: IsRequired<I[K]> extends true
    ? InputValue<I[K]>
    : HasDefault<I[K]> extends true
      ? InputValue<I[K]>
      : InputValue<I[K]> | null;
};
