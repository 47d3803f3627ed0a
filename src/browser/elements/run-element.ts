import { html, nothing, type TemplateResult } from "lit-html";
import type { Run } from "../../core/run/run.ts";
import { errorData } from "../../core/model/errors.ts";
import type { RevisionPreview } from "../../core/model/history.ts";
import type { RunProgress } from "../../core/model/run.ts";
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

/** How long the last question stays while blocks work, so that quick blocks cause no flicker. */
const PATIENCE_MS = 400;

const NOTHING_REACHED: { readonly progress: RunProgress; readonly share: number } = {
  progress: { answered: 0, remaining: { min: 0 } },
  share: 0,
};

/** `resting`: waits for an instant, or stopped on the way. */
type Stage = "question" | "working" | "resting" | "over";

/** `<wavepoint-run>`: a whole run as a wizard, with one question at a time, progress, the answers so far, and the outcome. */
export class WavepointRun extends WavepointElement {
  #question = shownQuestion();
  #asked: string | undefined;
  #patience: ReturnType<typeof setTimeout> | undefined;
  #isPatient = false;
  #notices: Notices | undefined;
  #announcement = "";
  #settled = "";
  #review: Review | undefined;
  /** The review within a question that asks whether the answers are right, and the id of that question. */
  #looked: { readonly pause: string; readonly review?: Review } | undefined;
  /** The run that this element has resumed: after a crash, or because another tab that executes it may end. */
  #carried: Run | undefined;
  #rested = 0;
  /** The consequences of a changed answer that were reported last. */
  #previewed: RevisionPreview | undefined;
  /** The progress that was announced last, and how full the bar was. */
  #reached = NOTHING_REACHED;

