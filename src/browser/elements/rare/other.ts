import { html, nothing, type TemplateResult } from "lit-html";
import { choicesOf, otherOf } from "../../../core/model/choices.ts";
import { errorText } from "../error-text.ts";
import { pointerOf, type FormContext } from "../form-context.ts";
import { optionTemplate } from "../option.ts";
import { isSame, memberOf, type Entry } from "../typed-entry.ts";
import type { ControlProps } from "../text-control.ts";
import { announce, announcer } from "./announce.ts";
import { fieldWordsOf } from "./words.ts";

/** Choices, one or several: with a last one that reveals a line for a text of your own, or with some that stand alone. */
export function otherTemplate(context: FormContext, { id, field, described, invalid, set }: ControlProps): TemplateResult {
  const { schema, entry, path, label, isRequired } = field;
  const words = fieldWordsOf(context.messages);
  const isSeveral = schema.items !== undefined;
  const of = schema.items ?? schema;
  const choices = choicesOf(of);
  const other = otherOf(of);
  const chosen = isSeveral ? (entry as readonly Entry[]) : entry === undefined ? [] : [entry];
  const typed = chosen.filter((one) => textIn(one) !== undefined);
  const type = isSeveral ? "checkbox" : "radio";

  const standsAlone = (value: Entry): boolean => schema.exclusive?.some(isSame(value)) ?? false;

  const put = (values: readonly Entry[]): void => set(isSeveral ? values : values[0]);
  const without = (value: Entry): readonly Entry[] => chosen.filter((one) => !isSame(value)(one));
  /** Adds a choice to those that may stand beside it. */
  const add = (value: Entry, { target }: Event): void => {
    const kept = chosen.filter((one) => isSeveral && !standsAlone(value) && !standsAlone(one));
    const all = [...kept, value];
    const listed = choices.map((choice) => choice.const as Entry).filter((one) => all.some(isSame(one)));
    put([...listed, ...all.filter((one) => textIn(one) !== undefined)]);
    if (isSeveral && kept.length < chosen.length) announce(target, id, words.cleared);
  };

  const line = (text: Entry | undefined, at: number): TemplateResult => {
    const lineId = `${id}-other${at || ""}`;
    const error = isSeveral && text !== undefined ? context.errors.get(pointerOf([...path, chosen.indexOf(text)])) : undefined;
    const change = ({ target }: Event): void => {
      const written: Entry = { typed: (target as HTMLInputElement).value };
      put(isSeveral ? chosen.map((one) => (one === text ? written : one)) : [written]);
    };
    return html`${optionTemplate(context, {
      type,
      id,
      index: choices.length + at,
      choice: { const: "", title: other?.title ?? words.other },
      isChosen: text !== undefined,
      choose: (event) => (text === undefined ? add({ typed: "" }, event) : isSeveral && put(without(text))),
    })}${
      text === undefined
        ? nothing
        : html`<div part="revealed">
            <label part="label" for=${lineId}>${words.otherText}</label>${
              error ? html`<p part="error" id="${lineId}-error">${errorText(context, error, { schema: of, label })}</p>` : nothing
            }<input
              part="control"
              type="text"
              id=${lineId}
              autocomplete="off"
              aria-describedby=${error ? `${lineId}-error` : isSeveral ? nothing : described}
              aria-invalid=${error ? "true" : isSeveral ? nothing : invalid}
              aria-required=${isRequired || isSeveral}
              .value=${textIn(text)!}
              @input=${change}
            />
          </div>`
    }`;
  };

  return html`${choices.map((choice, index) => {
    const isChosen = chosen.some(isSame(choice.const));
    const isFirstAlone = index > 0 && standsAlone(choice.const) && !standsAlone(choices[index - 1]!.const);
    return html`${isFirstAlone ? html`<p part="divider">${words.or}</p>` : nothing}${optionTemplate(context, {
      type,
      id,
      index,
      choice,
      isChosen,
      choose: (event) => (isSeveral && isChosen ? put(without(choice.const)) : add(choice.const, event)),
    })}`;
  })}${other ? (typed.length > 0 ? typed : [undefined]).map(line) : nothing}${schema.exclusive ? announcer(id) : nothing}`;
}

/** What was typed beside the choices. */
function textIn(entry: Entry): string | undefined {
  return memberOf(entry, "typed") as string | undefined;
}
