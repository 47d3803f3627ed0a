import { html, type TemplateResult } from "lit-html";
import type { JsonChoice } from "../../core/model/json-schema.ts";
import { choiceText } from "./value-text.ts";
import type { FormContext } from "./form-context.ts";
import { choicesOf } from "../../core/model/choices.ts";
import type { Value } from "../../core/model/value.ts";
import { valuesOf } from "./field-kind.ts";
import type { ControlProps } from "./text-control.ts";
import { isIn, isSame } from "./typed-entry.ts";

interface OptionProps {
  readonly type: "radio" | "checkbox";
  /** Of the first one, which is the one that others refer to. */
  readonly id: string;
  readonly index: number;
  readonly choice: JsonChoice<string>;
  readonly isChosen: boolean;
  choose(event: Event): void;
}

/** One of several things to choose from. */
export function optionTemplate(context: FormContext, { type, id, index, choice, isChosen, choose }: OptionProps): TemplateResult {
  return html`<label part="option"
    ><input type=${type} name=${id} id=${index ? `${id}-${index}` : id} .checked=${isChosen} @change=${choose} /><span
      >${choiceText(choice, context)}${choice.description && html` <br /><small part="hint">${choice.description}</small>`}</span
    ></label
  >`;
}

/** Several choices, each a box to tick. */
export function boxesTemplate(context: FormContext, { id, field: { schema, entry }, set }: ControlProps): TemplateResult {
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
