import type { AnsweredQuestion, BlockContext, BlockItem, ChildResult, ResumeContext, TextPart } from "../ports/block.ts";
import type { ScratchFolder } from "../ports/files.ts";
import type { Grants } from "../ports/grants.ts";
import type { AbortSignalLike, Host } from "../ports/host.ts";
import { WorkflowError } from "../model/errors.ts";
import type { Scope } from "../expression/scope.ts";
import type { Values } from "../model/value.ts";
import type { OutputStream } from "../ports/shell.ts";
import type { ReadyType } from "./ready-type.ts";
import { FAILED } from "./block-code.ts";
import type { Session } from "./session.ts";
import { codeOf, itemOf, recordOf, type StepRecord } from "./state.ts";
import type { Donors } from "./time/donors.ts";
import { unitKey, unitName, type Unit } from "./unit.ts";

/** What the blocks of a run get from it. */
export interface BlockSurroundings {
  readonly session: Session;
  readonly types: ReadonlyMap<string, ReadyType>;
  readonly host: Host;
  readonly grants: Grants;
  readonly signal: AbortSignalLike;
  /** What the run takes over from the one it revises. */
  readonly donors: Donors | undefined;
  /** How much more may run at the same time. */
  readonly slots: { free: number };
  call(step: Step, workflow: string, inputs: Values): Promise<ChildResult>;
  /** Tells those who listen what a block wrote. */
  output(step: Step, stream: OutputStream, text: string): void;
  /** Told when a block turns out to take time, and when it is done. */
  running(unit: Unit, startedAt: number | undefined): void;
}

/** One execution of one block, and what the block sees of it. Its members are made when the block asks for them: many ask for none. */
export class Step implements BlockContext<unknown> {
  readonly around: BlockSurroundings;
  readonly unit: Unit;
  /** Milliseconds after the start of the run. */
  readonly startedAt: number;
  /** The number of the pause that this execution answers, if it does. */
  readonly answers: number | undefined;
  inputs: unknown;
  #scratch: Promise<ScratchFolder> | undefined;
  #signal: AbortSignalLike | undefined;

  constructor(around: BlockSurroundings, unit: Unit, answers?: number) {
    this.around = around;
    this.unit = unit;
    this.startedAt = around.session.now();
    this.answers = answers;
  }

  /** The number of the block in the plan. */
  get index(): number {
    return this.unit.block;
  }

  get block(): string {
    return this.around.session.state.compiled.plan.ids[this.index]!;
  }

  get run(): string {
    return this.around.session.state.id;
  }

  get idempotencyKey(): string {
    const { iteration } = this;
    return `${this.run}/${unitName(this.block, this.unit.item)}${iteration > 1 ? `#${iteration}` : ""}`;
  }

  get host(): Host {
    return this.around.host;
  }

  get signal(): AbortSignalLike {
    return this.#signal ?? this.around.signal;
  }

  /** The signal of this execution alone. */
  limitBy(signal: AbortSignalLike): void {
    this.#signal = signal;
  }

  get item(): BlockItem | undefined {
    const { block, item } = this.unit;
    return item === undefined ? undefined : itemOf(this.around.session.state, block, item);
  }

  /** What the expressions of this step see. */
  get scope(): Scope {
    const { state } = this.around.session;
    const { block, item } = this.unit;
    return item === undefined ? state.scope : state.compiled.items.scope(state, block, item);
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
    return this.around.session.state.iterations.get(unitKey(this.unit))?.count ?? 1;
  }

  get carried(): unknown {
    return this.around.session.state.iterations.get(unitKey(this.unit))?.carried;
  }

  get nextIteration(): BlockContext<unknown>["nextIteration"] {
    return (value) => ({ status: "again", value });
  }

  /** Only what the block type says it needs. */
  get grants(): Grants {
    const { session, types, grants } = this.around;
    const needs = types.get(session.state.compiled.workflow.blocks[this.index]!.type)?.needs ?? [];
    return Object.fromEntries(needs.map((capability) => [capability, grants[capability]]));
  }

  get attempt(): number {
    return this.failures + (this.around.session.state.recoveries.get(unitKey(this.unit)) ?? 0) + 1;
  }

  /** How often it failed and was tried again. */
  get failures(): number {
    return this.around.session.state.retries.get(unitKey(this.unit)) ?? 0;
  }

  get mayHaveRun(): boolean {
    const { session } = this.around;
    return this.attempt > 1 || session.state.compiled.plan.waveOf[this.index] === session.foundWave;
  }

  get parts(): BlockContext<unknown>["parts"] {
    return (input): readonly TextPart[] => {
      const { compiled } = this.around.session.state;
      return compiled.block(this.index).parts(input, this.scope);
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
    return this.around.session.state.pauses[this.answers!]!.answer?.response;
  }

  get action(): "decline" | undefined {
    return this.isDeclined ? "decline" : undefined;
  }

  /** Whether somebody said that there will be no answer. A called run has been told so itself. */
  get isDeclined(): boolean {
    const { answer, entry } = this.around.session.state.pauses[this.answers!]!;
    return answer?.action === "decline" && entry.child === undefined;
  }

  get pause(): AnsweredQuestion {
    const { entry, metadata } = this.around.session.state.pauses[this.answers!]!;
    return { prompt: entry.prompt, schema: entry.schema, metadata };
  }
}
