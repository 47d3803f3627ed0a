import { isRecord, type Values } from "../model/value.ts";
import { MAX_SECRET_LENGTH, MIN_SECRET_LENGTH } from "../model/limits.ts";
import type { RunParent } from "../model/run.ts";
import type { SecretsProvider } from "../ports/grants.ts";
import type { PlatformSignal } from "../ports/host.ts";
import type { RunEvent } from "../ports/observer.ts";
import { assertSecretPlaces, type CompiledWorkflow } from "../definition/definition.ts";
import { type Hidden, type HideOptions, isMarker, type Maskable, type Session } from "../journal/journal.ts";
import { regainSecret } from "./regain-secret.ts";
import { isSealable, readSecrets, saveSecret, type SealedSecret } from "./sealed-secrets.ts";
import { callerIn, readUnitName } from "../machine/machine.ts";
import type { Services } from "../run/run.ts";
import type { SecretKeeper, StartRequest } from "../runner/runner.ts";
import { askForSecrets, assertSecret } from "./ask-for-secrets.ts";
import { RunSecrets, SharedWork } from "./run-secrets.ts";
import { secretNeeds } from "./secret-needs.ts";

/**
 * Keeps the secrets of an executor's runs: gets them before anything of a run executes, in memory only, and masks what leaves. Made for the
 * first workflow that may hold secrets; executors without such workflows have none.
 */
