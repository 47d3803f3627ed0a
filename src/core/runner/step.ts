import type { AnsweredQuestion, BlockContext, BlockItem, BlockResult, ChildResult, ResumeContext, TextPart } from "../ports/block.ts";
import type { ScratchFolder } from "../ports/files.ts";
import type { Grants } from "../ports/grants.ts";
import type { AbortControllerLike, PlatformSignal, Host } from "../ports/host.ts";
import { WorkflowError } from "../model/errors.ts";
import type { PausedEntry } from "../model/journal.ts";
import type { Block } from "../model/workflow.ts";
import type { Scope } from "../expression/scope.ts";
import type { Values } from "../model/value.ts";
import type { OutputStream } from "../ports/shell.ts";
import { hasEffect } from "./effects-of-blocks.ts";
import type { ReadyType } from "./ready-type.ts";
import type { StepsUnderWay } from "./steps-under-way.ts";
import {
  codeOf,
  FAILED,
  givenOf,
  itemOf,
  iterationOf,
  keyNumber,
  recordOf,
  standingOf,
  type StepRecord,
  turnOf,
  type Unit,
  unitKey,
  unitName,
  unitScope,
} from "../machine/machine.ts";
import type { Session } from "../journal/journal.ts";

/** What the blocks of a run get from it. */
export interface BlockSurroundings {
  readonly session: Session;
  readonly types: ReadonlyMap<string, ReadyType>;
  readonly host: Host;
  readonly grants: Grants;
  readonly signal: PlatformSignal;
  readonly underWay: StepsUnderWay;
  /** Whether something in the run may ask, so that answers may be revised. */
  readonly isRevisable: boolean;
  /** How much more may run at the same time. */
  readonly slots: { free: number };
  call(step: Step, workflow: string, inputs: Values): Promise<ChildResult>;
  /** Gets the secrets that a step lacks. Rejects with `SECRET_MISSING`. */
  regain(step: Step): Promise<void>;
  /** Tells those who listen what a block wrote. */
  output(step: Step, stream: OutputStream, text: string): void;
  /** Told when a block turns out to take time, and when it is done. */
  running(unit: Unit, startedAt: number | undefined): void;
}

/**
 * What an execution comes to: what the block gave, what it gave before as the run has it, or "recorded" where that is in the journal already.
 * Nothing where it has ended otherwise.
 */
export type Outcome = BlockResult | { readonly status: "known"; readonly outputs: unknown } | "recorded" | undefined;

/** One execution of one block, and what the block sees of it. Its members are made when the block asks for them: many ask for none. */
export class Step implements BlockContext<unknown> {
  readonly around: BlockSurroundings;
  readonly unit: Unit;
  readonly definition: Block;
  /** Milliseconds after the start of the run. */
  readonly startedAt: number;
  /** The number of the pause that this execution answers, if it does. */
  readonly answers: number | undefined;
  /** The revision under which it began, by its number. */
  readonly turn: number;
  /** How many entries the run had that it called, when it looked last. */
  childEntries: number | undefined;
  inputs: unknown;
  #given: { readonly text: string | undefined } | undefined;
  #scratch: Promise<ScratchFolder> | undefined;
  #controller: AbortControllerLike | undefined;
  /** Markers of secrets that it was to see and that are not in this process. */
  #missing: Set<string> | undefined;

  constructor(around: BlockSurroundings, unit: Unit, answers?: number) {
    this.around = around;
    this.unit = unit;
    this.definition = around.session.compiled.workflow.blocks[unit.block]!;
    this.startedAt = around.session.now();
    this.answers = answers;
    this.turn = turnOf(around.session.state, unit);
  }

  /** What it is given, as one text; nothing where nobody can change an answer. Found out when it begins. */
  get given(): string | undefined {
    if (!this.around.isRevisable) return undefined;
    this.#given ??= { text: givenOf(this.around.session, this.unit) };
    return this.#given.text;
  }

  /** Whether a revision opened the unit since it began: what it comes to is not its outcome any more. */
  get isStale(): boolean {
    return turnOf(this.around.session.state, this.unit) !== this.turn;
  }

  get block(): string {
    return this.definition.id;
  }

  get run(): string {
    return this.around.session.state.id;
  }

  get idempotencyKey(): string {
    const { iteration } = this;
    const k = keyNumber(this.around.session.state, this.unit, this.given);
    const changed = k > 0 ? `~${k}` : "";
    return `${this.run}/${unitName(this.block, this.unit.item)}${changed}${iteration > 1 ? `#${iteration}` : ""}`;
  }

  get host(): Host {
    return this.around.host;
  }

