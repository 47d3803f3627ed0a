import { CHECKPOINT_KINDS, type CheckpointRow } from "../model/checkpoint.ts";
import { encodePlain, type Encoded } from "../model/encoding.ts";
import { type CausedError, WorkflowError } from "../model/errors.ts";
import { draftKey } from "../model/ids.ts";
import type { Entry, ForgottenEntry } from "../model/journal.ts";
import { MAX_SUPERSTEPS } from "../model/limits.ts";
import type { RunHead } from "../model/run.ts";
import type { LimitEvent } from "../ports/observer.ts";
import type { StoredFile } from "../model/run-file.ts";
import type { IsSecretKey } from "../model/secret-keys.ts";
import { JournalWriter } from "./journal-writer.ts";
import type { Pending } from "./pending.ts";
import { describeRun, type RunOrigin } from "./run-head.ts";
import type { Hidden, HideOptions, JournalParts, Maskable, MaskedEntry } from "./journal-parts.ts";
import { type Policy, policyOf } from "./policy.ts";
import { KeptSecrets, MASK } from "./kept-secrets.ts";
import { holdsSecrets, mapSecrets } from "./map-secrets.ts";
import type { Base } from "../ports/store.ts";
import { type Applied, channelScope, type FoldedRun, holdsValues, type RunState, type Unit, unitScope } from "../machine/machine.ts";
import type { GivenFile } from "./values/file-contents.ts";
import { withForms } from "./values/encoded-forms.ts";
import type { CompiledWorkflow } from "../definition/definition.ts";
import type { Scope } from "../expression/scope.ts";
import { encodeValue, keepFile, openFiles, readFile } from "./values/rich-values.ts";

/** From how many the first epoch of a run is taken, by the milliseconds of its creation. Some stores keep 31 bits. */
const FIRST_EPOCHS = 1_000_000_000;

/** What goes along with an entry that is recorded. */
interface Beside {
  /** The entry as JSON, where that is known. */
  readonly text?: string;
  /** What was thrown, where the entry is of a failure. */
  readonly cause?: unknown;
}

export interface SessionOptions {
  readonly origin?: RunOrigin;
  /** Takes the hashes of blobs to which values of the run refer; some may be in it already. */
  readonly blobs?: Set<string>;
}

/**
 * A run's state in memory together with its journal in the store: everything that happens goes through {@link record}, which folds it and
 * queues it for writing.
 */
export class Session implements Maskable {
  readonly folded: FoldedRun;
  /** How the run is kept: as it was begun with, and for the rest as its executor says. */
  readonly policy: Policy;
  readonly origin: RunOrigin;
  readonly #services: JournalParts;
  readonly #writer: JournalWriter;
  readonly #blobs: Set<string>;
  /** Rises when this executor takes the run to execute it. */
  #epoch: number;
  #isReordered = false;
  /** The wave in which the run was found in the store: its units without a record may have been executed by the process that left it. */
  readonly foundWave: number | undefined;
  /** When the run was found as a process left it while executing it, in milliseconds after the start; nothing for other runs. */
  foundAt: number | undefined;
  /** Masks what is secret in an entry and in its decoded form, where the run has secrets; nothing where none is in them. */
  mask: ((entry: Entry, decoded: Entry) => MaskedEntry | undefined) | undefined;
  /**
   * What stands for the markers in the values of the run. Nothing as long as there can be none: in a run that began here and has given nothing under
   * a secret key.
   */
  kept: KeptSecrets | undefined;
  /** The state at the last checkpoint before the run ended, where its policy keeps the newest state alone. */
  lastCheckpoint: Base | undefined;
  /** Masks what is secret in what a block threw, where the run has secrets. */
  maskCause: ((thrown: unknown) => unknown) | undefined;
  /** What failing blocks threw in this process, the newest of each, by block. */
  readonly #causes = new Map<string, unknown>();
  /** Why the run must not continue here, if so: it was handed over, or its definition is not accepted. */
  unavailable: WorkflowError | undefined;
  /** Called with what was recorded, or with nothing where others wrote. */
  onChange: (entry: Entry | undefined) => void = () => {};
  /** Called where an answer, or what the run was given, was changed, or the run was stopped for now: what executes may be for nothing. */
  onTurned: () => void = () => {};

