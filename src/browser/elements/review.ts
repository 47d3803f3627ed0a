import { html, nothing, type TemplateResult } from "lit-html";
import type { Run } from "../../core/run/run.ts";
import { isWorkflowError, WorkflowError, type ErrorData } from "../../core/model/errors.ts";
import type { RunResult } from "../../core/model/result.ts";
import type { ReviewItem, RevisionPreview } from "../../core/model/history.ts";
import type { Pause } from "../../core/model/run.ts";
import { isRecord, type Value } from "../../core/model/value.ts";
import type { RunView } from "../../core/model/view.ts";
import type { FieldError, PauseForm, PauseFormState } from "../pause-form.ts";
import { askedOf, type Asked } from "./read-question.ts";
import type { WavepointElement, WavepointEvents } from "./element-base.ts";
import { kindOf, nameText, namesOf } from "./field-kind.ts";
import { loadRareControls, rareControls, wantsRare } from "./rare-kind.ts";
import { valuesList } from "./question-notes.ts";
import { HIDDEN, valueText, type Language } from "./value-text.ts";
import { wordsOf } from "./wizard-messages.ts";

/** All questions of a run with their answers, each of which can be changed. */
export interface Review {
  template(): TemplateResult;
  /** Called after each drawing. */
  drawn(view: RunView): void;
  /** Which part of it asks for a click. */
  part(): string;
  /** The consequences that it shows. */
  preview(): RevisionPreview | undefined;
}

interface ReviewOptions {
  readonly run: Run;
  /** Begins the ids. */
  readonly id: string;
  readonly element: WavepointElement;
  language(): Language;
  tell(name: keyof WavepointEvents, detail: unknown): void;
  /** Whether it stands within a question, which has a heading of its own: then it shows answers alone, not the questions that wait, or may come. */
  readonly isInQuestion?: boolean;
  /** Called once an answer is changed: what follows from it is more than a review shows. */
  revised(): void;
}

type Answered = ReviewItem & { readonly pause: string; readonly prompt: string; readonly answer: Value };

/** An answer that is being changed: the form of the new one, then what follows from it. */
interface Change {
  readonly item: Answered;
  readonly form: PauseForm;
  readonly proposed?: { readonly response: Value; readonly preview: RevisionPreview; readonly isSending: boolean };
}

