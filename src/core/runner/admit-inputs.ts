import type { CompiledWorkflow } from "../definition/definition.ts";
import { holdsSecrets } from "../journal/journal.ts";
import type { Values } from "../model/value.ts";
import type { RunnerServices, StartRequest } from "./services.ts";

/** The inputs of a run, checked, as they may be recorded. Throws `INPUT_INVALID` and what secrets throw. */
export async function admitInputs(
  services: RunnerServices,
  id: string,
  compiled: CompiledWorkflow,
  request: Pick<StartRequest, "inputs" | "child">,
): Promise<Values> {
  if (services.guard) return services.guard.admit(id, compiled, request);
  const inputs = compiled.inputs(request.inputs);
  return holdsSecrets(inputs, services.values.isSecretKey) ? (await services.loadGuard()).admit(id, compiled, request) : inputs;
}
