import { html, nothing, type TemplateResult } from "lit-html";
import type { Run } from "../../core/run/run.ts";
import { errorData } from "../../core/model/errors.ts";
import type { RunView } from "../../core/model/view.ts";
import { WavepointElement } from "./element-base.ts";
import { localeOf } from "./locale.ts";
import { createNotices, type Notices } from "./notices.ts";
import { isTooLate } from "../pause-form.ts";
import { shownQuestion } from "../shown-question.ts";
import type { WavepointPrompt } from "./prompt-element.ts";
import { createReview, type Review } from "./review.ts";
import { endTemplate, othersTemplate } from "./run-stages.ts";
import type { Language } from "./value-text.ts";

/** How long the last question stays while blocks work, so that what is quick does not flicker. */
const PATIENCE_MS = 400;

/** `resting`: waits for an instant, or stopped on the way. */
type Stage = "question" | "working" | "resting" | "over";

/** `<wavepoint-run>`: a whole run as a wizard: its questions one at a time, how far it is, the answers so far, and what came of it. */
export class WavepointRun extends WavepointElement {
  #question = shownQuestion();
  #asked: string | undefined;
  #patience: ReturnType<typeof setTimeout> | undefined;
  #isPatient = false;
  #notices: Notices | undefined;
  #announcement = "";
  #settled = "";
  #review: Review | undefined;
  /** The run that is asked to go on: after a crash, or where another tab that executes it may end. */
  #carried: Run | undefined;
  #rested = 0;

