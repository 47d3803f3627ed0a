import { html, nothing, type TemplateResult } from "lit-html";
import { choicesOf } from "../../core/model/choices.ts";
import { choiceText } from "./value-text.ts";
import { isSame } from "./typed-entry.ts";
import { kindOf } from "./field-kind.ts";
import type { FormContext } from "./form-context.ts";
import type { ControlProps } from "./text-control.ts";
import { wordsOf } from "./wizard-messages.ts";

/** Controls of more than a line: menus, long texts. */
export function largeControl(context: FormContext, control: ControlProps): TemplateResult {
  const kind = kindOf(control.field.schema, control.field.isRequired);
  switch (kind) {
    case "choice":
      return menu(context, control);
    default:
      return longText(context, control, kind === "json");
  }
}

function menu(
  context: FormContext,
  { id, field: { schema, entry, isRequired, labelledBy }, described, invalid, set }: ControlProps,
): TemplateResult {
  const choices = choicesOf(schema);
  return html`<select
    part="control"
    id=${id}
    aria-labelledby=${labelledBy ?? nothing}
    aria-describedby=${described}
    aria-invalid=${invalid}
    aria-required=${isRequired}
    @change=${(event: Event) => set(choices[(event.target as HTMLSelectElement).selectedIndex - 1]?.const)}
  >
    <option .selected=${entry === undefined}>${wordsOf(context.messages).choose}</option>
    ${choices.map((choice) => html`<option .selected=${isSame(entry)(choice.const)}>${choiceText(choice, context)}</option>`)}
  </select>`;
}

function longText(
  { isSensitive, messages }: FormContext,
  { id, field, described, invalid, set }: ControlProps,
  isJson: boolean,
): TemplateResult {
  const { entry, isRequired, labelledBy } = field;
  return html`${isJson ? html`<p part="hint">${wordsOf(messages).json}</p>` : nothing}<textarea
      part="control"
      id=${id}
      spellcheck=${isJson ? "false" : nothing}
      autocomplete=${isSensitive ? "off" : nothing}
      aria-labelledby=${labelledBy ?? nothing}
      aria-describedby=${described}
      aria-invalid=${invalid}
      aria-required=${isRequired}
      .value=${String(entry ?? "")}
      @input=${(event: Event) => set((event.target as HTMLTextAreaElement).value)}
    ></textarea>`;
}
