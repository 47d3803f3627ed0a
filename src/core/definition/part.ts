import type { Workflow } from "../model/workflow.ts";

/**
 * What blocks of a type do: they ask or say one thing, in plain JSON; they ask and compute, with any values; or anything that their code does, as
 * all that are not built in.
 */
export type BlockKind = "question" | "pure" | "acting";

/** A part of the engine that only some workflows need. It is loaded before a workflow that needs it is compiled, so before the first block of a run. */
export interface Part<Code = unknown> {
  /** `kindOf` tells what the blocks of a type do. The workflow may be unchecked. */
  isNeededBy(workflow: Workflow, kindOf: (type: string) => BlockKind): boolean;
  load(): Promise<unknown>;
  /** Its code. It is there for every compiled workflow that needs it. */
  code(): Code;
}

/** Makes a part of a module: `load` imports it. */
export function definePart<Code>({ isNeededBy, load }: Pick<Part, "isNeededBy"> & { readonly load: () => Promise<Code> }): Part<Code> {
  let code: Code | undefined;
  return {
    isNeededBy,
    async load() {
      code ??= await load();
    },
    code() {
      if (code === undefined) throw new Error("A workflow was compiled before the part of the engine that it needs was loaded.");
      return code;
    },
  };
}
