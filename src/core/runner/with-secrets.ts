import { type Session, holdsSecrets } from "../journal/journal.ts";
import type { PlatformSignal } from "../ports/host.ts";
import type { RunnerServices, StartRequest } from "./services.ts";
import type { CompiledWorkflow } from "../definition/definition.ts";
import type { Values } from "../model/value.ts";

interface Reading<T> {
  /** Reads values of the run. Markers whose values are not in this process join `missing`. */
  readonly read: (missing: Set<string>) => T;
  readonly signal: PlatformSignal;
}

/** What is read of a run with its secrets: where some are not in this process, they are got, and it is read again. Rejects with `SECRET_MISSING`. */
export async function withSecrets<T>(services: RunnerServices, session: Session, { read, signal }: Reading<T>): Promise<T> {
  const missing = new Set<string>();
  const found = read(missing);
  if (missing.size === 0) return found;
  await (await services.loadGuard()).regain(session, missing, signal);
  return read(missing);
}

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
