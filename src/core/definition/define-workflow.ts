import type { Workflow } from "../model/workflow.ts";
import type { BlockType } from "../ports/block.ts";
import { assertOptions } from "../model/assert-options.ts";
import type { CheckedWorkflow } from "./typed/checked-workflow.ts";

/** What the compiler is to know of beside the definition. */
export interface KnownTypes<Own extends readonly BlockType[]> {
  /** Block types that are not built in. With a list of which the compiler does not know the names (`BlockType[]`), any type is let through. */
  readonly blocks: Own;
}

/** A workflow that knows the types of its own blocks. */
export type Defined<W extends Workflow, Own extends readonly BlockType[]> = string extends Own[number]["type"]
  ? W
  : [Own[number]] extends [never]
    ? W
    : W & { readonly "~blocks"?: Own };

/**
 * A definition in TypeScript that knows itself. The compiler refuses ids, block types, inputs, channels and references that lead nowhere, and knows the
 * types of its inputs, outputs and answers. Checked in full when an executor loads it; here it is only typed and frozen. Throws `KEY_UNKNOWN` for an
 * option that there is not.
 */
export function defineWorkflow<const W extends Workflow, const Own extends readonly BlockType[] = []>(
  workflow: W & NoInfer<CheckedWorkflow<W, Own>>,
  known?: KnownTypes<Own>,
): Defined<W, Own> {
  assertOptions("defineWorkflow", known, { blocks: true });
  return Object.freeze(workflow);
}

/**
 * The workflows that the compiler knows by their names, each with its definition as a type. `wavepoint types` writes declarations that add those of YAML
 * files; one written in TypeScript is added by `declare module "wavepoint" { interface KnownWorkflows { trip: typeof trip } }`.
 */
export interface KnownWorkflows {}

/** A workflow: itself, or by its name. */
export type Named<W extends Workflow | string> = W extends Workflow
  ? W
  : W extends keyof KnownWorkflows
    ? KnownWorkflows[W] extends infer Known extends Workflow
      ? Known
      : never
    : Workflow;
