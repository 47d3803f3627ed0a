import { CALLING_TYPES } from "../model/workflow.ts";
import type { RunReading } from "../machine/machine.ts";
import type { RunnerServices } from "./services.ts";

type Types = Pick<RunnerServices, "types">;
type Reading = Pick<RunReading, "compiled">;

/** Whether a block says, or its type says for it, that it must not run twice. */
export function isOnce({ types }: Types, { compiled }: Reading, block: number): boolean {
  const { effect, type } = compiled.workflow.blocks[block]!;
  return effect === "once" || types.get(type)?.effect === "once";
}

/** Whether a block may change something outside of its run: it says so, its type does, or it calls a workflow. */
export function hasEffect({ types }: Types, { compiled }: Reading, block: number): boolean {
  const { effect, type } = compiled.workflow.blocks[block]!;
  return effect !== undefined || types.get(type)?.effect !== undefined || CALLING_TYPES.has(type);
}
