import { html, nothing, render, type TemplateResult } from "lit-html";
import { choicesOf, otherOf } from "../../../core/model/choices.ts";
import { type JsonChoice } from "../../../core/model/json-schema.ts";
import type { FormContext } from "../form-context.ts";
import { isSame, memberOf } from "../typed-entry.ts";
import type { ControlProps } from "../text-control.ts";
import { choiceText } from "../value-text.ts";
import { announcer, announce } from "./announce.ts";
import { fieldWordsOf } from "./words.ts";

/** Lines that are drawn at once: of more than that, a search shows the first. */
const MAX_SHOWN = 100;

/**
 * A long list of choices with a line to search it: the combobox of the ARIA Authoring Practices. What is typed and no choice stays as it was
 * typed, until it is sent and refused.
 */
export function comboboxTemplate(
  context: FormContext,
  { id, field: { schema, entry, isRequired, labelledBy, label }, described, invalid, set }: ControlProps,
): TemplateResult {
  const { found, ...words } = fieldWordsOf(context.messages);
  const [hint, nothingFound] = otherOf(schema) ? [words.searchOther, words.takenAsOther] : [words.searchHint, words.nothingFound];
  const choices = choicesOf(schema);
  const chosen = choices.find(({ const: one }) => isSame(entry)(one));
  const text = chosen ? choiceText(chosen, context) : String(memberOf(entry, "typed") ?? "");
  const textOf = (choice: JsonChoice<string>): string => choiceText(choice, context);
  const choose = (choice: JsonChoice<string>, input: HTMLInputElement): void => {
    close(input);
    set(choice.const);
  };

  const open = (input: HTMLInputElement, query: string, active?: number): void => {
    const wanted = plain(query.trim());
    const fitting = choices.filter((choice) => plain(textOf(choice)).includes(wanted));
    const shown = fitting.slice(0, MAX_SHOWN);
    const list = listOf(input);
    render(
      html`${fitting.length > 0 ? nothing : html`<li role="option" part="listbox-none" aria-disabled="true">${nothingFound}</li>`}${shown.map(
        (choice, i) =>
          html`<li
            role="option"
            part="listbox-line"
            id="${id}-choice-${i}"
            aria-selected=${isSame(entry)(choice.const)}
            data-index=${choices.indexOf(choice)}
            @pointerdown=${(event: Event) => event.preventDefault()}
            @click=${() => choose(choice, input)}
          >
            ${textOf(choice)}
          </li>`,
      )}`,
      list,
    );
    list.hidden = false;
    input.ariaExpanded = "true";
    activate(input, active ?? -1);
    announce(input, id, fitting.length === 0 ? nothingFound : found(context.locale.number(fitting.length)));
  };

  const onInput = ({ target }: Event): void => {
    const input = target as HTMLInputElement;
    const typed = input.value;
    const exact = typed === "" ? undefined : choices.find((choice) => plain(textOf(choice)) === plain(typed));
    open(input, typed);
    set(exact ? exact.const : typed === "" ? undefined : { typed });
  };

  const onKey = (event: KeyboardEvent): void => {
    const input = event.target as HTMLInputElement;
    const list = listOf(input);
    const options = optionsOf(input);
    const active = options.findIndex(({ id: of }) => of === input.getAttribute("aria-activedescendant"));
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (list.hidden) return open(input, chosen ? "" : input.value, chosen ? choices.indexOf(chosen) : 0);
      const step = event.key === "ArrowDown" ? 1 : -1;
      return activate(input, (Math.max(active, step > 0 ? -1 : 0) + step + options.length) % options.length);
    }
    if (list.hidden) return undefined;
    if (event.key === "Enter" && active >= 0) {
      event.preventDefault();
      return choose(choices[Number(options[active]!.dataset["index"])]!, input);
    }
    if (event.key === "Escape") {
      event.preventDefault();
      close(input);
    }
    return undefined;
  };

  return html`<div part="combobox">
      <input
        part="control"
        type="text"
        role="combobox"
        id=${id}
        autocomplete="off"
        aria-autocomplete="list"
        aria-expanded="false"
        aria-controls="${id}-choices"
        aria-labelledby=${labelledBy ?? nothing}
        aria-describedby="${id}-search${described === nothing ? "" : ` ${String(described)}`}"
        aria-invalid=${invalid}
        aria-required=${isRequired}
        .value=${text}
        @input=${onInput}
        @keydown=${onKey}
        @click=${({ target }: Event) => open(target as HTMLInputElement, "", chosen ? choices.indexOf(chosen) : undefined)}
        @blur=${({ target }: Event) => close(target as HTMLInputElement)}
      />
      <ul
        role="listbox"
        part="listbox"
        id="${id}-choices"
        aria-labelledby=${labelledBy ?? nothing}
        aria-label=${label || nothing}
        hidden
      ></ul>
    </div>
    <p part="hint" id="${id}-search">${hint}</p>
    ${announcer(id)}`;
}

function listOf(input: HTMLInputElement): HTMLUListElement {
  return input.nextElementSibling as HTMLUListElement;
}

/** The lines that can be chosen. */
function optionsOf(input: HTMLInputElement): readonly HTMLElement[] {
  return [...listOf(input).querySelectorAll<HTMLElement>("[data-index]")];
}

function close(input: HTMLInputElement): void {
  listOf(input).hidden = true;
  input.ariaExpanded = "false";
  input.removeAttribute("aria-activedescendant");
}

/** Marks the line that Enter chooses. */
function activate(input: HTMLInputElement, index: number): void {
  const options = optionsOf(input);
  options.forEach((option, i) => option.toggleAttribute("data-active", i === index));
  const active = options[index];
  if (!active) return input.removeAttribute("aria-activedescendant");
  input.setAttribute("aria-activedescendant", active.id);
  active.scrollIntoView({ block: "nearest" });
}

/** As it is compared: without accents and capitals. */
function plain(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}
