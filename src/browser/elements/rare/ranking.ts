import { html, type TemplateResult } from "lit-html";
import { choicesOf } from "../../../core/model/choices.ts";
import type { Value } from "../../../core/model/value.ts";
import { fieldId, type Field, type FormContext } from "../form-context.ts";
import { isSame } from "../typed-entry.ts";
import { choiceText } from "../value-text.ts";
import { announce, announcer } from "./announce.ts";
import { fieldWordsOf } from "./words.ts";

/** Choices in an order that two buttons each change. */
export function rankingTemplate(context: FormContext, { schema, path, entry }: Field): TemplateResult {
  const words = fieldWordsOf(context.messages);
  const { number } = context.locale;
  const id = fieldId(context, path);
  const choices = choicesOf(schema.items!);
  const order = entry as readonly Value[];
  const nameOf = (value: Value): string =>
    choiceText(
      choices.find(({ const: one }) => isSame(value)(one))!,
      context,
    );

  const move = (from: number, step: 1 | -1, { target }: Event): void => {
    const to = from + step;
    if (to < 0 || to >= order.length) return;
    const name = nameOf(order[from]!);
    context.set(path, order.toSpliced(from, 1).toSpliced(to, 0, order[from]!), `${id}-${step > 0 ? "down" : "up"}-${to}`);
    announce(target, id, words.moved(name, words.place(number(to + 1), number(order.length))));
  };
  const arrow = (index: number, step: 1 | -1): TemplateResult =>
    html`<button
      type="button"
      part="button move"
      id="${id}-${step > 0 ? "down" : "up"}-${index}"
      aria-label=${(step > 0 ? words.moveDown : words.moveUp)(nameOf(order[index]!))}
      aria-disabled=${index + step < 0 || index + step >= order.length}
      @click=${(event: Event) => move(index, step, event)}
    >
      ${step > 0 ? "↓" : "↑"}
    </button>`;

  return html`<ol part="ranking">
      ${order.map((value, i) => html`<li part="ranked"><span>${nameOf(value)}</span>${arrow(i, -1)}${arrow(i, 1)}</li>`)}
    </ol>
    ${announcer(id)}`;
}
