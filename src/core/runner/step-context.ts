import {
  type BlockContext,
  type BlockItem,
  type BlockResult,
  type ChannelAccess,
  type ChildResult,
  type FileAccess,
  type ReceivedEvent,
  type TextPart,
} from "../ports/block.ts";
import type { ScratchFolder } from "../ports/files.ts";
import type { Grants } from "../ports/grants.ts";
import type { AbortControllerLike, PlatformSignal, Host } from "../ports/host.ts";
import { WorkflowError } from "../model/errors.ts";
import type { FilesRead, NamedUnit, StepChanges, Writes } from "../model/journal.ts";
import type { CachedFrom } from "../model/run.ts";
import type { Block } from "../model/workflow.ts";
import type { Scope } from "../expression/scope.ts";
import { isRecord, type Value, type Values } from "../model/value.ts";
import { grantsOf, hasEffect, isOnce } from "./ready-type.ts";
import type { RunDisplay } from "./held-run.ts";
import type { OwnFiles } from "./step-files.ts";
import type { RunnerServices } from "./services.ts";
import {
  channelCode,
  channelOf,
  codeOf,
  FAILED,
  givenOf,
  inputsGiven,
  isSettled,
  itemOf,
  iterationOf,
  keyNumber,
  lookUpChannel,
  recordOf,
  type RunReading,
  type RunState,
  type StepRecord,
  turnOf,
  type Unit,
  type UnitKey,
  unitName,
  unitScope,
  unitState,
  wokenFor,
} from "../machine/machine.ts";
import { chooseWays, type CompiledWorkflow } from "../definition/definition.ts";
import type { Session } from "../journal/journal.ts";

/** What a block asks for when it calls a workflow. */
export interface Call {
  readonly workflow: string;
  readonly inputs: Values;
  /** How long it may work in one go. */
  readonly timeoutMs?: number;
}

/** Where the blocks of a run execute, as long as this executor holds its lock. */
export interface Workplace {
  readonly services: RunnerServices;
  readonly session: Session;
  /** Aborted when the run is stopped here. */
  readonly signal: PlatformSignal;
  /** Whether answers may be revised, so that what blocks are given is noted. */
  isRevisable: boolean;
  /** The calls that were looked at since this executor set to work, each with the answers that it had then. */
  readonly looked: Map<UnitKey, number>;
  /** The executions under way that look at their signal. */
  readonly underWay: Set<StepContext>;
  /** Aborts what executes: the run was stopped for now. */
  stop(reason: WorkflowError): void;
  /** Lets the run go on without waiting for the blocks that still execute. Called when the signal aborts. */
  endWave: () => void;
  readonly display: Pick<RunDisplay, "setRunning" | "setChild">;
  call(step: StepContext, call: Call): Promise<ChildResult>;
  connect(step: StepContext, name: string): Promise<unknown>;
  /** Closes the resources that the run has open, since it ends. */
  closeResources(): Promise<void>;
  memoize(step: StepContext, key: string, make: (idempotencyKey: string) => unknown): Promise<unknown>;
  files(step: StepContext): FileAccess;
  /** Notes blocks that a step adds. Throws `BLOCK_FAILED` for what is none. */
  addBlocks(step: StepContext, blocks: Block | readonly Block[]): void;
  /** Checks the blocks that a step adds. Rejects with the first thing that is wrong with them. */
  admitAdded(step: StepContext): Promise<void>;
}

/** What an execution leaves in its run, before it is encoded. */
export interface MadeChanges extends StepChanges {
  readonly writes?: Writes;
}

/** A unit as entries name it. */
export function nameUnit({ compiled }: Pick<RunReading, "compiled">, { block, item }: Unit): NamedUnit {
  const id = compiled.plan.ids[block]!;
  return item === undefined ? { block: id } : { block: id, item };
}

/** What is executed: a block or an item, and the pause whose answer it goes on with. */
export interface Job extends Unit {
  readonly pause?: number | undefined;
  /** The signal with which it goes on, by its id. */
  readonly signal?: string | undefined;
}

/**
 * What an execution comes to: what the block gave, what it, or that of another run, gave before, or "recorded" where that is in the journal already.
 * Nothing where it has ended otherwise.
 */
