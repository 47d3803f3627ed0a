import { html, nothing, render, type TemplateResult } from "lit-html";
import type { ErrorData } from "../../core/model/errors.ts";
import type { Pause } from "../../core/model/run.ts";
import type { Asked } from "./read-question.ts";
import type { Entry } from "./typed-entry.ts";
import { fieldTemplate } from "./field.ts";
import type { FormContext } from "./form-context.ts";
import { errorSummary } from "./error-summary.ts";
import { detailsList, draftNote, questionNotes } from "./question-notes.ts";
import { wordsOf } from "./wizard-messages.ts";

/** What a question is drawn from. */
export interface QuestionProps {
  readonly pause: Pause;
  readonly asked: Asked;
  readonly entry: Entry;
  /** What is wrong beside the fields. */
  readonly problem: ErrorData | undefined;
  readonly draftProblem: ErrorData | undefined;
  readonly isSending: boolean;
  /** The word on the button that sends. */
  readonly action: string;
  /** Other buttons than those that answer. They come first, for the eye and for Tab; Enter in a control still sends. */
  readonly buttons: TemplateResult;
  /** The menu of what is seldom wanted. */
  readonly more: TemplateResult | typeof nothing;
  /** What stands in place of all buttons. */
  readonly leaving: TemplateResult | undefined;
  /** Where the controls are drawn: the same for as long as the question is. */
  readonly fields: HTMLElement;
  /** What stands between the question and its form, such as the answers that it is about. */
  readonly about: TemplateResult | undefined;
  /** Sends what stands in the controls, or the answer of the button. */
  send(submitter: HTMLElement | null): void;
}

/** A question as a real form. */
export function questionTemplate(context: FormContext, props: QuestionProps): TemplateResult {
  const { id, messages } = context;
  const { pause, asked, isSending } = props;
  const { heading, lead, schema, answers, details } = asked;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (!isSending) props.send(event.submitter);
  };
  const button = (text: string, value: string, kind = ""): TemplateResult =>
    html`<button part="button ${kind}" type="submit" value=${value} aria-disabled=${isSending}>
      ${isSending && kind ? messages.sending : text}
    </button>`;
  // What keeps the answer from the store keeps the draft from it, too.
  const isTold = props.problem?.code === props.draftProblem?.code;
  const question = html`<h2 part="heading" tabindex="-1" id="${id}-heading">${heading}</h2>
    ${lead && html`<p part="lead">${lead}</p>`} ${questionNotes(context, pause, asked)} ${details ? detailsList(details, context) : nothing}`;
  const form = html`<form
    part="question"
    data-pause=${pause.id}
    novalidate
    aria-labelledby="${id}-heading"
    aria-busy=${isSending}
    @submit=${submit}
  >
    ${errorSummary(context, { schema, order: asked.order, problem: props.problem })} ${props.about ? nothing : question}
    ${answers ? nothing : drawFields()}
    ${draftNote(messages, pause.draft !== undefined, props.entry, isTold ? undefined : props.draftProblem)}
    ${
      props.leaving ??
      html`<div part="buttons">
          ${props.buttons}<span part="saved">${pause.draft !== undefined && !props.draftProblem ? wordsOf(messages).draftKept : ""}</span>
          ${answers ? html`${button(messages.no, "no")}${button(messages.yes, "yes", "primary")}` : button(props.action, "", "primary")}
        </div>
        ${props.more}`
    }
  </form>`;
  // There are forms in it: one form cannot hold another.
  return props.about ? html`<div part="question">${question}${props.about}${form}</div>` : form;

  /** Drawn outside of the form, and put into it as one: browsers look through all controls of a form each time another one comes in. */
  function drawFields(): HTMLElement {
    const field = { schema, path: [], entry: props.entry, isRequired: true, order: asked.order };
    render(fieldTemplate(context, { ...field, label: schema.title ?? "", labelledBy: `${id}-heading` }), props.fields);
    return props.fields;
  }
}