  constructor(
    services: JournalParts,
    folded: FoldedRun,
    head: RunHead | undefined,
    { origin = {}, blobs = new Set(origin.blobs) }: SessionOptions = {},
  ) {
    this.#services = services;
    this.#blobs = blobs;
    this.folded = folded;
    this.policy = policyOf(services.policy, folded.state.started.policy);
    this.origin = origin;
    folded.setCreation(this.createdAt);
    // A run that was deleted and began anew under its id is another one: a writer that slept meanwhile must not continue it.
    this.#epoch = head?.epoch ?? 1 + (this.createdAt % FIRST_EPOCHS);
    this.foundWave = head && folded.state.wave;
    // In a fork without a write since it was made, nothing was executed.
    this.foundAt = head?.status === "running" && !(head.fork && head.revision === 1) ? this.now() : undefined;
    this.#writer = new JournalWriter(services, folded, {
      head,
      waitsForCaller: this.policy.durability === "exit",
      describe: (known, added) => this.describe(known, added),
      merged: () => this.#merged(),
    });
    this.kept = head || origin.fork ? new KeptSecrets(services.values.isSecretKey) : undefined;
    services.guard?.attach(this);
  }

  get state(): RunState {
    return this.folded.state;
  }

  /** The definition that the run has now. */
  get compiled(): CompiledWorkflow {
    return this.folded.compiled;
  }

  /** What the expressions of the run see. */
  get scope(): Scope {
    return this.folded.scope;
  }

  /** What the inputs of a unit see: what stands under secret keys as it is. Markers whose values are not here join `missing`. */
  openScope(unit: Unit, missing: Set<string>): Scope {
    const { kept, folded } = this;
    if (!kept) return unitScope(this, unit);
    const before = missing.size;
    const scope = unitScope(this, unit, { base: kept.scope(channelScope(this, unit, folded.scope), missing), known: kept.items });
    // Items that are not complete yet are made again.
    if (unit.item !== undefined && missing.size > before) kept.items.delete(folded.state.items.get(unit.block)!);
    return scope;
  }

  /** The newest stored head. */
  get head(): RunHead | undefined {
    return this.#writer.head;
  }

  get backlog(): number {
    return this.#writer.backlog;
  }

  /** Whether everything recorded is stored. */
  get isStored(): boolean {
    return this.#writer.isIdle && !this.broken;
  }

  /** Whether a write failed: the state in memory may be ahead of the store and must be read again. */
  get broken(): boolean {
    return this.#writer.failed;
  }

  /**
   * Whether memory has the same journal as the store, entry by entry: no write failed, and nothing was folded in another order. Only then are
   * the places of its checkpoints those of the store.
   */
  get isFaithful(): boolean {
    return !this.broken && !this.#isReordered;
  }

  /** Whether another definition of its workflow is loaded than the one the run goes on with. */
  get isOutdated(): boolean {
    const { started, definition } = this.state;
    return this.#services.isOutdated(started.workflow, definition);
  }

  /** When the run came to be; for a fork later than the start of the past it shares. */
  get createdAt(): number {
    return this.origin.createdAt ?? this.state.started.at;
  }

  /** Takes the run for this executor; written with the next commit. */
  raiseEpoch(): void {
    this.#epoch = (this.#writer.head?.epoch ?? 0) + 1;
  }

  /** Characters that the values of the run may take in all. */
  get sizeLimit(): number {
    return this.policy.maxCheckpointBytes;
  }

  /**
   * A value for the journal of this run, and as the run keeps it: with markers for what stands under secret keys. Throws `VALUE_UNSERIALIZABLE` and
   * `LIMIT_EXCEEDED`.
   */
  encode(value: unknown, what: string, options?: HideOptions): Encoded | Promise<Encoded> {
    return encodePlain(value, this.#services.values.isSecretKey) ?? this.#encodeHidden(value, what, options);
  }

  /** The value with markers for what stands under secret keys. */
  async hideKeys<T>(value: T, options?: HideOptions): Promise<Hidden<T>> {
    if (!holdsSecrets(value, this.#services.values.isSecretKey)) return { value };
    return (await this.#services.loadGuard()).hideKeys(this, value, options);
  }

  /** An entry as JSON, with answers given as a run keeps them. */
  textOf(entry: Entry): string {
    return JSON.stringify(withForms(entry, this.#blobs));
  }

  async #encodeHidden(value: unknown, what: string, options?: HideOptions): Promise<Encoded> {
    const { value: hidden } = await this.hideKeys(value, options);
    return encodeValue(hidden, { what, services: this.#services, run: this.state.id, blobs: this.#blobs });
  }

  /** Milliseconds since the start of the run. */
  now(): number {
    return this.#services.host.now() - this.state.started.at;
  }

  /** Keeps the bytes of a file that a step will have written once it is recorded. Rejects with what the store throws. */
  keepFile(file: GivenFile): Promise<StoredFile> {
    return keepFile(file, { services: this.#services, run: this.state.id });
  }

  /** Stores the bytes of a file again: a cleanup lets go what was stored long ago and no run names yet. Rejects as {@link readFile} does. */
  async keepAgain(file: StoredFile): Promise<void> {
    await this.#services.store.putBlob(file.hash, await this.readFile(file));
  }

  /** The bytes of a file of the run. Rejects with `RUN_CORRUPT` for what is missing or damaged. */
  readFile(file: StoredFile): Promise<Uint8Array<ArrayBuffer>> {
    return readFile(file, this.#services);
  }

  /** A value that was made from references, with the bytes of the files to which they lead; a promise only where the run has files. */
  openFiles<T>(value: T): T | Promise<T> {
    return this.state.hasFiles ? openFiles(value, this.#services) : value;
  }

  /**
   * Folds an entry and queues it for the store. `seen` is the same entry with values as blocks see them, where they differ. Answers may be given
   * as a run keeps them. Secrets are masked in all of it.
   */
  record(given: Entry, seen: Entry = given, { text: written, cause: thrown }: Beside = {}): void {
    if (this.unavailable && !HAND_OVERS.has(given.type)) throw this.unavailable;
    const open = hideDetails(given, this.#services.values.isSecretKey);
    const openSeen = open === given ? seen : seen === given ? open : ({ ...seen, ...("error" in open && { error: open.error }) } as Entry);
    const formed = withForms(open, this.#blobs);
    const known = formed === given ? written : undefined;
    const masked = this.mask?.(formed, openSeen);
    const entry = masked?.entry ?? formed;
    const decoded = masked?.decoded ?? openSeen;
    const text = masked?.text ?? known ?? JSON.stringify(formed);
    const { folded } = this;
    const { supersteps } = this.state;
    if ((entry.type === "completed" || entry.type === "iterated") && entry.files) {
      for (const { hash, bytes } of entry.files) if (bytes === undefined) this.#blobs.add(hash);
    }
    const { checkpoints, dropped } = this.#fold(decoded);
    if (holdsValues(entry)) folded.size += text.length;
    folded.tail += text.length;
    this.#writer.append({
      text,
      entry: decoded,
      checkpoints: checkpoints ?? NO_ROWS,
      forgotten: entry.type === "forgotten" ? forgottenRows(entry) : NO_ROWS,
      dropNotes: dropped?.map(draftKey),
    });
    this.onChange(entry);
    if (entry.type === "revised" || entry.type === "reentered" || entry.type === "suspended") this.onTurned();
    const cause = thrown === undefined || !this.maskCause ? thrown : this.maskCause(thrown);
    if (cause !== undefined && "block" in entry) this.#causes.set(entry.block, cause);
    this.#services.onEvent?.({
      type: "recorded",
      run: this.state.id,
      workflow: this.state.started.workflow,
      entry: decoded,
      ...(cause === undefined ? {} : { cause }),
    });
    const { supersteps: used } = this.state;
    if (used > supersteps) this.warn(supersteps, { limit: "supersteps", used, allowed: MAX_SUPERSTEPS });
  }

  /**
   * Throws `CHECKPOINT_TOO_LARGE` where the values of the run would take more than its policy lets them with so many characters more. Says once to those who
   * listen that they take four fifths of that.
   */
  assertRoom(length: number): void {
    const { folded, sizeLimit } = this;
    const size = folded.size + length;
    if (size <= sizeLimit) return this.warn(folded.size, { limit: "maxCheckpointBytes", used: size, allowed: sizeLimit });
    throw new WorkflowError(
      "CHECKPOINT_TOO_LARGE",
      `The values of this run would take ${size} characters in all; ${sizeLimit} are allowed. Keep large data elsewhere and pass its address, or raise maxCheckpointBytes.`,
      { details: { size, limit: sizeLimit } },
    );
  }

  /** Says to those who listen that the run has come to four fifths of a limit, where it had not before. */
  warn(before: number, about: Omit<LimitEvent, "type" | "run">): void {
    const near = about.allowed * NEAR_LIMIT;
    if (before < near && about.used >= near) this.#services.onEvent?.({ type: "limit", run: this.state.id, ...about });
  }

  /** An entry that cannot follow may have changed a part of the state by then: nothing is written of that, and the run has to be read again. */
  #fold(entry: Entry): Applied {
    try {
      return this.folded.apply(entry);
    } catch (error) {
      this.#writer.fail(error);
      throw error;
    }
  }

  /** Why the run failed, with what its block threw, where that was in this process. */
  get failure(): CausedError | undefined {
    const error = this.state.finished?.error;
    const block = error?.details?.["block"];
    const cause = typeof block === "string" ? this.#causes.get(block) : undefined;
    // Not a member that is copied, listed or written as JSON: users of the page and stores get none of it.
    return error && cause !== undefined ? Object.defineProperty({ ...error }, "cause", { value: cause }) : error;
  }

  /** Stores the given first entries of a run, with the checkpoints among them. */
  async create(texts: readonly string[], checkpoints: readonly CheckpointRow[] = NO_ROWS): Promise<void> {
    texts.forEach((text, i) => {
      this.#writer.append({ text, checkpoints: i === texts.length - 1 ? checkpoints : NO_ROWS, forgotten: NO_ROWS });
    });
    // A run that is written at its end is not written at its start, unless others are to execute it.
    if (this.policy.durability !== "exit" || this.head || this.#services.store.orders) await this.#writer.flushed();
  }

  flushed(): Promise<void> {
    return this.#writer.flushed();
  }

  /** Makes the next commit otherwise than by writing what waits; see {@link JournalWriter}. */
  commitWith(commit: Parameters<JournalWriter["commitWith"]>[0]): Promise<void> {
    return this.#writer.commitWith(commit);
  }

  /** The head after `added` more entries than `known` has. */
  describe(known: RunHead | undefined, added: number): RunHead {
    const { folded, origin, createdAt } = this;
    return describeRun(folded, known, added, {
      origin,
      createdAt,
      epoch: this.#epoch,
      blobs: this.#blobs,
      isBlocked: this.unavailable !== undefined,
    });
  }

  /** Another process wrote first, and what it wrote was taken in. */
  #merged(): void {
    this.#isReordered = true;
    this.onChange(undefined);
    this.onTurned();
  }
}

/** An entry with nothing under secret keys in the details of its error. */
function hideDetails(entry: Entry, isSecretKey: IsSecretKey): Entry {
  const error = "error" in entry ? entry.error : undefined;
  if (!error?.details) return entry;
  const details = mapSecrets(error.details, isSecretKey, () => MASK);
  return details === error.details ? entry : ({ ...entry, error: { ...error, details } } as Entry);
}

/** The part of a limit from which on those who listen are warned. */
const NEAR_LIMIT = 0.8;
const NO_ROWS: readonly CheckpointRow[] = [];
/** What may be recorded of a run that does not go on here. */
const HAND_OVERS: ReadonlySet<Entry["type"]> = new Set<Entry["type"]>(["transferred", "arrived"]);

function forgottenRows(entry: ForgottenEntry): Pending["forgotten"] {
  return CHECKPOINT_KINDS.flatMap((kind) => (entry[kind] === undefined ? [] : [{ kind, number: entry[kind] }]));
}
