import { html, nothing, type TemplateResult } from "lit-html";
import type { BlockView, RunView } from "../../../core/model/view.ts";
import { nameText } from "../field-kind.ts";
import type { Language } from "../value-text.ts";
import { wordsOf } from "../wizard-messages.ts";
import type { GraphMessages } from "./graph-messages.ts";

interface ListProps {
  readonly view: RunView;
  readonly words: GraphMessages;
  readonly language: Language;
  /** Opens a block, for a button that gets the focus back. */
  open(id: string, button: HTMLElement): void;
}

/** The blocks of a run as a list, wave by wave: the graph for those who do not see it. */
export function listTemplate({ view, ...props }: ListProps): TemplateResult {
  const { words, language } = props;
  const { waves, compensations = [] } = view;
  return html`<ol part="waves" aria-label=${words.list}>
    ${waves.map(({ blocks }, i) => waveTemplate(words.wave(language.locale.number(i + 1)), blocks, props))}${
      compensations.length > 0 ? waveTemplate(words.undoing, compensations, props) : nothing
    }
  </ol>`;
}

/** Blocks that run together, under their title. */
function waveTemplate(title: string, blocks: readonly BlockView[], { language, open }: Omit<ListProps, "view">): TemplateResult {
  const { messages, locale } = language;
  const words = wordsOf(messages);
  return html`<li part="wave">
    <p part="label">${title}</p>
    <ul>
      ${blocks.map(
        ({ id, status, error, until, events }) =>
          html`<li part="block" data-block=${id} data-status=${status}>
            <button type="button" part="block-name" @click=${(event: Event) => open(id, event.currentTarget as HTMLElement)}>
              ${nameText(id)}
            </button>
            <span part="block-status">${words.status[status]}</span>${
              error ? html` <span part="hint">${words.error(error)}</span>` : nothing
            }${status === "waiting" && until !== undefined ? html` <span part="hint">${words.waitingUntil(locale.instant(until))}</span>` : nothing}${
              events ? html` <span part="hint">${words.waitingFor(events.join(", "))}</span>` : nothing
            }
          </li>`,
      )}
    </ul>
  </li>`;
}
