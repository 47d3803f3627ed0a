import { html, type TemplateResult } from "lit-html";
import { entryOf, type Entry } from "./entry.ts";
import { namesOf, kindOf } from "./field-kind.ts";
import { fieldTemplate } from "./field.ts";
import { fileField } from "./file-field.ts";
import { fieldId, type Field, type FormContext } from "./form-context.ts";
import type { ControlProps } from "./text-control.ts";
import { wordsOf } from "./wizard-messages.ts";

/** The controls that most questions do without: files and lists. */
export function rareField(context: FormContext, control: ControlProps): TemplateResult {
  return kindOf(control.field.schema, true) === "file" ? fileField(context, control) : itemsTemplate(context, control.field);
}

/** The items of a list, each with a name and a button that removes it. */
function itemsTemplate(context: FormContext, { schema, path, entry, label }: Field): TemplateResult {
  const { addTo, item: itemName, remove } = wordsOf(context.messages);
  const list = entry as readonly Entry[];
  const id = fieldId(context, path);
  const of = schema.items!;
  const isFull = list.length >= (schema.maxItems ?? Infinity);
  const firstControl = kindOf(of, true) === "group" ? [...path, list.length, namesOf(of)[0] ?? ""] : [...path, list.length];
  return html`${list.map((item, i) => {
      const name = itemName(of.title ?? label, context.locale.number(i + 1));
      return html`<div part="item">
        ${fieldTemplate(context, { schema: of, path: [...path, i], entry: item, isRequired: true, label: name })}
        <button type="button" part="button remove" @click=${() => context.set(path, list.toSpliced(i, 1), `${id}-add`)}>
          ${remove(name)}
        </button>
      </div>`;
    })}
    <button
      type="button"
      part="button add"
      id="${id}-add"
      aria-disabled=${isFull}
      @click=${() => isFull || context.set(path, [...list, entryOf(of, undefined)], fieldId(context, firstControl))}
    >
      ${addTo(label)}
    </button>`;
}
