import type { Entry } from "../../model/journal.ts";
import type { CompiledWorkflow } from "../compile.ts";
import type { Services } from "../services.ts";
import type { RunState } from "../state.ts";

/** Loads the definitions to which entries move the run, before they are folded. Throws `RUN_CORRUPT` where one is missing. */
export async function loadDefinitions(services: Services, state: RunState, entries: readonly Entry[]): Promise<void> {
  const definitions = new Map<string, CompiledWorkflow>(state.definitions);
  for (const entry of entries) {
    if (entry.type === "moved") definitions.set(entry.definition, await services.definition(String(entry.definition)));
  }
  state.definitions = definitions;
}
