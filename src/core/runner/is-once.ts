import type { RunReading } from "../machine/machine.ts";
import type { RunnerServices } from "./services.ts";

/** Whether a block says, or its type says for it, that it must not run twice. */
export function isOnce({ types }: Pick<RunnerServices, "types">, { compiled }: Pick<RunReading, "compiled">, block: number): boolean {
  const { effect, type } = compiled.workflow.blocks[block]!;
  return effect === "once" || types.get(type)?.effect === "once";
}
