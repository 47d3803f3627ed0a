import { html, nothing, type TemplateResult } from "lit-html";
import type { Run } from "../../core/run/run.ts";
import { type ErrorData, WorkflowError, errorData } from "../../core/model/errors.ts";
import type { RunResult } from "../../core/model/result.ts";
import type { Pause } from "../../core/model/run.ts";
import type { Value } from "../../core/model/value.ts";
import { createPauseForm, isTooLate, type FieldError, type PauseForm } from "../pause-form.ts";
import { shownQuestion } from "../shown-question.ts";
import { askedOf, type Asked } from "./read-question.ts";
import { WavepointElement } from "./element-base.ts";
import { entryOf, isSame, replaceEntry, valueOf, type Entry } from "./typed-entry.ts";
import type { FieldPath, FormContext } from "./form-context.ts";
import { localeOf } from "./locale.ts";
import { cancelTemplate } from "./question-notes.ts";
import { questionTemplate } from "./question-form.ts";
import { fieldErrorsOf, findLocalErrors, readFiles } from "./read-entry.ts";

/** `<wavepoint-prompt>`: an open question of a run as a form. */
export class WavepointPrompt extends WavepointElement {
  #pause: string | undefined;
  #given: PauseForm | undefined;
  #form: PauseForm | undefined;
  #formOf: Run | undefined;
  #fields: HTMLElement | undefined;
  #leaveForm: (() => void) | undefined;
  #question = shownQuestion();
  #shown: { readonly pause: Pause; readonly asked: Asked } | undefined;
  #entry: Entry;
  #draft: Value | undefined;
  #problem: ErrorData | undefined;
  #localErrors: readonly FieldError[] = [];
  #isLeaving = false;
  #isGoingBack = false;
  #focusNext: string | undefined;
  #action: string | undefined;

  /** The id of the pause that is shown. Default: the first that is open. */
  get pause(): string | undefined {
    return this.#pause;
  }

  set pause(pause: string | undefined) {
    this.#pause = pause;
    this.requestDraw();
  }

  /** What is asked and what becomes of an answer, in the place of a pause of the run: for questions that do not wait for one. */
  get form(): PauseForm | undefined {
    return this.#given;
  }

  set form(form: PauseForm | undefined) {
    this.#given = form;
    this.requestDraw();
  }

  /** The word on the button that sends. Default: that of the messages. */
  get action(): string | undefined {
    return this.#action;
  }

  set action(action: string | undefined) {
    this.#action = action;
    this.requestDraw();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#take(undefined);
  }

  protected override follow(): void {
    this.#question = shownQuestion();
    super.follow();
  }

