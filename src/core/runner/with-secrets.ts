import type { Session } from "../journal/journal.ts";
import type { PlatformSignal } from "../ports/host.ts";
import type { RunnerServices } from "./services.ts";

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
