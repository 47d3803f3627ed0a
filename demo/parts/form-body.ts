import { html, nothing, type TemplateResult } from "lit-html";
import type { Draft } from "../drafts.ts";
import { draftText, entriesOf, readEntries, type FormField } from "../form-fields.ts";
import { formField } from "./form-field.ts";
import type { QuestionIds } from "./question.ts";

/** The fields of a form, with a list of what is wrong above them. What is typed is kept as a draft, secrets excepted. */
export function formBody(props: Draft, ids: QuestionIds, fields: readonly FormField[]): TemplateResult {
  const entries = entriesOf(fields, props.draft);
  const keep = (event: Event): void => {
    const { form } = event.target as HTMLInputElement;
    if (form) props.keepDraft(draftText(fields, readEntries(fields, form)));
  };
  return html`${summary(props, ids, fields)}
    <div class="form-fields" @input=${keep} @change=${keep}>
      ${fields.map((field, index) =>
        formField({
          field,
          entry: entries.get(field.name)!,
          id: fieldId(ids, index),
          error: errorOf(props, field),
        }),
      )}
    </div>`;
}

/** What is wrong, in one place that gets the focus; each line leads to its field. */
function summary(props: Draft, ids: QuestionIds, fields: readonly FormField[]): TemplateResult | typeof nothing {
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
function errorOf({ fieldErrors }: Draft, { name, label }: FormField): string | undefined {
  const message = fieldErrors?.get(name);
  return message === undefined ? undefined : `${label} ${message.replace(/\.$/, "")}.`;
}

function fieldId({ control }: QuestionIds, index: number): string {
  return index === 0 ? control : `${control}-f${index}`;
}