  protected override template(): TemplateResult | typeof nothing {
    this.#takeForm();
    const state = this.#form?.getSnapshot();
    if (state?.pause) {
      // Read as data, here as in the pause: a file in it is an object of the members that a file has.
      this.#show(state.pause, state.draft as Value | undefined);
    }
    // While blocks work with the answer, what was asked stays.
    if (!this.#shown || !(state?.pause ?? state?.isSending)) return nothing;
    const { pause, asked } = this.#shown;
    const error = this.#problem ?? state.error;
    const context = this.#context([...this.#localErrors, ...fieldErrorsOf(error, state.fieldErrors)]);
    return questionTemplate(context, {
      pause,
      asked,
      entry: this.#entry,
      problem: context.errors.size === 0 ? error : undefined,
      draftProblem: state.draftError,
      isSending: state.isSending,
      action: this.#action ?? this.messages.send,
      buttons: this.#buttons(pause),
      isLeaving: this.#isLeaving,
      fields: this.#fieldsElement(),
      send: (submitter) => void this.#send(submitter),
    });
  }

  protected override drawn(): void {
    this.showStage(this.#shown?.pause.id ?? "", this.#isLeaving ? "leaving" : "");
    if (this.#focusNext === undefined) return;
    const target = this.#focusNext;
    this.#focusNext = undefined;
    if (target === "") this.focusPart("summary");
    else (this.getRootNode() as Document | ShadowRoot).getElementById(target)?.focus();
  }

  #fieldsElement(): HTMLElement {
    return (this.#fields ??= this.ownerDocument.createElement("div"));
  }

  #takeForm(): void {
    const wanted = this.#given ? undefined : (this.#pause ?? this.#firstPause() ?? this.#sentPause());
    if (this.#given) this.#take(this.#given);
    else if (this.run && wanted !== undefined) {
      if (this.#formOf === this.run && this.#shown?.pause.id === wanted && this.#form) return;
      const { run } = this;
      this.#take(createPauseForm(run, wanted));
      this.#formOf = run;
    } else this.#take(undefined);
  }

  #firstPause(): string | undefined {
    return this.run && this.#question.look(this.run.getSnapshot().pauses)?.id;
  }

  #sentPause(): string | undefined {
    return this.#form?.getSnapshot().isSending ? this.#shown?.pause.id : undefined;
  }

  #take(form: PauseForm | undefined): void {
    if (form === this.#form) return;
    this.#leaveForm?.();
    this.#form = form;
    this.#formOf = undefined;
    this.#shown = undefined;
    this.#fields = undefined;
    this.#problem = undefined;
    this.#localErrors = [];
    this.#isLeaving = false;
    this.#leaveForm = form?.subscribe(() => this.requestDraw());
  }

  /** Takes in the question, and what was typed in another tab. */
  #show(pause: Pause, draft: Value | undefined): void {
    const isNew = this.#shown === undefined;
    if (this.#shown?.pause !== pause) this.#shown = { pause, asked: askedOf(pause) };
    if (!isNew && isSame(draft)(this.#draft)) return;
    this.#draft = draft;
    if (!isNew && draft === undefined) return;
    this.#entry = entryOf(this.#shown.asked.schema, draft ?? pause.prefill ?? pause.earlier?.response, true, this.#entry);
  }

  #context(fieldErrors: readonly FieldError[]): FormContext {
    return {
      id: this.idPrefix,
      messages: this.messages,
      locale: localeOf(this),
      // The first one of each field.
      errors: new Map(fieldErrors.toReversed().map((error) => [error.instancePath, error])),
      isSensitive: this.#shown?.pause.sensitive ?? false,
      set: (path, entry, focus) => this.#set(path, entry, focus),
    };
  }

  #set(path: FieldPath, entry: Entry, focus: string | undefined): void {
    this.#entry = replaceEntry(this.#entry, path, entry);
    this.#focusNext = focus;
    this.#draft = valueOf(this.#shown!.asked.schema, this.#entry, true, { isDraft: true, hasComma: localeOf(this).hasComma });
    this.#form!.saveDraft(this.#draft);
    this.requestDraw();
  }

  async #send(submitter: HTMLElement | null): Promise<void> {
    const form = this.#form!;
    const { schema, answers } = this.#shown!.asked;
    await this.#try(async () => {
      let response: Value | undefined;
      if (answers) response = answers[(submitter as HTMLButtonElement | null)?.value === "no" ? 1 : 0];
      else {
        this.#localErrors = findLocalErrors(schema, this.#entry);
        if (this.#localErrors.length > 0) return undefined;
        response = valueOf(schema, this.#entry, true, { files: await readFiles(this.#entry), hasComma: localeOf(this).hasComma });
      }
      return form.answer(response as Value);
    });
  }

  /** Does something about the question; what is wrong with it stands in the form, and has the focus. */
  async #try(act: () => Promise<RunResult | undefined>): Promise<void> {
    const form = this.#form;
    this.#problem = undefined;
    await this.attempt(async () => {
      try {
        const error = (await act())?.error;
        if (error && isTooLate(error)) throw new WorkflowError(error.code, error.message, error);
      } catch (thrown) {
        // Meanwhile another question may stand here.
        if (this.#form === form) this.#problem = errorData(thrown, "STORE_FAILED");
        throw thrown;
      }
    });
    if (this.#form === form && (this.#problem || this.#localErrors.length > 0 || form?.getSnapshot().error)) this.#focusNext = "";
    this.requestDraw();
  }

  #buttons(pause: Pause): TemplateResult | typeof nothing {
    const { messages } = this;
    const { back, skip, decline, cancel } = pause.allows;
    const button = (text: string, act: () => void, kind = "quiet"): TemplateResult =>
      html`<button part="button ${kind}" type="button" @click=${act}>${text}</button>`;
    const leave = (action: "skip" | "decline" | "cancel"): void => void this.#try(() => this.#form!.decline(action));
    const toggle = (isLeaving: boolean): void => {
      this.#isLeaving = isLeaving;
      this.#focusNext = isLeaving ? `${this.idPrefix}-leave` : `${this.idPrefix}-heading`;
      this.requestDraw();
    };
    if (this.#isLeaving) {
      const props = { id: `${this.idPrefix}-leave`, messages, cancel: () => leave("cancel"), keep: () => toggle(false) };
      return cancelTemplate(props);
    }
    return html`${back ? button(messages.back, () => void this.#back(), this.#shown!.asked.answers ? "quiet" : "") : nothing}${
      skip ? button(messages.skip, () => leave("skip")) : nothing
    }${decline ? button(messages.decline, () => leave("decline")) : nothing}${cancel ? button(messages.cancel, () => toggle(true)) : nothing}`;
  }

  async #back(): Promise<void> {
    // One step for a double click.
    if (this.#isGoingBack) return;
    this.#isGoingBack = true;
    await this.#try(async () => {
      const run = this.run!;
      const { error } = await run.back();
      // A run that fails later on has gone back all the same.
      if (error && run.getSnapshot().status !== "failed") throw new WorkflowError(error.code, error.message, error);
      return undefined;
    });
    this.#isGoingBack = false;
  }
}
