import { html, nothing, type TemplateResult } from "lit-html";
import { choicesOf } from "../../core/model/choices.ts";
import { boxesTemplate, optionTemplate } from "./option.ts";
import { errorText } from "./error-text.ts";
import { kindOf, nameText, partsOf } from "./field-kind.ts";
import { isSame, memberOf, type Entry } from "./typed-entry.ts";
import { fieldId, pointerOf, type Field, type FormContext } from "./form-context.ts";
import { largeControl } from "./large-control.ts";
import { hasPlainKind, rareControls, rareKindOf } from "./rare-kind.ts";
import { lineTemplate, type ControlProps } from "./text-control.ts";
import { wordsOf } from "./wizard-messages.ts";
import type { FormContent } from "../../core/model/json-schema.ts";

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
    error
      ? html`<p part="error" id="${id}-error">${errorText(context, error, { schema, label: path.length === 0 ? "" : field.label })}</p>`
      : nothing
  }`;
  // What is left out where a default stands comes to that.
  const isOptional = !isRequired && schema.default === undefined;
  const name = html`${field.label}${isOptional ? html` <span part="optional">(${context.messages.optional})</span>` : nothing}`;
  const invalid: string | typeof nothing = error ? "true" : nothing;
  const set = (put: Entry, focus?: string): void => context.set(path, put, focus);

  const control: ControlProps = { id, field, described, invalid, set };

  const rareKind = rareKindOf(schema, isRequired);
  // What is in it has a place of its own: browsers look through all children of a fieldset for each that comes in.
  const isParts = kind === "group" || kind === "list" || rareKind === "ranking";
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
      ${
        // Circles cannot be emptied by themselves; the focus goes to the first one.
        role !== nothing && isOptional && (entry ?? "") !== ""
          ? html`<button type="button" part="button quiet" @click=${() => set(undefined, id)}>${wordsOf(context.messages).clear}</button>`
          : nothing
      }
    </fieldset>`;

  const line = (body: unknown): TemplateResult =>
    html`<div part="field ${kind}">${labelledBy ? nothing : html`<label part="label" for=${id}>${name}</label>`}${notes}${body}</div>`;

  if (rareKind && (!hasPlainKind(rareKind) || rareControls())) {
    const body = rareControls()?.rareTemplate(rareKind, context, control, fieldTemplate);
    return hasPlainKind(rareKind) || kind === "file"
      ? line(body)
      : many(body, rareKind === "rating" || (rareKind === "other" && kind === "choice") ? "radiogroup" : nothing);
  }
  switch (kind) {
    case "group":
      return many(
        partsOf(schema, field.order)
          .filter((part) => typeof part === "object" || !context.hidden.has(pointerOf([...path, part])))
          .map((part) =>
            typeof part === "object"
              ? contentTemplate(part)
              : fieldTemplate(context, {
                  schema: schema.properties![part]!,
                  path: [...path, part],
                  entry: memberOf(entry, part),
                  isRequired: schema.required?.includes(part) ?? false,
                  label: schema.properties![part]!.title ?? nameText(part),
                }),
          ),
      );
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
    case "choices":
      return many(boxesTemplate(context, control));
    case "text":
      if (schema.format === "multiline") break;
      return line(lineTemplate(context, control));
    case "number":
      return line(lineTemplate(context, control));
    default:
  }
  return line(largeControl(context, control));
}

/** What stands between fields. A picture of another host is left out: what a workflow says makes no page ask one. */
function contentTemplate({ heading, text, image }: FormContent<string>): TemplateResult {
  const source = image && URL.canParse(image.src, document.baseURI) ? new URL(image.src, document.baseURI) : undefined;
  return html`${heading === undefined ? nothing : html`<h3 part="section">${heading}</h3>`}${
    text === undefined ? nothing : html`<p part="lead">${text}</p>`
  }${source && source.origin === location.origin ? html`<img part="image" src=${source.href} alt=${image!.alt} />` : nothing}`;
}
