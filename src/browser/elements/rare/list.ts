import { html, nothing, type TemplateResult } from "lit-html";
import { kindOf, namesOf } from "../field-kind.ts";
import { type DrawField, fieldId, type Field, type FormContext } from "../form-context.ts";
import { entryOf, type Entry } from "../typed-entry.ts";
import { wordsOf } from "../wizard-messages.ts";
import { announce, announcer } from "./announce.ts";
import { fieldWordsOf } from "./words.ts";

/** A list of anything: each item with its name, and buttons that move it and take it out. */
export function listTemplate(
  context: FormContext,
  { schema, path, entry, isRequired, label }: Field,
  drawField: DrawField,
): TemplateResult {
  const { add: addName, item: itemName, remove } = wordsOf(context.messages);
  const words = fieldWordsOf(context.messages);
  const { number } = context.locale;
  const list = entry as readonly Entry[];
  const id = fieldId(context, path);
  const of = schema.items!;
  const isFull = list.length >= (schema.maxItems ?? Infinity);
  // A list that may be left out may be emptied.
  const isLeast = isRequired && list.length <= (schema.minItems ?? 0);
  const nameAt = (index: number): string => itemName(of.title ?? label, number(index + 1));

  const move = (from: number, to: number, { target }: Event): void => {
    if (to < 0 || to >= list.length) return;
    const order = list.map((_, i) => i);
    order.splice(to, 0, ...order.splice(from, 1));
    // The focus goes along with the item.
    context.rearrange(path, order, `${id}-${to > from ? "down" : "up"}-${to}`);
    announce(target, id, words.moved(nameAt(from), words.place(number(to + 1), number(list.length))));
  };
  const take = (index: number, { target }: Event): void => {
    const order = list.flatMap((_, i) => (i === index ? [] : [i]));
    // To what stands in its place now, else to what stands before it.
    const next = Math.min(index, list.length - 2);
    context.rearrange(path, order, next < 0 ? `${id}-add` : fieldId(context, [...path, next]));
    announce(target, id, words.removed(nameAt(index), number(list.length - 1)));
  };
  const add = ({ target }: Event): void => {
    if (isFull) return;
    const first = kindOf(of, true) === "group" ? [...path, list.length, namesOf(of)[0] ?? ""] : [...path, list.length];
    context.set(path, [...list, entryOf(of, undefined, context.locale.tag)], fieldId(context, first));
    announce(target, id, words.added(nameAt(list.length)));
  };
  const arrow = (index: number, step: 1 | -1): TemplateResult => {
    const isEnd = index + step < 0 || index + step >= list.length;
    return html`<button
      type="button"
      part="button move"
      id="${id}-${step > 0 ? "down" : "up"}-${index}"
      aria-label=${(step > 0 ? words.moveDown : words.moveUp)(nameAt(index))}
      aria-disabled=${isEnd}
      @click=${(event: Event) => move(index, index + step, event)}
    >
      ${step > 0 ? "↓" : "↑"}
    </button>`;
  };

  return html`${list.map(
      (item, i) =>
        html`<div part="item">
          ${drawField(context, { schema: of, path: [...path, i], entry: item, isRequired: true, label: nameAt(i) })}
          ${
            isLeast && list.length < 2
              ? nothing
              : html`<div part="item-buttons">
                  ${list.length > 1 ? html`${arrow(i, -1)}${arrow(i, 1)}` : nothing}
                  ${
                    isLeast
                      ? nothing
                      : html`<button type="button" part="button remove" @click=${(event: Event) => take(i, event)}>
                          ${remove(nameAt(i))}
                        </button>`
                  }
                </div>`
          }
        </div>`,
    )}
    <button type="button" part="button add" id="${id}-add" aria-disabled=${isFull} @click=${add}>${addName(nameAt(list.length))}</button>
    ${announcer(id)}`;
}
