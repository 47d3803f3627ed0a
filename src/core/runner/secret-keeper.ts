import type { CompiledWorkflow } from "../definition/definition.ts";
import type { EntryGuard, Maskable, Session } from "../journal/journal.ts";
import type { Values } from "../model/value.ts";
import type { PlatformSignal } from "../ports/host.ts";
import type { StartRequest } from "./start-request.ts";

/** What keeps the secrets of runs: it gets them before anything of a run executes, and masks what leaves. */
export interface SecretKeeper extends EntryGuard {
  /** Checks the inputs of a run that is about to start, keeps its secrets, and gives what of the inputs may be recorded. */
  admit(run: string, compiled: CompiledWorkflow, request: Pick<StartRequest, "inputs" | "child">): Promise<Values>;
  /** Gets the secrets of a run before anything of it executes or is recorded here. Throws `SECRET_MISSING` and `SECRET_TOO_SHORT`. */
  secure(session: Session): Promise<void>;
  /** Keeps what stands under secret keys of a run beside its journal, where the store seals what it is given. */
  save(session: Maskable): Promise<void>;
  /** Gets what markers stand for where this process does not have it. Throws `SECRET_MISSING`; the run is left as it is. */
  regain(session: Session, markers: Iterable<string>, signal: PlatformSignal): Promise<void>;
  /** The secrets of a run, for a sealed file: inputs by name, the others by marker. Throws what {@link secure} throws. */
  secretsOf(session: Session): Promise<ReadonlyMap<string, string | number>>;
  /** Takes in the secrets that a run brought along, as {@link secretsOf} told them. */
  bring(run: string, secrets: ReadonlyMap<string, string | number>): Promise<void>;
  /** Forgets the secrets of a run that was deleted. */
  forget(run: string): void;
}
