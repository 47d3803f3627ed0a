import { html, nothing, type TemplateResult } from "lit-html";
import type { Run } from "../../core/run/run.ts";
import { type ErrorData, WorkflowError, errorData } from "../../core/model/errors.ts";
import type { RunResult } from "../../core/model/result.ts";
import type { Pause } from "../../core/model/run.ts";
import type { Value } from "../../core/model/value.ts";
import { createPauseForm, isTooLate, type FieldError, type PauseForm } from "../pause-form.ts";
import { type FormConditionState, lookAtForm } from "../form-conditions.ts";
import { shownQuestion } from "../shown-question.ts";
import { askedOf, type Asked } from "./read-question.ts";
import { WavepointElement } from "./element-base.ts";
import { entryOf, isSame, memberOf, replaceEntry, valueOf, type Entry } from "./typed-entry.ts";
import type { FieldPath, FormContext } from "./form-context.ts";
import { localeOf } from "./locale.ts";
import { cancelTemplate } from "./question-notes.ts";
import { questionTemplate, type QuestionProps } from "./question-form.ts";
import { moveErrors, type Move } from "./move-errors.ts";
import { loadRareControls, rareControls, wantsRare } from "./rare-kind.ts";
import { fieldErrorsOf, filesIn, findLocalErrors, findOtherErrors, readFiles, unreadFiles } from "./read-entry.ts";
import { wordsOf } from "./wizard-messages.ts";

/** Block types whose questions need no rare control: a long list of choices is a menu then. */
const PLAIN_TYPES: ReadonlySet<string> = new Set(["EchoBlock", "GetInput", "AskChoice", "ConfirmOperation"]);

/** How long to wait before trying again to load controls, in milliseconds. */
const LOAD_AGAIN_MS = 5_000;

const ALL_ASKED: FormConditionState = { hidden: new Set(), broken: [] };

/** `<wavepoint-prompt>`: an open question of a run as a form. */
export class WavepointPrompt extends WavepointElement {
  /** Content between the question and its form, from the next drawing on. Default: none. */
  about: TemplateResult | undefined;
  #pause: string | undefined;
  #given: PauseForm | undefined;
  #form: PauseForm | undefined;
  #formOf: Run | undefined;
  #fields: HTMLElement | undefined;
  #leaveForm: (() => void) | undefined;
  #question = shownQuestion();
  #shown: { readonly pause: Pause; readonly asked: Asked; readonly language: string | undefined } | undefined;
  #entry: Entry;
  #draft: Value | undefined;
  #problem: ErrorData | undefined;
  #localErrors: readonly FieldError[] = [];
  /** Items that were moved in lists since the last answer was refused. */
  #moves: readonly Move[] = [];
  /** The current errors of fields, by their pointers, once an answer was refused and changed. */
  #wrong: ReadonlyMap<string, FieldError> | undefined;
  /** Whether rare controls are being loaded, and whether that failed. */
  #isLoading = false;
  #isLost = false;
  #isLeaving = false;
  #isGoingBack = false;
  #focusNext: string | undefined;
  #action: string | undefined;

  /** The id of the pause to show. Default: the first open one. */
  get pause(): string | undefined {
    return this.#pause;
  }

  set pause(pause: string | undefined) {
    this.#pause = pause;
    this.requestDraw();
  }

  /** A form to show in place of a pause of the run, for questions that are not open. */
  get form(): PauseForm | undefined {
    return this.#given;
  }

  set form(form: PauseForm | undefined) {
    this.#given = form;
    this.requestDraw();
  }

