import { html, nothing, type TemplateResult } from "lit-html";
import { answerOf, entriesOf, readEntries, type FormField } from "../form-fields.ts";
import { formField } from "./form-field.ts";
import type { Control } from "./question-control.ts";
import type { QuestionIds, QuestionProps } from "./question.ts";
import { sendButton } from "./send-button.ts";

/** Several fields under one question, with a list of what is wrong above them. */
export function formControl(props: QuestionProps, ids: QuestionIds, fields: readonly FormField[]): Control {
  const { pause, draft, sending, keepDraft } = props;
  const { title } = pause.metadata;
  const entries = entriesOf(fields, draft);
  const keep = (event: Event): void => {
    const form = (event.target as HTMLInputElement).form;
    if (form) keepDraft(JSON.stringify(Object.fromEntries(readEntries(fields, form))));
  };
  return {
    ...(typeof title === "string" ? { legend: title } : {}),
    body: html`${typeof title === "string" ? html`<p class="question-lead">${pause.prompt}</p>` : nothing} ${summary(props, ids, fields)}
      <div class="form-fields" @input=${keep} @change=${keep}>
        ${fields.map((field, index) =>
          formField({
            field,
            entry: entries.get(field.name)!,
            id: fieldId(ids, index),
            error: errorOf(props, field),
          }),
        )}
      </div>`,
    buttons: sendButton(sending),
    showsErrors: true,
    read(event) {
      return { response: answerOf(fields, readEntries(fields, event.target as HTMLFormElement)) };
    },
  };
}

/** What is wrong, in one place that gets the focus; each line leads to its field. */
function summary(props: QuestionProps, ids: QuestionIds, fields: readonly FormField[]): TemplateResult | typeof nothing {
  if (!props.error) return nothing;
  const wrong = fields.flatMap((field, index) => {
    const error = errorOf(props, field);
    return error ? [{ error, id: fieldId(ids, index) }] : [];
  });
  return html`<div class="error-summary" id=${ids.error} role="group" tabindex="-1" aria-labelledby=${`${ids.error}-title`}>
    <p id=${`${ids.error}-title`}>${titleOfSummary(wrong.length, props.error)}</p>
    ${
      wrong.length > 0
        ? html`<ul>
            ${wrong.map(
              ({ error, id }) =>
                html`<li><button type="button" class="link" @click=${() => document.getElementById(id)?.focus()}>${error}</button></li>`,
            )}
          </ul>`
        : nothing
    }
  </div>`;
}

function titleOfSummary(count: number, error: string): string {
  if (count === 0) return error;
  return count === 1 ? "One field needs another look" : `${count} fields need another look`;
}

/** Messages begin where the name of the field ends: "is required". */
function errorOf({ fieldErrors }: QuestionProps, { name, label }: FormField): string | undefined {
  const message = fieldErrors?.get(name);
  return message === undefined ? undefined : `${label} ${message}.`;
}

function fieldId({ control }: QuestionIds, index: number): string {
  return index === 0 ? control : `${control}-f${index}`;
}
