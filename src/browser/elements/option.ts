import { html, type TemplateResult } from "lit-html";
import type { JsonChoice } from "../../core/model/json-schema.ts";
import { choiceText } from "./value-text.ts";
import type { FormContext } from "./form-context.ts";

interface OptionProps {
  readonly type: "radio" | "checkbox";
  /** Of the first one, which is the one that others refer to. */
  readonly id: string;
  readonly index: number;
  readonly choice: JsonChoice<string>;
  readonly isChosen: boolean;
  choose(): void;
}

/** One of several things to choose from. */
export function optionTemplate(context: FormContext, { type, id, index, choice, isChosen, choose }: OptionProps): TemplateResult {
  return html`<label part="option"
    ><input type=${type} name=${id} id=${index ? `${id}-${index}` : id} .checked=${isChosen} @change=${choose} /><span
      >${choiceText(choice, context)}${choice.description && html` <br /><small part="hint">${choice.description}</small>`}</span
    ></label
  >`;
}
