import type { Workflow } from "../model/workflow.ts";

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
