import { type PauseState, standingOf } from "../machine/machine.ts";
import type { PausedEntry } from "../model/journal.ts";
import type { AnsweredQuestion, ResumeContext } from "../ports/block.ts";
import { StepContext } from "./step-context.ts";

/** The execution that follows an answer. */
export class ResumedContext extends StepContext implements ResumeContext<unknown> {
  /** What the schema of the block type made of the answer. */
  checked: { readonly response: unknown } | undefined;

  get #asked(): PauseState {
    return this.state.pauses[this.answers!]!;
  }

  get response(): unknown {
    return this.checked ? this.checked.response : this.open(this.#asked.answer?.response);
  }

  get pause(): AnsweredQuestion {
    const { entry, metadata } = this.#asked;
    return { prompt: entry.prompt, schema: entry.schema, metadata: this.open(metadata) };
  }

  get action(): "decline" | undefined {
    return this.isDeclined ? "decline" : undefined;
  }

  /** Whether the person declined. A called run has received that itself. */
  get isDeclined(): boolean {
    const { answer, entry } = this.#asked;
    return answer?.action === "decline" && entry.child === undefined;
  }

  /** Whether the engine asked: what became of the block, or whether to run it again. */
  get about(): PausedEntry["about"] {
    return this.#asked.entry.about;
  }

  /** The question of the block itself whose answer it was working on. */
  get lastQuestion(): number | undefined {
    return standingOf(this.state, this.unit).findLast((number) => this.state.pauses[number]!.answer);
  }

  override get lacksSecrets(): boolean {
    void this.response;
    void this.pause;
    return super.lacksSecrets;
  }

  /** Whether what it lacks is in an answer that can be asked for again. */
  get isRefusable(): boolean {
    const { entry, answer } = this.#asked;
    const lost = new Set<string>();
    this.session.kept?.open(answer?.response, lost);
    return lost.size > 0 && entry.child === undefined && entry.about === undefined;
  }
}
