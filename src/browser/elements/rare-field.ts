import { html, nothing, type TemplateResult } from "lit-html";
import { choicesOf } from "../../core/model/json-schema.ts";
import type { Value } from "../../core/model/value.ts";
import { choiceText } from "./value-text.ts";
import { entryOf, isIn, isSame, type Entry } from "./typed-entry.ts";
import { kindOf, namesOf, valuesOf } from "./field-kind.ts";
import { fileField } from "./file-field.ts";
import { fieldId, type Field, type FormContext } from "./form-context.ts";
import { optionTemplate } from "./option.ts";
import type { ControlProps } from "./text-control.ts";
import { wordsOf } from "./wizard-messages.ts";

type DrawField = (context: FormContext, field: Field) => TemplateResult;

/** The controls that most questions do without: long lists of choices, several choices, files, lists, long texts. */
export function rareField(context: FormContext, control: ControlProps, drawField: DrawField): TemplateResult {
  const kind = kindOf(control.field.schema, control.field.isRequired);
  switch (kind) {
    case "list":
      return itemsTemplate(context, control.field, drawField);
    case "file":
      return fileField(context, control);
    case "choice":
      return menu(context, control);
    case "choices":
      return boxes(context, control);
    default:
      return longText(context, control, kind === "json");
  }
}

function boxes(context: FormContext, { id, field: { schema, entry }, set }: ControlProps): TemplateResult {
  const isChosen = isIn(entry as readonly Value[]);
  return html`${choicesOf(schema.items!).map((choice, index) =>
    optionTemplate(context, {
      type: "checkbox",
      id,
      index,
      choice,
      isChosen: isChosen(choice.const),
      // In the order of the list, whichever was ticked first.
      choose: () => set(valuesOf(schema.items!).filter((one) => isChosen(one) !== isSame(choice.const)(one))),
    }),
  )}`;
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
      rows=${isJson ? 6 : 4}
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

/** The items of a list, each with a name and a button that removes it. */
function itemsTemplate(context: FormContext, { schema, path, entry, label }: Field, drawField: DrawField): TemplateResult {
  const { addTo, item: itemName, remove } = wordsOf(context.messages);
  const list = entry as readonly Entry[];
  const id = fieldId(context, path);
  const of = schema.items!;
  const isFull = list.length >= (schema.maxItems ?? Infinity);
  const firstControl = kindOf(of, true) === "group" ? [...path, list.length, namesOf(of)[0] ?? ""] : [...path, list.length];
  return html`${list.map((item, i) => {
      const name = itemName(of.title ?? label, context.locale.number(i + 1));
      return html`<div part="item">
        ${drawField(context, { schema: of, path: [...path, i], entry: item, isRequired: true, label: name })}
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