/** Reads the answers of a run for a page that shows them. */
export async function createReview({ run, id, element, language, tell, revised, isInQuestion = false }: ReviewOptions): Promise<Review> {
  let items: readonly ReviewItem[] = [];
  await read();
  let seen = run.getSnapshot();
  let change: Change | undefined;
  let focus: string | undefined;

  return {
    template,
    drawn(view) {
      if (focus !== undefined) element.querySelector<HTMLElement>(focus)?.focus();
      focus = undefined;
      if (view === seen) return;
      seen = view;
      // The run goes on with the new answer.
      if (change?.proposed?.isSending) revised();
      else void reload();
    },
    part: () => (change === undefined ? "" : `${change.item.pause} ${change.proposed ? "preview" : "change"}`),
    preview: () => change?.proposed?.preview,
  };

  async function read(): Promise<void> {
    items = await run.answers();
    if (!items.some((item) => wantsRare(askedBy(item).schema))) return;
    // Without them answers are shown as words.
    await loadRareControls().catch(() => {});
    rareControls()?.adoptRareStyles(element);
  }

  function askedBy(item: ReviewItem): Asked {
    return askedOf({ prompt: "", schema: {}, metadata: {}, ...item }, language().locale.tag);
  }

  async function reload(): Promise<void> {
    try {
      await read();
      element.requestDraw();
    } catch (error) {
      tell("wavepoint-problem", { error });
    }
  }

  function template(): TemplateResult {
    const messages = wordsOf(language().messages);
    return html`<section part="review" aria-label=${messages.review}>
      ${isInQuestion ? nothing : html`<h2 part="heading" tabindex="-1">${messages.review}</h2>`}
      <ul>
        ${(isInQuestion ? items.filter(isAnswered) : items).map(line)}
      </ul>
      ${items.some((item) => isAnswered(item) && !item.sensitive) ? html`<button type="button" part="button quiet" @click=${() => globalThis.print()}>${messages.print}</button>` : nothing}
      ${isChangeable() || !items.some(isAnswered) ? nothing : html`<p part="hint">${messages.answersStay}</p>`}
    </section>`;
  }

  function line(item: ReviewItem): TemplateResult {
    const messages = wordsOf(language().messages);
    const question = nameOf(item, language());
    const changed = change !== undefined && change.item.pause === item.pause ? change : undefined;
    return html`<li part="review-line" data-status=${item.status}>
      ${changed && !changed.proposed ? nothing : html`<h3 part="question-name">${question}</h3>`}
      ${changed ? nothing : isAnswered(item) ? answerTemplate(item) : html`<p part="hint">${messages.reviewStatus[item.status]}</p>`}
      ${
        changed
          ? changing(changed)
          : isAnswered(item) && isChangeable()
            ? html`<button
                type="button"
                part="button quiet"
                data-change=${item.pause}
                aria-label="${messages.change}: ${question}"
                @click=${() => begin(item)}
              >
                ${messages.change}
              </button>`
            : nothing
      }
    </li>`;
  }

  function isChangeable(): boolean {
    const { status, transferredTo } = run.getSnapshot();
    return status !== "completed" && status !== "cancelled" && transferredTo === undefined;
  }

  function changing({ item, form, proposed }: Change): TemplateResult {
    const messages = wordsOf(language().messages);
    const keep = html`<button type="button" part="button quiet" @click=${() => leave()}>${messages.keepAnswer}</button>`;
    if (!proposed)
      return html`<wavepoint-prompt .form=${form} .action=${messages.preview} .messages=${messages}></wavepoint-prompt>${keep}`;
    const { preview, isSending, response } = proposed;
    const lines = consequences(preview);
    return html`<div part="preview" role="group" aria-labelledby="${id}-preview">
      <h3 part="preview-heading" tabindex="-1" id="${id}-preview">${messages.whatChanges}</h3>
      ${answerTemplate({ ...item, answer: response })} ${lines.length === 0 ? html`<p>${messages.noConsequences}</p>` : valuesList(lines)}
      <div part="buttons">
        ${keep}<button type="button" part="button primary" aria-disabled=${isSending} @click=${() => void revise()}>
          ${messages.revise}
        </button>
      </div>
    </div>`;
  }

  function begin(item: Answered): void {
    change = { item, form: formFor(item) };
    focus = "[part~=review] wavepoint-prompt [part~=heading]";
    element.requestDraw();
  }

  function leave(): void {
    focus = `[data-change="${CSS.escape(change!.item.pause)}"]`;
    change = undefined;
    element.requestDraw();
  }

  /** A form that asks again what was answered, and looks at what another answer would do. */
  function formFor(item: Answered): PauseForm {
    const pause: Pause = {
      ...item,
      id: item.pause,
      run: run.id,
      schema: item.schema ?? {},
      metadata: item.metadata ?? {},
      prefill: item.answer,
      allows: { decline: false, cancel: false, back: false, skip: false },
      progress: seen.progress,
      askedAt: item.answeredAt ?? 0,
    };
    const listeners = new Set<() => void>();
    let state: PauseFormState = { pause, isSending: false, error: undefined, fieldErrors: [], draft: undefined, draftError: undefined };
    const set = (part: Partial<PauseFormState>): void => {
      state = { ...state, ...part };
      for (const listener of listeners) listener();
    };
    const answer = async (response: Value): Promise<RunResult> => {
      set({ isSending: true, error: undefined, fieldErrors: [] });
      try {
        const preview = await run.previewRevise(pause.id, response);
        if (change?.item !== item) return { status: "paused", run: run.id, pauses: [] };
        change = { ...change, proposed: { response, preview, isSending: false } };
        focus = "[part~=preview-heading]";
        element.requestDraw();
        return { status: "paused", run: run.id, pauses: [] };
      } catch (thrown) {
        if (!isWorkflowError(thrown) || !thrown.code.startsWith("RESPONSE_")) throw thrown;
        const error: ErrorData = thrown.toJSON();
        set({ error, fieldErrors: (thrown.details["errors"] ?? []) as unknown as readonly FieldError[] });
        return { status: "failure", run: run.id, error };
      } finally {
        set({ isSending: false });
      }
    };
    return {
      getSnapshot: () => state,
      subscribe(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      answer,
      decline: () => run.settled(),
      saveDraft: (draft) => set({ draft: draft as Value | undefined }),
    };
  }

  async function revise(): Promise<void> {
    if (!change?.proposed || change.proposed.isSending) return;
    const { item, proposed } = change;
    change = { ...change, proposed: { ...proposed, isSending: true } };
    element.requestDraw();
    try {
      const { error } = await run.revise(item.pause, proposed.response);
      // A run that fails later on has the new answer all the same.
      if (error && change?.proposed?.isSending && run.getSnapshot().status !== "failed")
        throw new WorkflowError(error.code, error.message, error);
      revised();
    } catch (error) {
      change = change && { ...change, proposed };
      element.requestDraw();
      tell("wavepoint-problem", { error });
    }
  }

  function consequences(preview: RevisionPreview): readonly (readonly [name: string, text: string])[] {
    const messages = wordsOf(language().messages);
    // That the changed question has another answer goes without saying, and what is uncertain is not told as if it were sure.
    const changed = change!.item.path.join("/");
    const unsure = new Set(preview.uncertain);
    // Each change is listed once, under the heading that says most about it.
    const once = new Set(preview.once);
    const leftDone = new Set(preview.leftDone);
    const told: Partial<RevisionPreview> = {
      asked: preview.asked.filter((block) => !unsure.has(block)),
      rerun: preview.rerun.filter((block) => block !== changed && !unsure.has(block) && !once.has(block) && !preview.asked.includes(block)),
      effects: preview.effects.filter((block) => !once.has(block)),
      skipped: preview.skipped.filter((block) => !leftDone.has(block)),
      uncertain: preview.uncertain.filter((block) => block !== changed),
      // That what is computed stays as it is says nothing to people who were not asked for it.
      kept: preview.kept.filter((block) => items.some(({ path }) => path.join("/") === block)),
    };
    return (["asked", "rerun", "effects", "once", "skipped", "leftDone", "uncertain", "kept"] as const).flatMap((kind) => {
      const names = (told[kind] ?? preview[kind]).map((block) =>
        nameOf(items.find(({ path }) => path.join("/") === block) ?? { block }, language()),
      );
      return names.length > 0 ? [[messages.consequences[kind], names.join("\n")] as const] : [];
    });
  }

  function answerTemplate(item: Answered): TemplateResult {
    const { answer } = item;
    const { schema, order, answers = [] } = askedBy(item);
    const shown = rareControls()?.answerTemplate ?? valueText;
    if (item.sensitive) return html`<p part="answer">${HIDDEN}</p>`;
    if (kindOf(schema, true) === "group" && isRecord(answer)) {
      const names = namesOf(schema, order).filter((name) => Object.hasOwn(answer, name));
      return valuesList(
        names.map((name) => {
          const member = schema.properties![name]!;
          const label = member.title ?? nameText(name);
          return [label, shown(member, answer[name] as Value, language(), label)];
        }),
      );
    }
    // An answer given by one of two buttons is shown with the label of the button.
    const button = (answers as readonly Value[]).indexOf(answer);
    return html`<div part="answer">${shown(schema, button < 0 ? answer : button === 0, language(), nameOf(item, language()))}</div>`;
  }
}

function nameOf(item: Pick<ReviewItem, "block"> & Partial<ReviewItem>, { locale }: Language): string {
  const { prompt, schema = {}, metadata = {} } = item;
  return prompt === undefined ? nameText(item.block) : askedOf({ ...item, prompt, schema, metadata }, locale.tag).heading;
}

function isAnswered(item: ReviewItem): item is Answered {
  return item.status === "answered" && item.pause !== undefined && item.answer !== undefined;
}