  override connectedCallback(): void {
    super.connectedCallback();
    this.addEventListener("wavepoint-problem", this.#onProblem);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#patience);
  }

  protected override follow(): void {
    this.#question = shownQuestion();
    this.#review = undefined;
    this.#notices = undefined;
    super.follow();
    if (this.run && !isOver(this.run.getSnapshot())) this.#carryOn();
  }

  protected override template(): TemplateResult | typeof nothing {
    const { run, messages } = this;
    if (!run) return nothing;
    const view = run.getSnapshot();
    const stage = this.#stageOf(view);
    const hasAnswers = view.progress.answered > 0 && view.status !== "running";
    return html`<p part="announcement" role="status">${this.#announcement}</p>
      ${stage === "question" && !this.#review ? this.#progress(view) : nothing} ${this.#notices?.template(this.#language)}
      <div part="stage">${this.#review ? this.#review.template() : this.#stage(stage, view)}</div>
      ${
        hasAnswers
          ? html`<button type="button" part="button quiet" @click=${() => void this.#toggleReview()}>
              ${this.#review ? messages[stage === "question" ? "leaveReview" : "back"] : messages.review}
            </button>`
          : nothing
      }`;
  }

  protected override drawn(): void {
    // What is inside takes the focus with it, so it has to be there.
    for (const prompt of this.querySelectorAll<WavepointPrompt>("wavepoint-prompt")) prompt.draw();
    if (!this.run) return;
    const view = this.run.getSnapshot();
    const stage = this.#stageOf(view);
    this.#notices ??= createNotices(this.run, () => this.requestDraw());
    this.#notices?.look(this.#asked);
    // Between a changed answer and what follows from it there may be nothing to show yet.
    if (this.querySelector("[part~=heading]"))
      this.showStage(`${this.run.id} ${this.#review ? "review" : stage === "question" ? this.#asked : stage}`, this.#review?.part());
    this.#announce(stage, view);
    // It may end with this look: then what was drawn so far is still the review.
    this.#review?.drawn(view);
    this.#tellSettled(this.run, view);
    // Another tab is at it, or ended on the way: then it goes on here, once.
    if (stage === "resting" && !view.error && this.#rested !== view.updatedAt) {
      this.#rested = view.updatedAt;
      if (this.#carried !== this.run) this.#carryOn();
    }
  }

  #stageOf(view: RunView): Stage {
    // A run that was handed over asks elsewhere.
    if (isOver(view)) return "over";
    if (view.pauses.length > 0) {
      this.#asked = this.#question.look(view.pauses)!.id;
      clearTimeout(this.#patience);
      this.#isPatient = true;
      this.#patience = undefined;
      return "question";
    }
    if (!this.#isPatient) return view.active ? "working" : "resting";
    this.#patience ??= setTimeout(() => {
      this.#isPatient = false;
      this.requestDraw();
    }, PATIENCE_MS);
    return "question";
  }

  #stage(stage: Stage, view: RunView): TemplateResult | undefined {
    const { messages, run } = this;
    if (stage === "question") {
      const others = view.pauses.filter(({ id }) => id !== this.#asked);
      return html`<wavepoint-prompt .run=${run} .pause=${this.#asked} .messages=${messages}></wavepoint-prompt>${
          others.length > 0 ? othersTemplate(others, this.#language, (pause) => this.#pick(pause)) : nothing
        }`;
    }
    return endTemplate({
      ...this.#language,
      view,
      isCarried: stage === "working" || this.#carried === run,
      resume: () => this.#carryOn(),
    });
  }

  get #language(): Language {
    return { messages: this.messages, locale: localeOf(this) };
  }

  #progress({ progress }: RunView): TemplateResult {
    const { answered, remaining } = progress;
    const text = this.messages.progress(progress);
    return html`<div part="progress">
      ${
        remaining.max === undefined
          ? nothing
          : html`<progress max=${answered + remaining.max} value=${answered} aria-label=${this.messages.progressLabel}></progress>`
      }
      <span part="progress-text">${text}</span>
    </div>`;
  }

  #carryOn(): void {
    const run = this.run!;
    this.#carried = run;
    void this.attempt(() => run.resume()).finally(() => {
      if (this.#carried === run) this.#carried = undefined;
      this.requestDraw();
    });
  }

  #pick(pause: string): void {
    this.#question.pick(pause);
    this.requestDraw();
  }

  /** Says what is new. Where the focus went there, its heading is read anyway. */
  #announce(stage: string, view: RunView): void {
    // While an answer is on its way there is nothing new.
    if (stage === "question" && view.pauses.length === 0) return;
    const heading = this.querySelector("[part~=heading]");
    const isRead = heading?.matches(":focus");
    const progress = stage === "question" && !this.#review ? this.messages.progress(view.progress) : "";
    const text = [isRead ? "" : (heading?.textContent ?? ""), progress].filter(Boolean).join(" – ");
    if (text === this.#announcement) return;
    this.#announcement = text;
    this.requestDraw();
  }

  /** Tells each time nothing of the run executes any more. */
  #tellSettled(run: Run, view: RunView): void {
    const settled = view.status === "running" ? "" : [run.id, view.status, view.updatedAt, ...view.pauses.map(({ id }) => id)].join(" ");
    if (settled === this.#settled) return;
    this.#settled = settled;
    if (settled !== "") {
      void this.attempt(async () => {
        const result = await run.settled();
        if (this.#settled === settled) this.tell("wavepoint-settled", { result });
      });
    }
  }

  async #toggleReview(): Promise<void> {
    if (this.#review) this.#closeReview();
    else {
      await this.attempt(async () => {
        this.#review = await createReview({
          run: this.run!,
          id: this.idPrefix,
          language: () => this.#language,
          element: this,
          tell: (name, detail) => this.tell(name, detail),
          revised: () => this.#closeReview(),
        });
      });
    }
    this.requestDraw();
  }

  #closeReview(): void {
    this.#review = undefined;
    this.requestDraw();
  }

  #onProblem = (event: Event): void => {
    const { target, detail } = event as CustomEvent<{ readonly error: unknown }>;
    const error = errorData(detail.error, "STORE_FAILED");
    // What is wrong with a question that still waits stands there.
    if (target !== this && !isTooLate(error)) return;
    this.#notices?.say(error);
  };
}

/** Whether nothing of it goes on here any more by itself. */
function isOver({ status, transferredTo }: RunView): boolean {
  return (status !== "running" && status !== "paused") || transferredTo !== undefined;
}