  /** The label of the button that sends. Default: that of the messages. */
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
    if (!this.#isReady()) return nothing;
    const error = this.#problem ?? state.error;
    const fieldErrors = [...this.#localErrors, ...fieldErrorsOf(error, state.fieldErrors)];
    const context = this.#context(fieldErrors);
    return questionTemplate(context, {
      pause,
      asked,
      entry: this.#entry,
      problem: fieldErrors.length === 0 ? error : undefined,
      draftProblem: state.draftError,
      isSending: state.isSending,
      action: this.#action ?? (pause.metadata["kind"] === "review" ? wordsOf(this.messages).sendAll : this.messages.send),
      ...this.#buttons(pause),
      fields: this.#fieldsElement(),
      about: this.about,
      send: (submitter) => void this.#send(submitter),
    });
  }

  protected override drawn(): void {
    if (!this.#isReady()) return;
    rareControls()?.adoptRareStyles(this);
    this.showStage(this.#shown?.pause.id ?? "", this.#isLeaving ? "leaving" : "");
    if (this.#focusNext === undefined) return;
    const target = this.#focusNext;
    this.#focusNext = undefined;
    (this.getRootNode() as Document | ShadowRoot).getElementById(target)?.focus();
  }

  /** Whether the controls of the question are loaded. Else loads them; the question is then shown with them. */
  #isReady(): boolean {
    if (rareControls() || !this.#shown) return true;
    const isWanted = wantsRare(this.#shown.asked.schema, this.#isLost);
    // A later question of the run may want them where nothing can be loaded any more.
    if (isWanted || this.run?.getSnapshot().waves.some(({ blocks }) => blocks.some(({ type }) => !PLAIN_TYPES.has(type))))
      void this.#load();
    return !isWanted;
  }

  async #load(): Promise<void> {
    if (this.#isLoading) return;
    this.#isLoading = true;
    await this.attempt(loadRareControls);
    // Where that failed the network may come back.
    this.#isLost = !rareControls();
    this.requestDraw();
    // The wizard around it shows a new question only now: drawn at the next key, it would take the focus away.
    this.closest<WavepointElement>("wavepoint-run")?.requestDraw();
    if (this.#isLost) await new Promise((resolve) => setTimeout(resolve, LOAD_AGAIN_MS));
    this.#isLoading = false;
    if (this.#isLost) this.requestDraw();
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
    this.#moves = [];
    this.#wrong = undefined;
    this.#isLeaving = false;
    this.#leaveForm = form?.subscribe(() => this.requestDraw());
  }

  /** Shows a question, with what was typed in another tab. */
  #show(pause: Pause, draft: Value | undefined): void {
    const isNew = this.#shown === undefined;
    const language = localeOf(this).tag;
    if (this.#shown?.pause !== pause || this.#shown.language !== language) {
      const before = this.#shown;
      this.#shown = { pause, asked: askedOf(pause, language), language };
      // Numbers are written otherwise in another language.
      if (before && before.language !== language) {
        const typed = valueOf(before.asked.schema, this.#entry, true, { isDraft: true, language: before.language });
        this.#entry = entryOf(this.#shown.asked.schema, typed, language, true, this.#entry);
      }
    }
    if (!isNew && isSame(draft)(this.#draft)) return;
    this.#draft = draft;
    if (!isNew && draft === undefined) return;
    this.#entry = entryOf(this.#shown.asked.schema, draft ?? pause.prefill ?? pause.earlier?.response, language, true, this.#entry);
  }

  #context(fieldErrors: readonly FieldError[]): FormContext {
    const { hidden, broken } = this.#conditions() ?? ALL_ASKED;
    // Once something was refused, fields and the rules between them are looked at with each change. What no schema says, nothing mends before it is sent.
    const stillWrong = (error: FieldError): FieldError | readonly FieldError[] =>
      error.code === "rule" ? [] : error.code === "invalid" || !this.#wrong ? error : (this.#wrong.get(error.instancePath) ?? []);
    const errors = fieldErrors.length === 0 ? [] : [...moveErrors(fieldErrors, this.#moves).flatMap(stillWrong), ...broken];
    const language = { messages: this.messages, locale: localeOf(this) };
    return {
      ...language,
      id: this.idPrefix,
      kindsOf: (schema) => rareControls()?.fileKinds(schema, language),
      errors: firstOfEach(errors),
      isSensitive: this.#shown?.pause.sensitive ?? false,
      hidden,
      set: (path, entry, focus) => this.#set(path, entry, focus),
      rearrange: (path, order, focus) => {
        let list = this.#entry;
        for (const part of path) list = memberOf(list, part);
        this.#moves = [...this.#moves, { path, order }];
        this.#set(
          path,
          order.map((from) => memberOf(list, from)),
          focus,
        );
      },
    };
  }

  #set(path: FieldPath, entry: Entry, focus: string | undefined): void {
    this.#entry = replaceEntry(this.#entry, path, entry);
    this.#focusNext = focus;
    const { asked, language } = this.#shown!;
    this.#draft = valueOf(asked.schema, this.#entry, true, { isDraft: true, language });
    this.#form!.saveDraft(this.#draft);
    if (this.#localErrors.length > 0 || this.#form!.getSnapshot().error) void this.#lookAgain();
    this.requestDraw();
  }

  /** Finds refused fields that are right by now. */
  async #lookAgain(): Promise<void> {
    const entry = this.#entry;
    const found = await this.#findErrors(true);
    if (entry !== this.#entry) return;
    this.#wrong = firstOfEach(found);
    this.requestDraw();
  }

  /** The errors in the controls that can be seen without reading files. If there is none, the run checks the rest, unless `all` is wanted. */
  async #findErrors(all = false): Promise<readonly FieldError[]> {
    const { schema } = this.#shown!.asked;
    const local = findLocalErrors(schema, this.#entry, (this.#conditions() ?? ALL_ASKED).hidden);
    if (local.length === 0 && !all) return local;
    return [...local, ...(await findOtherErrors(schema, this.#value(unreadFiles(this.#entry)), local))];
  }

  #conditions(): FormConditionState | undefined {
    const { schema } = this.#shown!.asked;
    // Files need not be read to know that they are there.
    const files = new Map(filesIn(this.#entry).map((file) => [file, { name: file.name, type: file.type, size: file.size }]));
    return lookAtForm(schema, this.#value(files), () => this.requestDraw());
  }

  #value(files: ReadonlyMap<File, Value>): Value | undefined {
    const { asked, language } = this.#shown!;
    return valueOf(asked.schema, this.#entry, true, { files, language });
  }

  async #send(submitter: HTMLElement | null): Promise<void> {
    const form = this.#form!;
    const { answers } = this.#shown!.asked;
    this.#moves = [];
    this.#wrong = undefined;
    await this.#try(async () => {
      let response: Value | undefined;
      if (answers) response = answers[(submitter as HTMLButtonElement | null)?.value === "no" ? 1 : 0];
      else {
        this.#localErrors = await this.#findErrors();
        if (this.#localErrors.length > 0) return undefined;
        response = this.#value(await readFiles(this.#entry));
      }
      return form.answer(response as Value);
    });
  }

  /** Calls a function about the question. Shows its error in the form, with the focus. */
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
    if (this.#form === form && (this.#problem || this.#localErrors.length > 0 || form?.getSnapshot().error))
      this.#focusNext = `${this.idPrefix}-problems`;
    this.requestDraw();
  }

  #buttons(pause: Pause): Pick<QuestionProps, "buttons" | "more" | "leaving"> {
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
    const leaving = { id: `${this.idPrefix}-leave`, messages, cancel: () => leave("cancel"), keep: () => toggle(false) };
    return {
      buttons: html`${back ? button(messages.back, () => void this.#back(), "") : nothing}${
        decline ? button(messages.decline, () => leave("decline")) : nothing
      }${skip ? button(messages.skip, () => leave("skip")) : nothing}`,
      more: cancel
        ? html`<details part="more">
            <summary>${wordsOf(messages).more}</summary>
            ${button(messages.cancel, () => toggle(true), "danger")}
          </details>`
        : nothing,
      leaving: this.#isLeaving ? cancelTemplate(leaving) : undefined,
    };
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

/** The first error of each field, by its pointer. */
function firstOfEach(errors: readonly FieldError[]): ReadonlyMap<string, FieldError> {
  return new Map(errors.toReversed().map((error) => [error.instancePath, error]));
}
