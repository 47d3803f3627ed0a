import { html, type TemplateResult } from "lit-html";

interface OptionProps {
  readonly type: "radio" | "checkbox";
  /** Of the first one, which is the one that others refer to. */
  readonly id: string;
  readonly index: number;
  readonly text: string;
  readonly isChosen: boolean;
  choose(): void;
}

/** One of several things to choose from. */
export function optionTemplate({ type, id, index, text, isChosen, choose }: OptionProps): TemplateResult {
  return html`<label part="option"
    ><input type=${type} name=${id} id=${index === 0 ? id : `${id}-${index}`} .checked=${isChosen} @change=${choose} /><span
      >${text}</span
    ></label
  >`;
}
