import type { Comparator } from "../../expression/syntax.ts";
import type { Value } from "../../model/value.ts";
import type { FormulaFunction } from "./functions.ts";

export type Operator = "+" | "-" | "*" | "/" | "%";

/** A parsed formula. Columns count from 1. What repeats without an end in a text (`a + b + c`, `a.b.c`) is one node, so that nothing is deeper than it looks. */
export type Formula =
  | { readonly kind: "literal"; readonly value: Value }
  | { readonly kind: "name"; readonly name: string; readonly column: number }
  | { readonly kind: "path"; readonly root: Formula; readonly keys: readonly Key[] }
  | { readonly kind: "list"; readonly items: readonly Formula[] }
  | { readonly kind: "object"; readonly members: readonly (readonly [key: string, value: Formula])[] }
  | { readonly kind: "negative"; readonly operand: Formula; readonly column: number }
  | { readonly kind: "power"; readonly base: Formula; readonly exponent: Formula; readonly column: number }
  | { readonly kind: "arithmetic"; readonly first: Formula; readonly rest: readonly Operation[] }
  | { readonly kind: "comparison"; readonly first: Formula; readonly rest: readonly ComparedWith[] }
  | { readonly kind: "not"; readonly operand: Formula }
  | { readonly kind: "and" | "or"; readonly operands: readonly Formula[] }
  | { readonly kind: "call"; readonly called: FormulaFunction; readonly args: readonly Formula[]; readonly column: number }
  | { readonly kind: "lambda"; readonly parameter: string; readonly body: Formula; readonly column: number };

/** `.name`, or what stands in brackets. */
export interface Key {
  readonly key: string | Formula;
  readonly column: number;
}

/** Operators of one rank are applied from left to right. */
export interface Operation {
  readonly operator: Operator;
  readonly operand: Formula;
  readonly column: number;
}

export interface ComparedWith {
  readonly comparator: Comparator;
  readonly operand: Formula;
  readonly column: number;
}
