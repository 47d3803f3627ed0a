import { html, nothing, type TemplateResult } from "lit-html";
import { choicesOf } from "../../core/model/json-schema.ts";
import { kindOf, nameText, namesOf } from "./field-kind.ts";
import { isSame, memberOf, type Entry } from "./typed-entry.ts";
import { fieldId, pointerOf, type Field, type FormContext } from "./form-context.ts";
import { optionTemplate } from "./option.ts";
import { rareField } from "./rare-field.ts";
import { textControl, type ControlProps } from "./text-control.ts";
import { wordsOf } from "./wizard-messages.ts";

/** A list of choices that is longer becomes a menu. */
const MAX_RADIOS = 6;

/** A field with its label, its hint, what is wrong with it, and its control. */
export function fieldTemplate(context: FormContext, field: Field): TemplateResult {
  const { schema, path, entry, isRequired, labelledBy } = field;
  const id = fieldId(context, path);
  const kind = kindOf(schema, isRequired);
  const error = context.errors.get(pointerOf(path));
  const hint = schema.description;
  const described: string | typeof nothing = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ") || nothing;
  const notes = html`${hint ? html`<p part="hint" id="${id}-hint">${hint}</p>` : nothing}${
    error ? html`<p part="error" id="${id}-error">${wordsOf(context.messages).fieldError(error)}</p>` : nothing
  }`;
  const name = html`${field.label}${isRequired ? nothing : html` <span part="optional">(${context.messages.optional})</span>`}`;
  const invalid: string | typeof nothing = error ? "true" : nothing;
  const set = (put: Entry, focus?: string): void => context.set(path, put, focus);

  const control: ControlProps = { id, field, described, invalid, set };

  // What is in it has a place of its own: browsers look through all children of a fieldset for each that comes in.
  const isParts = kind === "group" || kind === "list";
  const many = (body: unknown, role: string | typeof nothing = nothing): TemplateResult =>
    html`<fieldset
      part="field ${kind}"
      id=${isParts ? id : nothing}
      tabindex=${isParts ? "-1" : nothing}
      role=${role}
      aria-labelledby=${labelledBy ?? nothing}
      aria-describedby=${described}
      aria-required=${role === nothing || !isRequired ? nothing : "true"}
      aria-invalid=${role === nothing ? nothing : invalid}
    >
      ${labelledBy ? nothing : html`<legend part="label">${name}</legend>`}${notes}
      <div part="body">${body}</div>
    </fieldset>`;

  switch (kind) {
    case "group":
      return many(
        namesOf(schema, field.order).map((member) =>
          fieldTemplate(context, {
            schema: schema.properties![member]!,
            path: [...path, member],
            entry: memberOf(entry, member),
            isRequired: schema.required?.includes(member) ?? false,
            label: schema.properties![member]!.title ?? nameText(member),
          }),
        ),
      );
    case "list":
    case "choices":
      return many(rare());
    case "yes-no":
    case "choice": {
      const choices = choicesOf(kind === "choice" ? schema : { enum: [true, false] });
      if (choices.length > MAX_RADIOS) break;
      return many(
        choices.map((choice, i) =>
          optionTemplate(context, {
            type: "radio",
            id,
            index: i,
            choice,
            isChosen: isSame(entry)(choice.const),
            choose: () => set(choice.const),
          }),
        ),
        "radiogroup",
      );
    }
    case "tick":
      return html`<div part="field tick">
        <label part="option">
          <input
            type="checkbox"
            id=${id}
            .checked=${entry === true}
            aria-describedby=${described}
            aria-invalid=${invalid}
            @change=${(event: Event) => set((event.target as HTMLInputElement).checked)}
          /><span>${field.label}</span></label
        >${notes}
      </div>`;
    default:
  }
  return html`<div part="field ${kind}">
    ${labelledBy ? nothing : html`<label part="label" for=${id}>${name}</label>`}${notes}${
      kind === "number" || (kind === "text" && schema.format !== "multiline") ? textControl(context, control) : rare()
    }
  </div>`;

  function rare(): TemplateResult {
    return rareField(context, control, fieldTemplate);
  }
}