export class SecretGuard implements SecretKeeper {
  readonly #services: Services;
  readonly #provider: SecretsProvider | undefined;
  /** Those of the runs that may go on. */
  readonly #needed = new Set<RunSecrets>();
  /** Those of all runs that this process knows something of. */
  readonly #runs = new Map<string, WeakRef<RunSecrets>>();
  readonly #gone = new FinalizationRegistry<string>((run) => {
    if (!this.#find(run)) this.#runs.delete(run);
  });
  readonly #securing = new SharedWork<Session>();

  constructor(services: Services, provider: SecretsProvider | undefined) {
    this.#services = services;
    this.#provider = provider;
    const { onEvent } = services;
    if (onEvent) services.onEvent = (event) => this.#tell(event, onEvent);
  }

  /**
   * Checks the inputs of a run that is about to start, keeps its secrets, and gives what of the inputs may be recorded. Throws what checking
   * the inputs throws, `SECRET_MISSING` and `SECRET_TOO_SHORT`; then nothing is kept.
   */
  async admit(id: string, compiled: CompiledWorkflow, { inputs, child }: Pick<StartRequest, "inputs" | "child">): Promise<Values> {
    const { workflow } = compiled;
    const needs = secretNeeds(workflow);
    const secrets = this.#make();
    secrets.add("named", await askForSecrets(this.#provider, needs.named, `Workflow "${workflow.name}"`));
    for (const name of needs.inputs) if (isLong(inputs?.[name])) secrets.hide(String(inputs![name]));
    secrets.hideKeys(inputs);
    let checked: Values;
    try {
      checked = compiled.inputs(inputs);
    } catch (error) {
      throw secrets.maskError(error);
    }
    const given = new Map<string, string>();
    for (const name of needs.inputs) if (checked[name] !== null) given.set(name, assertSecret(checked[name], name));
    secrets.add("inputs", given);
    const open = secrets.hideKeys(Object.fromEntries(Object.entries(checked).filter(([name]) => !given.has(name))));
    if (!secrets.isEmpty) this.#hold(id, secrets);
    // A called workflow gets what is secret in its caller only where it says that it keeps it so.
    return secrets.maskValue(child ? this.mask(child.parent.run, open) : open);
  }

  /**
   * Gets the secrets of a run before anything of it executes or is recorded here: those in memory, else from the provider. Asks again for a
   * run that failed, for the secret that was the reason may have been replaced. Throws `SECRET_MISSING` and `SECRET_TOO_SHORT`; the run is
   * left as it is.
   */
  secure(session: Session): Promise<void> {
    return this.#securing.do(session, () => this.#secure(session));
  }

  async #secure(session: Session): Promise<void> {
    const { state, origin } = session;
    const { workflow } = session.compiled;
    const needs = secretNeeds(workflow);
    if (needs.named.length === 0 && needs.inputs.length === 0) return;
    const before = this.#find(state.id);
    const lacking = needs.inputs.filter((name) => !before?.inputs.has(name) && !Object.hasOwn(state.started.inputs, name));
    // A run that moved to another definition may need others.
    const hasAll = before && lacking.length === 0 && needs.named.every((name) => before.named.has(name));
    if (hasAll && state.finished?.status !== "failed") return this.#protect(session, before);
    assertSecretPlaces(workflow, this.#services.types);
    const inherited = origin.fork && this.#find(origin.fork.run)?.inputs;
    const inputs = await this.#readFromCaller(origin.parent, lacking);
    for (const name of lacking) if (inherited?.has(name)) inputs.set(name, inherited.get(name)!);
    const missing = lacking.filter((name) => !inputs.has(name));
    const names = [...new Set([...needs.named, ...missing])];
    const asked = await askForSecrets(this.#provider, names, `Run ${state.id} of workflow "${workflow.name}"`);
    for (const name of missing) inputs.set(name, asked.get(name)!);
    const secrets = this.#secretsOf(session);
    secrets.add("named", new Map(needs.named.map((name) => [name, asked.get(name)!])));
    secrets.add("inputs", inputs);
  }

  /** The secret inputs of a called run, from what its caller passes on: that can be read again, with the caller's own secrets. */
  async #readFromCaller(parent: RunParent | undefined, names: readonly string[]): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    const caller = parent && names.length > 0 ? await this.#services.find(parent.run) : undefined;
    if (!caller || !parent) return found;
    try {
      await this.secure(caller.session);
      const { compiled } = caller.session;
      const { block, item } = readUnitName(callerIn(parent.block));
      const unit = { block: compiled.plan.index.get(block) ?? -1, item };
      const inputs = compiled.block(unit.block).inputs(caller.session.openScope(unit, new Set()));
      const passed = isRecord(inputs) && isRecord(inputs["inputs"]) ? inputs["inputs"] : {};
      for (const name of names) if (isLong(passed[name]) && !isMarker(passed[name])) found.set(name, String(passed[name]));
    } catch {
      // What the caller cannot give is asked for.
    }
    return found;
  }

  async hideKeys<T>(session: Maskable, value: T, options?: HideOptions): Promise<Hidden<T>> {
    const secrets = this.#secretsOf(session);
    const hidden = secrets.hideKeys(value, options);
    await this.save(session);
    return { value: hidden };
  }

  /** Keeps what stands under secret keys of a run beside its journal, where the store seals what it is given. */
  save({ folded }: Maskable): Promise<void> {
    return this.#save(folded.state.id);
  }

  async #save(run: string): Promise<void> {
    for (const [marker, value] of this.#find(run)?.takeUnsaved() ?? []) await saveSecret(this.#services.store, run, marker, value);
  }

  /**
   * Gets what markers stand for where this process does not have it: from what else it holds, from what was sealed, from the provider, or from the
   * block that gave it. Throws `SECRET_MISSING`; the run is left as it is.
   */
  async regain(session: Session, markers: Iterable<string>, signal: PlatformSignal): Promise<void> {
    const secrets = this.#secretsOf(session);
    for (const marker of markers) {
      if (secrets.kept.has(marker)) continue;
      const known = this.#recall(marker);
      if (known === undefined) {
        await regainSecret({ services: this.#services, provider: this.#provider, session, secrets, signal }, marker);
      } else secrets.keep(marker, known);
    }
  }

  /** What a marker of any run stands for: forks and called runs share those of others. */
  #recall(marker: string): unknown {
    for (const secrets of this.#runs.values()) {
      const kept = secrets.deref()?.kept;
      if (kept?.has(marker)) return kept.get(marker);
    }
    return undefined;
  }

  /** The secrets of a run, from now on protected. */
  #secretsOf(session: Maskable): RunSecrets {
    const { id } = session.folded.state;
    const secrets = this.#find(id) ?? this.#hold(id, this.#make());
    this.#protect(session, secrets);
    return secrets;
  }

  #hold(run: string, secrets: RunSecrets): RunSecrets {
    this.#needed.add(secrets);
    this.#runs.set(run, new WeakRef(secrets));
    this.#gone.register(secrets, run);
    return secrets;
  }

  #make(): RunSecrets {
    const { host, values } = this.#services;
    return new RunSecrets(values.isSecretKey, () => host.newId());
  }

  /** Lets a run that is read again see the secrets it has here. */
  attach(session: Maskable): void {
    const secrets = this.#find(session.folded.state.id);
    if (secrets) this.#protect(session, secrets);
  }

  /** From now on the blocks of the run see its secrets, and nothing recorded holds them. */
  #protect(session: Maskable, secrets: RunSecrets): void {
    if (session.mask) return;
    session.kept = secrets.kept;
    session.folded.scope = secrets.scope(session.folded.scope);
    session.maskCause = (thrown) => secrets.maskCause(thrown);
    session.mask = (entry, decoded) => {
      // At its end a run needs its secrets only as long as it is held: blocks that were stopped may still write.
      if (entry.type === "finished" && entry.status !== "failed") this.#needed.delete(secrets);
      return secrets.maskEntry(entry, decoded);
    };
  }

  #find(run: string): RunSecrets | undefined {
    return this.#runs.get(run)?.deref();
  }

  /** The value as it may be recorded in a run. */
  mask<T>(run: string, value: T): T {
    return this.#find(run)?.maskValue(value) ?? value;
  }

  #tell(event: RunEvent, listen: (event: RunEvent) => void): void {
    const secrets = "run" in event ? this.#find(event.run) : undefined;
    if (secrets) secrets.tell(event, listen);
    else listen(event);
  }

  /**
   * What can be told of the secrets of a run, for a sealed file: inputs by their names, what stands under secret keys by its markers. Throws what
   * {@link secure} throws.
   */
  async secretsOf(session: Session): Promise<ReadonlyMap<string, SealedSecret>> {
    await this.secure(session);
    const { state, origin } = session;
    const found = new Map<string, SealedSecret>();
    // A fork shares the past of another run, with its markers.
    for (const run of origin.fork ? [origin.fork.run, state.id] : [state.id]) {
      const kept = [...(await readSecrets(this.#services.store, run)), ...(this.#find(run)?.kept.entries() ?? [])];
      for (const [marker, value] of kept) if (isSealable(value) && String(value).length <= MAX_SECRET_LENGTH) found.set(marker, value);
    }
    for (const [name, value] of this.#find(state.id)?.inputs ?? []) found.set(name, value);
    return found;
  }

  /** Takes in the secrets that a run brought along, as {@link secretsOf} told them. */
  async bring(run: string, brought: ReadonlyMap<string, SealedSecret>): Promise<void> {
    if (brought.size === 0) return;
    const secrets = this.#find(run) ?? this.#hold(run, this.#make());
    const inputs = new Map<string, string>();
    for (const [name, value] of brought) {
      if (isMarker(name)) secrets.keep(name, value);
      else inputs.set(name, String(value));
    }
    secrets.add("inputs", inputs);
    await this.#save(run);
  }

  /** Forgets the secrets of a run that was deleted. */
  forget(run: string): void {
    const secrets = this.#find(run);
    if (secrets) this.#needed.delete(secrets);
    this.#runs.delete(run);
  }
}

function isLong(value: unknown): boolean {
  return typeof value === "string" && value.length >= MIN_SECRET_LENGTH;
}
