import type { Value } from "./value.ts";

/** The canonical type names; the loader also knows the short spellings `str`, `int`, `num`, `float`, `bool`, `list`, `dict`. */
export type ValueType = "string" | "integer" | "number" | "boolean" | "array" | "object";

export interface InputDeclaration {
  readonly type: ValueType;
  readonly description?: string;
  /** Whether a run must be given this input. Default: true where there is no `default`. */
  readonly required?: boolean;
  readonly default?: Value;
  readonly enum?: readonly Value[];
}

export interface OutputDeclaration {
  /** A template; see the language reference. */
  readonly value: Value;
  /** What the resolved value is converted to. Default: left as it is. */
  readonly type?: ValueType;
  readonly description?: string;
}

export interface Dependency {
  readonly block: string;
  /** Whether a skipped dependency skips this block too. Default: true. */
  readonly required?: boolean;
}

export interface Block {
  readonly id: string;
  readonly type: string;
  readonly description?: string;
  /** Templates, resolved just before the block runs. */
  readonly inputs?: { readonly [name: string]: Value };
  readonly dependsOn?: readonly (string | Dependency)[];
  /** The block is skipped where this expression is false. */
  readonly condition?: string | boolean;
  /** A failure of this block does not fail the run. Default: false. */
  readonly continueOnError?: boolean;
  /** How often the called workflow may stand in the chain of calls that leads to itself. Default: 1, no recursion. */
  readonly maxDepth?: number;
}

/** A definition. Immutable once loaded; identified by the hash of its canonical form. */
export interface Workflow {
  readonly name: string;
  readonly description?: string;
  readonly version?: string;
  readonly author?: string;
  readonly tags?: readonly string[];
  readonly inputs?: { readonly [name: string]: InputDeclaration };
  readonly blocks: readonly Block[];
  readonly outputs?: { readonly [name: string]: string | OutputDeclaration };
}
