import { html, type TemplateResult } from "lit-html";
import type { EarlierAnswer, JsonSchema } from "../../core/model/run.ts";
import type { Values } from "../../core/model/value.ts";
import { nameText } from "./field-kind.ts";
import type { FormContext } from "./form-context.ts";
import type { Messages } from "./messages.ts";
import { HIDDEN, valueText, type Language } from "./value-text.ts";
import { wordsOf } from "./wizard-messages.ts";

/** What the question was answered before, and whether that would do again. */
export function askEarlier(context: FormContext, schema: JsonSchema, { response, state }: EarlierAnswer): TemplateResult {
  const answer = context.isSensitive ? HIDDEN : valueText(schema, response, context);
  return html`<p part="earlier">${wordsOf(context.messages).earlier(answer, state)}</p>`;
}

/** Named values, each with its name. */
export function detailsList(values: Values, language: Language): TemplateResult {
  return html`<dl part="values">
    ${Object.entries(values).map(
      ([name, value]) =>
        html`<div>
          <dt>${nameText(name)}</dt>
          <dd>${valueText({}, value, language)}</dd>
        </div>`,
    )}
  </dl>`;
}

interface CancelProps {
  readonly id: string;
  readonly messages: Messages;
  cancel(): void;
  keep(): void;
}

/** Asks once more before everything is ended. */
export function cancelTemplate({ id, messages, cancel, keep }: CancelProps): TemplateResult {
  const { cancelQuestion, cancelSurely, cancelNot } = wordsOf(messages);
  return html`<div part="buttons" role="group" aria-labelledby=${id}>
    <p part="lead" tabindex="-1" id=${id}>${cancelQuestion}</p>
    <button part="button danger" type="button" @click=${cancel}>${cancelSurely}</button>
    <button part="button" type="button" @click=${keep}>${cancelNot}</button>
  </div>`;
}
