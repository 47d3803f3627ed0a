import type { CheckpointRow } from "../model/checkpoint.ts";
import { encodePlain, type Encoded } from "../model/encoding.ts";
import type { WorkflowError } from "../model/errors.ts";
import { draftKey, pauseId } from "../model/ids.ts";
import type { Entry } from "../model/journal.ts";
import type { RunHead } from "../model/run.ts";
import { JournalWriter, type Pending } from "./journal-writer.ts";
import type { MaskedEntry } from "./secrets/mask-entry.ts";
import type { Services } from "./services.ts";
import { openPauses, statusOf, type RunState } from "./state.ts";
import { storeCommit } from "./store-commit.ts";
import { withForms } from "./values/entry-forms.ts";
import { holdsValues, transition } from "./transition.ts";
import { pausePath } from "./unit.ts";

/** Characters of a prompt that a list of runs shows. */
const PROMPT_SUMMARY_LENGTH = 200;

/** Characters of a tail that is read as fast as it could be spared. */
const LONG_TAIL = 262_144;
/** Entries of one. */
const LONG_WAIT = 1_000;

/** Where a run came from, beside its own start. */
export type RunOrigin = Partial<Pick<RunHead, "parent" | "fork" | "createdAt" | "imported" | "blobs">>;

export interface SessionOptions {
  readonly origin?: RunOrigin;
  /** Takes the hashes of blobs to which values of the run refer; some may be in it already. */
  readonly blobs?: Set<string>;
}

/**
 * A run's state in memory together with its journal in the store: everything that happens goes through {@link record}, which folds it and
 * queues it for writing.
 */
export class Session {
  readonly state: RunState;
  readonly origin: RunOrigin;
  readonly #services: Services;
  readonly #writer: JournalWriter;
  readonly #blobs: Set<string>;
  /** Rises when this executor takes the run to execute it. */
  #epoch: number;
  #isReordered = false;
  /** The wave in which the run was found in the store: what of it has no record may have been executed by whoever left it there. */
  readonly foundWave: number | undefined;
  /** When the run was found as somebody had left it who was executing it, in milliseconds after the start; nothing where it was not. */
  foundAt: number | undefined;
  /** Masks what is secret in an entry and in its twin, where the run has secrets; nothing where none is in them. */
  mask: ((entry: Entry, twin: Entry) => MaskedEntry | undefined) | undefined;
  /** Why the run does not go on here, where it does not: it was handed over, or nobody accepted its definition. */
  barred: WorkflowError | undefined;
  /** Told of what was recorded, or nothing where others wrote. */
  onChange: (entry: Entry | undefined) => void = () => {};