export type Outcome = BlockResult | { readonly status: "known"; readonly outputs: unknown } | "recorded" | undefined;

/** One execution of one block, and what the block sees of it. Its members are made when the block asks for them: many ask for none. */
export class StepContext implements BlockContext<unknown> {
  readonly place: Workplace;
  readonly session: Session;
  readonly compiled: CompiledWorkflow;
  readonly state: RunState;
  readonly unit: Unit;
  readonly definition: Block;
  readonly block: string;
  /** Milliseconds after the start of the run. */
  readonly startedAt: number;
  /** The number of the pause that this execution answers, if it does. */
  readonly answers: number | undefined;
  /** The signal with which it goes on, by its id. */
  readonly signalId: string | undefined;
  /** The revision under which it began, by its number. */
  readonly turn: number;
  /** What it is given, inputs and answers, as a fingerprint that is taken before anything can change; nothing where nothing compares it. */
  readonly given: string | undefined;
  /** How many entries the run had that it called, when it looked last. */
  childEntries: number | undefined;
  inputs: unknown;
  /** What it chose to follow; nothing where the definition says. */
  chosen: readonly string[] | undefined;
  /** What it leaves in its run beside its outputs; nothing where it does not. */
  changes: MadeChanges | undefined;
  /** Set once its block asks for what only this run has beside inputs and channels: what it gives is for no other run then. */
  isOfItsRun = false;
  /** Whose outputs it has, where the block was not executed. */
  cached: CachedFrom | undefined;
  /** The key under which what it gave is kept for other runs, once it completed; nothing where it is not. */
  cacheKey: string | undefined;
  /** What is being stored under keys. */
  #memos: Map<string, Promise<unknown>> | undefined;
  #basis: string | undefined;
  /** The files that it wrote, until its end is recorded; nothing where it wrote none. */
  ownFiles: OwnFiles | undefined;
  /** What it found when it read files of the run, where that is new. */
  filesRead: FilesRead | undefined;
  #scratch: Promise<ScratchFolder> | undefined;
  #controller: AbortControllerLike | undefined;
  /** No longer follows the signal of the run. */
  #unfollow: (() => void) | undefined;
  /** Markers of secrets that it was to see and that are not in this process. */
  #missing: Set<string> | undefined;

  constructor(place: Workplace, unit: Job, answers?: number) {
    const { session } = place;
    const { compiled, state } = session;
    this.place = place;
    this.session = session;
    this.compiled = compiled;
    this.state = state;
    this.unit = unit;
    this.definition = compiled.workflow.blocks[unit.block]!;
    this.block = this.definition.id;
    this.startedAt = session.now();
    this.answers = answers;
    this.signalId = unit.signal;
    this.turn = turnOf(state, unit);
    // A fork needs to know with what it happened, also where nothing asks.
    const isNoted = place.isRevisable || isOnce(place.services, session, unit.block);
    this.given = isNoted ? givenOf({ compiled, state }, unit, unit.signal) : undefined;
  }

  /** Whether a revision opened the unit since it began, or took it away: what it comes to is not its outcome any more. */
  get isStale(): boolean {
    return turnOf(this.state, this.unit) !== this.turn || this.#isUnknown;
  }

  /** A block that was stopped may still come to its end; its run no longer listens. */
  get hasEnded(): boolean {
    const isStopped = this.state.finished !== undefined || this.place.signal.aborted;
    return isStopped || codeOf(this.state, this.unit) === FAILED || this.#isUnknown;
  }

