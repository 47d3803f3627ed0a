import type { AnsweredQuestion, BlockContext, ChildResult, ResumeContext } from "../ports/block.ts";
import type { AbortSignalLike, Host } from "../ports/host.ts";
import type { Values } from "../model/value.ts";
import type { ReadyType } from "./ready-type.ts";
import type { Session } from "./session.ts";

/** What the blocks of a run get from it. */
export interface BlockSurroundings {
  readonly session: Session;
  readonly types: ReadonlyMap<string, ReadyType>;
  readonly host: Host;
  readonly signal: AbortSignalLike;
  call(block: number, workflow: string, inputs: Values): Promise<ChildResult>;
  /** Told when a block turns out to take time, and when it is done. */
  running(block: number, startedAt: number | undefined): void;
}

/** One execution of one block, and what the block sees of it. Its members are made when the block asks for them: many ask for none. */
export class Step implements BlockContext<unknown> {
  readonly around: BlockSurroundings;
  readonly index: number;
  /** Milliseconds after the start of the run. */
  readonly startedAt: number;
  /** The number of the pause that this execution answers, if it does. */
  readonly answers: number | undefined;
  inputs: unknown;

  constructor(around: BlockSurroundings, index: number, answers?: number) {
    this.around = around;
    this.index = index;
    this.startedAt = around.session.now();
    this.answers = answers;
  }

  get block(): string {
    return this.around.session.state.compiled.plan.ids[this.index]!;
  }

  get run(): string {
    return this.around.session.state.id;
  }

  get idempotencyKey(): string {
    return `${this.run}/${this.block}`;
  }

  get host(): Host {
    return this.around.host;
  }

  get signal(): AbortSignalLike {
    return this.around.signal;
  }

  get call(): BlockContext<unknown>["call"] {
    return (workflow, inputs) => this.around.call(this.index, workflow, inputs);
  }

  /** A block that was stopped may still come to its end; its run no longer listens. */
  get hasEnded(): boolean {
    const { session, signal } = this.around;
    return session.state.finished !== undefined || signal.aborted || session.state.records[this.index]?.error !== undefined;
  }
}

/** The execution that follows an answer. */
export class ResumedStep extends Step implements ResumeContext<unknown> {
  get response(): unknown {
    return this.around.session.state.pauses[this.answers!]!.answer?.response;
  }

  get pause(): AnsweredQuestion {
    const { entry, metadata } = this.around.session.state.pauses[this.answers!]!;
    return { prompt: entry.prompt, schema: entry.schema, metadata };
  }
}
