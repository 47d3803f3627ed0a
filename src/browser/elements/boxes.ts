import { html, type TemplateResult } from "lit-html";
import { choicesOf } from "../../core/model/choices.ts";
import type { Value } from "../../core/model/value.ts";
import { valuesOf } from "./field-kind.ts";
import type { FormContext } from "./form-context.ts";
import { optionTemplate } from "./option.ts";
import type { ControlProps } from "./text-control.ts";
import { isIn, isSame } from "./typed-entry.ts";

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