  /** Whether the run never had the block: a revision of another process came before what added it here, and that does not count. */
  get #isUnknown(): boolean {
    const { compiled } = this.session;
    return compiled !== this.compiled && !compiled.plan.index.has(this.block);
  }

  get run(): string {
    return this.state.id;
  }

  get idempotencyKey(): string {
    const { iteration } = this;
    const k = keyNumber(this.state, this.unit, this.given);
    const changed = k > 0 ? `~${k}` : "";
    return `${this.run}/${unitName(this.block, this.unit.item)}${changed}${iteration > 1 ? `#${iteration}` : ""}`;
  }

  get host(): Host {
    return this.place.services.host;
  }

  get signal(): PlatformSignal {
    const { signal, isRevisable } = this.place;
    // Many blocks never look at it. Where no answer can be changed, the signal of the run will do.
    return this.#controller?.signal ?? (isRevisable && !signal.aborted ? this.takeController().signal : signal);
  }

  /** What stops this execution alone. Aborted with the run. */
  takeController(): AbortControllerLike {
    if (this.#controller) return this.#controller;
    const { signal, underWay } = this.place;
    const controller = this.host.newAbortController();
    this.#controller = controller;
    underWay.add(this);
    const stop = (): void => controller.abort(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    this.#unfollow = () => signal.removeEventListener("abort", stop);
    return controller;
  }

  /** A revision came. What changes nothing outside of the run may stop; what does comes to its end, so that it is known what it did. */
  abortStale(): void {
    if (!this.isStale || hasEffect(this.place.services, this, this.unit.block)) return;
    this.#controller?.abort(
      new WorkflowError(
        "ABORTED",
        `An answer before block "${this.block}" was changed, so what it is executing for does not count any more. It is executed again where it is still needed.`,
      ),
    );
  }

  /** Nothing of it executes any more: what it had to itself goes. */
  async end(): Promise<void> {
    this.#unfollow?.();
    this.place.underWay.delete(this);
    try {
      await (await this.#scratch)?.remove();
    } catch {
      // What the step did is done and recorded. A folder that stays behind takes nothing from it.
    }
  }

  /** Whether something is to be done at its end. */
  get isUnclean(): boolean {
    return this.#controller !== undefined || this.#scratch !== undefined;
  }

  get item(): BlockItem | undefined {
    this.isOfItsRun = true;
    const { block, item } = this.unit;
    return item === undefined ? undefined : itemOf(this.state, block, item);
  }

  /** What the expressions of this step see. */
  get scope(): Scope {
    return this.session.kept ? this.session.openScope(this.unit, (this.#missing ??= new Set())) : unitScope(this.session, this.unit);
  }

  /** A value with what its markers stand for. */
  open<T>(value: T, name = ""): T {
    const under = this.place.services.values.isSecretKey(name) ? name : undefined;
    return this.session.kept?.open(value, (this.#missing ??= new Set()), under) ?? value;
  }

  /** Whether it was to see a secret that is not in this process. Known once its inputs are. */
  get lacksSecrets(): boolean {
    void this.carried;
    void this.event;
    for (const name of channelCode(this.session)?.readByCode(this.session, this.unit.block) ?? []) void this.channels.get(name);
    return this.#missing !== undefined && this.#missing.size > 0;
  }

  /** Gets the secrets that it lacks. Rejects with `SECRET_MISSING`. */
  async regainSecrets(): Promise<void> {
    const missing = [...(this.#missing ?? [])];
    this.#missing = undefined;
    await (await this.place.services.loadGuard()).regain(this.session, missing, this.place.signal);
  }

  /** What was recorded of it before. */
  get record(): StepRecord | undefined {
    return recordOf(this.state, this.unit);
  }

  get wokenAt(): number | undefined {
    if (this.signalId !== undefined) return undefined;
    const { progress, begun } = unitState(this.state, this.unit);
    const at = wokenFor(progress.sleeper) ?? begun?.woken;
    return at === undefined ? undefined : this.state.started.at + at;
  }

  get event(): ReceivedEvent | undefined {
    if (this.signalId === undefined) return undefined;
    const { name, value } = this.state.signals!.get(this.signalId)!;
    return { name, value: this.open(value) as Value };
  }

  get channels(): ChannelAccess {
    return {
      get: (name) => this.open(lookUpChannel(this.session, ["channels", name], this.unit, this.changes?.writes), name),
      write: (name, change) => this.write(name, change),
    };
  }

  /** Adds a change to what it writes when it is recorded. Throws `CHANNEL_UNKNOWN` and `CHANNEL_INVALID`. */
  write(name: string, change: unknown): void {
    const reason = channelOf(this.session, name).refuse(change);
    if (reason !== undefined) {
      throw new WorkflowError("CHANNEL_INVALID", `What block "${this.block}" writes to channel "${name}" ${reason}`, {
        details: { block: this.block, channel: name },
      });
    }
    const { writes } = this.changes ?? {};
    this.changes = { ...this.changes, writes: { ...writes, [name]: [...(writes?.[name] ?? []), change] } };
  }

  get add(): BlockContext<unknown>["add"] {
    return (blocks) => this.place.addBlocks(this, blocks);
  }

  get checkpoint(): BlockContext<unknown>["checkpoint"] {
    return (metadata = {}) => {
      if (!isRecord(metadata)) {
        throw new WorkflowError(
          "BLOCK_FAILED",
          `Block "${this.block}" asks for a checkpoint with metadata that is no object. Give names and values, or nothing.`,
          { details: { block: this.block } },
        );
      }
      this.changes = { ...this.changes, checkpoint: metadata };
    };
  }

  get files(): FileAccess {
    this.isOfItsRun = true;
    return this.place.files(this);
  }

  get call(): BlockContext<unknown>["call"] {
    this.isOfItsRun = true;
    return (workflow, inputs, options) => this.place.call(this, { ...options, workflow, inputs });
  }

  get resource(): (name: string) => Promise<never> {
    this.isOfItsRun = true;
    return (name) => this.place.connect(this, name) as Promise<never>;
  }

  get once(): BlockContext<unknown>["once"] {
    this.isOfItsRun = true;
    return <T>(key: string, make: (idempotencyKey: string) => T | Promise<T>) => {
      let known = this.#memos?.get(key);
      if (!known)
        (this.#memos ??= new Map()).set(key, (known = this.place.memoize(this, key, make).finally(() => this.#memos!.delete(key))));
      return known as Promise<T>;
    };
  }

  /** What it is given, also where no answer can be changed. */
  get basis(): string {
    return this.given ?? (this.#basis ??= inputsGiven(this, this.unit) ?? "");
  }

  get iteration(): number {
    return iterationOf(this.state, this.unit);
  }

  get carried(): unknown {
    return this.open(unitState(this.state, this.unit).progress.loop?.carried);
  }

  get nextIteration(): BlockContext<unknown>["nextIteration"] {
    return (value) => ({ status: "again", value });
  }

  get next(): BlockContext<unknown>["next"] {
    return (ids) => void (this.chosen = chooseWays(this.definition, ids));
  }

  /** Only what the block type says it needs. */
  get grants(): Grants {
    return grantsOf(this.place.services, this.definition.type, this.definition.inputs);
  }

  get attempt(): number {
    const { retries = 0, recoveries = 0 } = unitState(this.state, this.unit).progress;
    return retries + recoveries + 1;
  }

  get mayHaveRun(): boolean {
    return this.attempt > 1 || this.compiled.plan.waveOf[this.unit.block] === this.session.foundWave;
  }

  get parts(): BlockContext<unknown>["parts"] {
    return (input, item): readonly TextPart[] => this.compiled.block(this.unit.block).parts(input, this.scope, item);
  }

  get output(): BlockContext<unknown>["output"] {
    const { run, session, unit } = this;
    return (stream, text) => this.place.services.onEvent?.({ type: "output", run, ...nameUnit(session, unit), stream, text });
  }

  get scratch(): BlockContext<unknown>["scratch"] {
    return async () => (await this.scratchFolder()).path;
  }

  /** The folder of this step, made when it is first asked for. */
  scratchFolder(): Promise<ScratchFolder> {
    const { files } = this.place.services.grants;
    if (!files?.scratch) {
      throw new WorkflowError(
        "CAPABILITY_MISSING",
        `Block "${this.block}" needs a folder of its own ($SCRATCH), which this executor cannot give. Grant it files in Node: nodeFiles of wavepoint/node.`,
      );
    }
    this.#scratch ??= files.scratch();
    return this.#scratch;
  }
}

/** Nothing can be recorded of what has ended. Throws `ABORTED`. */
export function assertUnderWay(step: StepContext): void {
  if (!step.hasEnded && !isSettled(codeOf(step.state, step.unit))) return;
  throw new WorkflowError("ABORTED", `Block "${step.block}" has ended or was stopped, so nothing is stored for it any more.`);
}
