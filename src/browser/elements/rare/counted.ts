import { html, type TemplateResult } from "lit-html";
import type { FormContext } from "../form-context.ts";
import { largeControl } from "../large-control.ts";
import type { ControlProps } from "../text-control.ts";
import { announce, announcer } from "./announce.ts";
import { fieldWordsOf } from "./words.ts";

/** The part of the length from which on it is said to those who do not see it. */
const NEAR = 0.9;
/** How long nothing is typed before that is said, in milliseconds: it would else be said with each letter. */
const QUIET_MS = 1_000;

const waiting = new WeakMap<EventTarget, ReturnType<typeof setTimeout>>();

/** A long text, with how many characters of those that it may have are used. */
export function countedTemplate(context: FormContext, control: ControlProps): TemplateResult {
  const { id, field, described } = control;
  const most = field.schema.maxLength!;
  const tell = (text: string): { readonly used: number; readonly told: string } => {
    const used = [...text].length;
    return { used, told: fieldWordsOf(context.messages).characters(context.locale.number(used), context.locale.number(most)) };
  };
  const typed = ({ target }: Event): void => {
    clearTimeout(waiting.get(target!));
    const { used, told } = tell((target as HTMLTextAreaElement).value);
    if (used >= most * NEAR)
      waiting.set(
        target!,
        setTimeout(() => announce(target, id, told), QUIET_MS),
      );
  };
  const { used, told } = tell(String(field.entry ?? ""));
  const count = `${id}-count`;
  return html`<div @input=${typed}>
      ${largeControl(context, { ...control, described: typeof described === "string" ? `${described} ${count}` : count })}
      <p part="hint count" id=${count} ?data-over=${used > most}>${told}</p>
    </div>
    ${announcer(id)}`;
}