  constructor(
    services: Services,
    state: RunState,
    head: RunHead | undefined,
    { origin = {}, blobs = new Set(origin.blobs) }: SessionOptions = {},
  ) {
    this.#services = services;
    this.#blobs = blobs;
    this.state = state;
    this.origin = origin;
    // Whoever recorded what came before took the drafts with it.
    state.gone = [];
    state.madeAt = this.createdAt - state.started.at;
    this.#epoch = head?.epoch ?? 1;
    this.foundWave = head && state.wave;
    // Of a fork that nobody has written to since it was made, nothing was executed.
    this.foundAt = head?.status === "running" && !(head.fork && head.revision === 1) ? this.now() : undefined;
    this.#writer = new JournalWriter({
      store: (commit) => storeCommit(services, commit),
      run: state.id,
      head,
      holds: services.policy.durability === "exit",
      describe: (known, added) => this.describe(known, added),
      rebase: (known, takePending) => this.#rebase(known, takePending),
    });
    services.guard?.attach(this);
  }

  /** The newest stored head. */
  get head(): RunHead | undefined {
    return this.#writer.head;
  }

  get backlog(): number {
    return this.#writer.backlog;
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

  /** Whether lists show another status than the run has: it looked at what it had called, and nothing had changed. */
  get isMistold(): boolean {
    return this.head !== undefined && this.head.status !== statusOf(this.state);
  }

  /** Takes the run for this executor; written with the next commit. */
  raiseEpoch(): void {
    this.#epoch = (this.#writer.head?.epoch ?? 0) + 1;
  }

  /** Characters that the values of the run may take in all. */
  get sizeLimit(): number {
    return this.#services.policy.maxCheckpointBytes;
  }

  /** Whether so much lies behind the newest base or snapshot that another one is worth its bytes. */
  get isLong(): boolean {
    const { tail, size } = this.state;
    return tail > LONG_TAIL && tail > 4 * size;
  }

  /** Whether the run waits for somebody, with so much behind the newest snapshot that whoever goes on would have to wait too. */
  get waitsLong(): boolean {
    return this.state.open.size > 0 && this.state.entries - this.state.spared >= LONG_WAIT;
  }

  /** A value for the journal of this run, and as the run keeps it. Throws `VALUE_UNSERIALIZABLE` and `LIMIT_EXCEEDED`. */
  encode(value: unknown, what: string): Encoded | Promise<Encoded> {
    return encodePlain(value) ?? this.#encodeRich(value, what);
  }

  /** An entry as JSON, with answers given as a run keeps them. */
  textOf(entry: Entry): string {
    return JSON.stringify(withForms(entry, this.#blobs));
  }

  async #encodeRich(value: unknown, what: string): Promise<Encoded> {
    const { encodeRich } = await import("./values/encode-rich.ts");
    return encodeRich(value, { what, services: this.#services, run: this.state.id, blobs: this.#blobs });
  }

  /** Milliseconds since the start of the run. */
  now(): number {
    return this.#services.host.now() - this.state.started.at;
  }

  /**
   * Folds an entry and queues it for the store. `twin` is the same entry with values as blocks see them, where they differ; `written` the
   * entry as JSON. Answers may be given as a run keeps them. Secrets are masked in all of it.
   */
  record(given: Entry, twin: Entry = given, written?: string): void {
    if (this.barred && !HAND_OVERS.has(given.type)) throw this.barred;
    const formed = withForms(given, this.#blobs);
    const known = formed === given ? written : undefined;
    const { entry, decoded, text } = this.mask?.(formed, twin) ?? { entry: formed, decoded: twin, text: known ?? JSON.stringify(formed) };
    transition(this.state, decoded);
    if (holdsValues(entry)) this.state.size += text.length;
    this.state.tail += text.length;
    this.#writer.append({
      text,
      checkpoints: this.#takeCheckpoints(),
      forgotten: entry.type === "forgotten" ? forgottenRows(entry) : NO_ROWS,
      ...this.#takeDrafts(),
    });
    this.onChange(entry);
    this.#services.onEvent?.({ type: "recorded", run: this.state.id, workflow: this.state.started.workflow, entry: decoded });
  }

  /** Stores the given first entries of a run. */
  async create(texts: readonly string[]): Promise<void> {
    const checkpoints = this.#takeCheckpoints();
    texts.forEach((text, i) => {
      this.#writer.append({ text, checkpoints: i === texts.length - 1 ? checkpoints : NO_ROWS, forgotten: NO_ROWS });
    });
    // A run that is written at its end is not written at its start.
    if (this.#services.policy.durability !== "exit" || this.head) await this.#writer.flushed();
  }

  flushed(): Promise<void> {
    return this.#writer.flushed();
  }

  /** Makes the next commit otherwise than by writing what waits; see `JournalWriter.takeTurn`. */
  rebase(commit: Parameters<JournalWriter["takeTurn"]>[0]): Promise<void> {
    return this.#writer.takeTurn(commit);
  }

  #takeCheckpoints(): readonly CheckpointRow[] {
    const { fresh } = this.state;
    if (fresh.length === 0) return NO_ROWS;
    this.state.fresh = [];
    return fresh;
  }

  /** The head after `added` more entries than `known` has. */
  /** The drafts of pauses that take no answer any more. */
  #takeDrafts(): Pick<Pending, "dropNotes"> {
    const { gone } = this.state;
    if (gone.length === 0) return NOTHING;
    this.state.gone = [];
    return { dropNotes: gone.map(draftKey) };
  }

  describe(known: RunHead | undefined, added: number): RunHead {
    const { state, origin } = this;
    const error = state.finished?.error;
    return {
      id: state.id,
      workflow: state.started.workflow,
      definition: state.definition,
      status: statusOf(state),
      createdAt: this.createdAt,
      updatedAt: Math.max(this.createdAt, state.started.at + state.lastAt),
      revision: (known?.revision ?? 0) + 1,
      epoch: this.#epoch,
      entries: (known?.entries ?? 0) + added,
      ...(known?.base ? { base: known.base } : {}),
      pauses: state.open.size === 0 ? NO_PAUSES : pauseSummaries(state),
      ...(origin.parent ? { parent: origin.parent } : {}),
      ...(origin.fork ? { fork: origin.fork } : {}),
      ...(origin.imported && this.barred ? { imported: true } : {}),
      ...(state.ownership > 0 ? { ownership: state.ownership } : {}),
      ...(state.transferredTo === undefined ? {} : { transferredTo: state.transferredTo }),
      ...(error ? { error } : {}),
      ...this.#blobsBeside(known),
    };
  }

  /** What others refer to, and what is referred to here. */
  #blobsBeside(known: RunHead | undefined): Pick<RunHead, "blobs"> {
    const { formerly } = this.state;
    if (this.#blobs.size + formerly.length === 0) return known?.blobs ? { blobs: known.blobs } : NOTHING;
    return { blobs: [...new Set([...(known?.blobs ?? []), ...this.#blobs, ...formerly])] };
  }

  /** Somebody else wrote first. */
  async #rebase(known: RunHead, takePending: () => readonly Pending[]): Promise<{ head: RunHead; pending: readonly Pending[] }> {
    const { mergeOthers } = await import("./merge-others.ts");
    const merged = await mergeOthers(this.#services, this.state, known, takePending);
    this.#takeCheckpoints();
    this.state.gone = [];
    this.#isReordered = true;
    this.onChange(undefined);
    return merged;
  }
}

const NOTHING = {};
const NO_ROWS: readonly CheckpointRow[] = [];
const NO_PAUSES: RunHead["pauses"] = [];
/** What may be recorded of a run that does not go on here. */
const HAND_OVERS: ReadonlySet<Entry["type"]> = new Set<Entry["type"]>(["transferred", "arrived"]);

function pauseSummaries(state: RunState): RunHead["pauses"] {
  return openPauses(state).map((number) => {
    const { entry } = state.pauses[number]!;
    return {
      id: pauseId(state.id, number),
      path: pausePath(entry),
      prompt: entry.prompt.slice(0, PROMPT_SUMMARY_LENGTH),
    };
  });
}

function forgottenRows(entry: { readonly wave?: number; readonly pause?: number }): Pending["forgotten"] {
  if (entry.wave !== undefined) return [{ kind: "wave", number: entry.wave }];
  return entry.pause === undefined ? [] : [{ kind: "pause", number: entry.pause }];
}