  override connectedCallback(): void {
    super.connectedCallback();
    this.addEventListener("wavepoint-problem", this.#onProblem);
    for (const type of ["online", "offline"]) globalThis.addEventListener(type, this.#onNetwork);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#patience);
    for (const type of ["online", "offline"]) globalThis.removeEventListener(type, this.#onNetwork);
  }

  protected override follow(): void {
    this.#question = shownQuestion();
    this.#review = undefined;
    this.#looked = undefined;
    this.#notices = undefined;
    this.#reached = NOTHING_REACHED;
    super.follow();
    if (this.run && !isOver(this.run.getSnapshot()) && !isStopped(this.run.getSnapshot())) this.#carryOn();
  }

  protected override template(): TemplateResult | typeof nothing {
    const { run, messages } = this;
    if (!run) return nothing;
    const view = run.getSnapshot();
    const stage = this.#stageOf(view);
    const hasAnswers = view.progress.answered > 0 && view.status !== "running" && this.#toLookAt(stage, view) === undefined;
    const progress = (stage === "question" || stage === "working") && !this.#review ? this.#progress(view, stage === "question") : nothing;
    return html`<p part="announcement" role="status">${this.#announcement}</p>
      ${progress} ${this.#notices?.template(this.#language)}
      <div part="stage">${this.#review ? this.#review.template() : this.#stage(stage, view, progress !== nothing)}</div>
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
    // The list is live: one may stand in another.
    for (const prompt of this.getElementsByTagName("wavepoint-prompt")) (prompt as WavepointPrompt).draw();
    if (!this.run) return;
    const view = this.run.getSnapshot();
    const stage = this.#stageOf(view);
    this.#look(this.#toLookAt(stage, view));
    this.#notices ??= createNotices(this.run, () => this.requestDraw());
    this.#notices?.look(this.#asked);
    // Between a changed answer and what follows from it there may be nothing to show yet.
    if (this.querySelector("[part~=heading]"))
      this.showStage(
        `${this.run.id} ${this.#review ? "review" : stage === "question" ? this.#asked : stage}`,
        (this.#review ?? this.#looked?.review)?.part(),
      );
    this.#announce(stage, view);
    // It may end with this look: then what was drawn so far is still the review.
    (this.#review ?? this.#looked?.review)?.drawn(view);
    this.#tellPreview();
    this.#tellSettled(this.run, view);
    // Another tab is at it, or ended on the way: then it goes on here, once.
    if (stage === "resting" && !view.error && !isStopped(view) && this.#rested !== view.updatedAt) {
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

  #stage(stage: Stage, view: RunView, hasBar: boolean): TemplateResult | undefined {
    const { messages, run } = this;
    if (stage === "question") {
      const others = view.pauses.filter(({ id }) => id !== this.#asked);
      return html`<wavepoint-prompt
          .run=${run}
          .pause=${this.#asked}
          .messages=${messages}
          .about=${this.#toLookAt(stage, view) === undefined ? undefined : (this.#looked?.review?.template() ?? html``)}
        ></wavepoint-prompt
        >${others.length > 0 ? othersTemplate(others, this.#language, (pause) => this.#pick(pause)) : nothing}`;
    }
    return endTemplate({
      ...this.#language,
      view,
      isCarried: stage === "working" || this.#carried === run,
      hasBar,
      resume: () => this.#carryOn(),
    });
  }

  get #language(): Language {
    return { messages: this.messages, locale: localeOf(this) };
  }

  #progress({ progress: now, pauses }: RunView, isAsked: boolean): TemplateResult | typeof nothing {
    // Between two questions it stays, so that nothing moves up and down again.
    const progress = pauses.length > 0 || this.#reached === NOTHING_REACHED ? now : this.#reached.progress;
    const { answered, remaining } = progress;
    if (!isAsked && !(remaining.max ?? remaining.min)) return nothing;
    // The question that is shown counts, so that nothing begins at 0; more questions than were known do not take back what was reached.
    const reached = remaining.max === undefined ? 0 : (answered + 1) / (answered + remaining.max + 1);
    const share = answered < this.#reached.progress.answered ? reached : Math.max(reached, this.#reached.share);
    this.#reached = { progress, share };
    // Where nothing else is asked there is no way to tell of.
    if (answered === 0 && remaining.max === 1) return nothing;
    return html`<div part="progress">
      ${isAsked && remaining.max === undefined ? nothing : html`<progress value=${isAsked ? share : nothing} aria-label=${this.messages.progressLabel}></progress>`}
      <span part="progress-text">${this.messages.progress(progress)}</span>
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

  /** Announces what is new, unless the focus moved there: then screen readers read its heading anyway. */
  #announce(stage: string, view: RunView): void {
    // While an answer is on its way there is nothing new.
    if (stage === "question" && view.pauses.length === 0) return;
    const heading = this.querySelector("[part~=heading]");
    const isRead = heading?.matches(":focus");
    const progress = stage === "question" && textOf(this.querySelector("[part~=progress-text]"));
    const text = [!isRead && textOf(heading), progress].filter(Boolean).join(" – ");
    if (text === this.#announcement) return;
    this.#announcement = text;
    this.requestDraw();
  }

  #tellPreview(): void {
    const preview = (this.#review ?? this.#looked?.review)?.preview();
    if (preview === this.#previewed) return;
    this.#previewed = preview;
    this.tell("wavepoint-preview", { preview });
  }

  /** Reports each time that nothing of the run executes any more. */
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
    else await this.attempt(async () => void (this.#review = await this.#createReview(() => this.#closeReview())));
    this.requestDraw();
  }

  #createReview(revised: () => void, isInQuestion = false): Promise<Review> {
    return createReview({
      run: this.run!,
      id: this.idPrefix,
      language: () => this.#language,
      element: this,
      tell: (name, detail) => this.tell(name, detail),
      revised,
      isInQuestion,
    });
  }

  /** The shown question, if it asks whether the answers so far are right. It stays while its answer is being sent. */
  #toLookAt(stage: Stage, { pauses }: RunView): string | undefined {
    if (stage !== "question") return undefined;
    if (pauses.length === 0) return this.#looked?.pause;
    return pauses.find(({ id, metadata }) => id === this.#asked && metadata["kind"] === "review")?.id;
  }

  /** Reads the answers for such a question. */
  #look(pause: string | undefined): void {
    if (pause === this.#looked?.pause) return;
    this.#looked = undefined;
    if (pause === undefined) return;
    this.#looked = { pause };
    const again = (): void => {
      this.#looked = undefined;
      this.requestDraw();
    };
    void this.attempt(async () => {
      const review = await this.#createReview(again, true);
      if (this.#looked?.pause === pause) this.#looked = { pause, review };
      this.requestDraw();
    });
  }

  #closeReview(): void {
    this.#review = undefined;
    this.requestDraw();
  }

  #onNetwork = (): void => this.requestDraw();

  #onProblem = (event: Event): void => {
    const { target, detail } = event as CustomEvent<{ readonly error: unknown }>;
    const error = errorData(detail.error, "STORE_FAILED");
    // What is wrong with a question that still waits stands there.
    if (target !== this && !isTooLate(error)) return;
    this.#notices?.say(error);
  };
}

function textOf(element: Element | null): string {
  return element?.textContent ?? "";
}

/** Whether the run was stopped: a person says when it continues. */
function isStopped({ reason }: RunView): boolean {
  return reason === "stopped";
}

/** Whether the run no longer continues here by itself. */
function isOver({ status, transferredTo }: RunView): boolean {
  return (status !== "running" && status !== "paused") || transferredTo !== undefined;
}
