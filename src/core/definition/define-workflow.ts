import type { Value, Values } from "../model/value.ts";
import type { InputDeclaration, OutputDeclaration, ValueType, Workflow } from "../model/workflow.ts";

/**
 * A definition in TypeScript that knows the types of its inputs and outputs. Checked in full when an executor loads it; here it is only
 * typed and frozen.
 */
export function defineWorkflow<const W extends Workflow>(workflow: W): W {
  return Object.freeze(workflow);
}

interface TypeOf {
  string: string;
  integer: number;
  number: number;
  boolean: boolean;
  array: readonly Value[];
  object: { readonly [key: string]: Value };
}

type InputValue<D> = D extends { readonly enum: readonly (infer E)[] }
  ? E
  : D extends { readonly type: infer T extends ValueType }
    ? TypeOf[T]
    : Value;

type IsRequired<D> = D extends { readonly required: false } ? false : D extends { readonly default: unknown } ? false : true;

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

type OutputValue<O> = O extends { readonly type: infer T extends ValueType } ? TypeOf[T] : Value;

/** The outputs a run of this workflow gives. */
export type OutputsOf<W extends Workflow> = W extends { readonly outputs: infer O }
  ? string extends keyof O
    ? Values
    : { readonly [K in keyof O]: OutputValue<O[K]> }
  : Values;

export type { InputDeclaration, OutputDeclaration };