  get signal(): PlatformSignal {
    const { host, isRevisable, signal } = this.around;
    // Many blocks do not look at it. A run whose answers nobody can change needs no other than its own.
    if (!this.#controller && isRevisable && !signal.aborted) this.stopBy(host.newAbortController());
    return this.#controller?.signal ?? signal;
  }

  /** What stops this execution alone. */
  stopBy(controller: AbortControllerLike): void {
    this.#controller = controller;
    this.around.underWay.add(this);
  }

  abort(reason: unknown): void {
    this.#controller?.abort(reason);
  }

  /** Nothing of it executes any more. */
  noteEnd(): void {
    if (this.#controller) this.around.underWay.delete(this);
  }

  get hasEffect(): boolean {
    const { session } = this.around;
    return hasEffect(this.around, session, this.unit.block);
  }

  get item(): BlockItem | undefined {
    const { block, item } = this.unit;
    return item === undefined ? undefined : itemOf(this.around.session.state, block, item);
  }

  /** What the expressions of this step see. */
  get scope(): Scope {
    const { session } = this.around;
    return session.kept ? session.openScope(this.unit, (this.#missing ??= new Set())) : unitScope(session, this.unit);
  }

  /** A value with what its markers stand for. */
  protected open<T>(value: T): T {
    return this.around.session.kept?.open(value, (this.#missing ??= new Set())) ?? value;
  }

  /** Whether it was to see a secret that is not in this process. Known once its inputs are. */
  get lacksSecrets(): boolean {
    if (!this.around.session.kept) return false;
    this.lookAtGiven();
    return this.#missing !== undefined && this.#missing.size > 0;
  }

  /** Finds the markers in what the step is given beside its inputs. */
  protected lookAtGiven(): void {
    void this.carried;
  }

  /** The markers of the secrets that it lacks. */
  takeMissing(): readonly string[] {
    const markers = [...(this.#missing ?? [])];
    this.#missing = undefined;
    return markers;
  }

  /** What was recorded of it before. */
  get record(): StepRecord | undefined {
    return recordOf(this.around.session.state, this.unit);
  }

  get wokenAt(): number | undefined {
    const { state } = this.around.session;
    const sleeper = state.sleepers.get(unitKey(this.unit));
    const at = (sleeper?.retries ? sleeper.woken : sleeper?.until) ?? state.begun.get(unitKey(this.unit))?.woken;
    return at === undefined ? undefined : state.started.at + at;
  }

  get call(): BlockContext<unknown>["call"] {
    return (workflow, inputs) => this.around.call(this, workflow, inputs);
  }

  get iteration(): number {
    return iterationOf(this.around.session.state, this.unit);
  }

  get carried(): unknown {
    return this.open(this.around.session.state.iterations.get(unitKey(this.unit))?.carried);
  }

  get nextIteration(): BlockContext<unknown>["nextIteration"] {
    return (value) => ({ status: "again", value });
  }

  /** Only what the block type says it needs. */
  get grants(): Grants {
    const { types, grants } = this.around;
    const needs = types.get(this.definition.type)?.needs ?? [];
    return Object.fromEntries(needs.map((capability) => [capability, grants[capability]]));
  }

  get attempt(): number {
    const { retries, recoveries } = this.around.session.state;
    const key = unitKey(this.unit);
    return (retries.get(key) ?? 0) + (recoveries.get(key) ?? 0) + 1;
  }

  get mayHaveRun(): boolean {
    const { session } = this.around;
    return this.attempt > 1 || session.compiled.plan.waveOf[this.unit.block] === session.foundWave;
  }

  get parts(): BlockContext<unknown>["parts"] {
    return (input, item): readonly TextPart[] => {
      const { compiled } = this.around.session;
      return compiled.block(this.unit.block).parts(input, this.scope, item);
    };
  }

  get output(): BlockContext<unknown>["output"] {
    return (stream, text) => this.around.output(this, stream, text);
  }

  get scratch(): BlockContext<unknown>["scratch"] {
    return async () => (await this.scratchFolder()).path;
  }

  /** The folder of this step, made when it is first asked for. */
  scratchFolder(): Promise<ScratchFolder> {
    const { files } = this.around.grants;
    if (!files?.scratch) {
      throw new WorkflowError(
        "CAPABILITY_MISSING",
        `Block "${this.block}" needs a folder of its own ($SCRATCH), which this executor cannot give. Grant it files in Node: nodeFiles of wavepoint/node.`,
      );
    }
    this.#scratch ??= files.scratch();
    return this.#scratch;
  }

  /** Removes what the step had to itself. */
  async cleanUp(): Promise<void> {
    try {
      await (await this.#scratch)?.remove();
    } catch {
      // What the step did is done and recorded. A folder that stays behind takes nothing from it.
    }
  }

  /** Whether there is something to remove. */
  get isUnclean(): boolean {
    return this.#scratch !== undefined;
  }

  /** A block that was stopped may still come to its end; its run no longer listens. */
  get hasEnded(): boolean {
    const { session, signal } = this.around;
    return session.state.finished !== undefined || signal.aborted || codeOf(session.state, this.unit) === FAILED;
  }
}

/** The execution that follows an answer. */
export class ResumedStep extends Step implements ResumeContext<unknown> {
  /** What the schema of the block type made of the answer. */
  checked: { readonly response: unknown } | undefined;

  get response(): unknown {
    if (this.checked) return this.checked.response;
    return this.open(this.around.session.state.pauses[this.answers!]!.answer?.response);
  }

  /** The question of the block itself whose answer it was working on. */
  get lastQuestion(): number | undefined {
    const { state } = this.around.session;
    return standingOf(state, this.unit).findLast((number) => state.pauses[number]!.answer);
  }

  /** Whether what it lacks is in an answer that can be asked for again. */
  get isRefusable(): boolean {
    const { session } = this.around;
    const { entry, answer } = session.state.pauses[this.answers!]!;
    const lost = new Set<string>();
    session.kept?.open(answer?.response, lost);
    return lost.size > 0 && entry.child === undefined && entry.about === undefined;
  }

  protected override lookAtGiven(): void {
    super.lookAtGiven();
    void this.response;
    void this.pause;
  }

  get action(): "decline" | undefined {
    return this.isDeclined ? "decline" : undefined;
  }

  /** Whether a person said that there will be no answer. A called run has received that itself. */
  get isDeclined(): boolean {
    const { answer, entry } = this.around.session.state.pauses[this.answers!]!;
    return answer?.action === "decline" && entry.child === undefined;
  }

  /** Whether the engine asked, what became of the block or whether it shall run again. */
  get about(): PausedEntry["about"] {
    return this.around.session.state.pauses[this.answers!]!.entry.about;
  }

  get pause(): AnsweredQuestion {
    const { entry, metadata } = this.around.session.state.pauses[this.answers!]!;
    return { prompt: entry.prompt, schema: entry.schema, metadata: this.open(metadata) };
  }
}
