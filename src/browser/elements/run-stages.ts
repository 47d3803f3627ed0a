import { html, nothing, type TemplateResult } from "lit-html";
import type { Pause } from "../../core/model/run.ts";
import type { RunView } from "../../core/model/view.ts";
import { askedOf } from "./read-question.ts";
import { detailsList } from "./question-notes.ts";
import type { Language } from "./value-text.ts";
import { wordsOf } from "./wizard-messages.ts";

interface EndProps extends Language {
  readonly view: RunView;
  /** Whether it is executed, or was asked to go on. */
  readonly isCarried: boolean;
  resume(): void;
}

/** A run that asks nothing now: it works, waits for an instant, stopped on the way, or is over. */
export function endTemplate({ view, isCarried, messages, locale, resume }: EndProps): TemplateResult {
  const words = wordsOf(messages);
  const { status, error, outputs = {}, transferredTo } = view;
  const button = (text: string): TemplateResult =>
    html`<button type="button" part="button primary" @click=${() => resume()}>${text}</button>`;
  if (transferredTo !== undefined) return heading(words.transferred(transferredTo));
  if (status === "running") {
    const until = view.active ? undefined : goesOnAt(view);
    if (isCarried && until === undefined) return html`${heading(words.working)}<progress aria-label=${words.working}></progress>`;
    const title = until === undefined ? words.stopped : words.waitingUntil(locale.instant(until));
    return html`${heading(title)}${problem()}${isCarried ? nothing : button(words.goOn)}`;
  }
  if (view.reason === "stopped") return html`${heading(words.stoppedForNow)}${button(words.goOn)}`;
  if (status === "paused") return heading(words.waitingFor(awaitedEvents(view)));
  if (status !== "failed") {
    return html`${heading(status === "cancelled" ? words.cancelled : words.completed)}${problem()}${
      Object.keys(outputs).length > 0 ? detailsList(outputs, { messages, locale }) : nothing
    }`;
  }
  return html`${heading(words.failed)}${problem()}${button(words.tryAgain)}`;

  function problem(): TemplateResult | typeof nothing {
    return error ? html`<p part="error">${words.error(error)}</p>` : nothing;
  }
}

function heading(text: string): TemplateResult {
  return html`<h2 part="heading" tabindex="-1">${text}</h2>`;
}

/** The questions that wait beside the one that is shown. */
export function othersTemplate(others: readonly Pause[], { messages }: Language, pick: (pause: string) => void): TemplateResult {
  const { waitingToo } = wordsOf(messages);
  return html`<nav part="others" aria-label=${waitingToo}>
    <p part="hint">${waitingToo}</p>
    <ul>
      ${others.map(
        (pause) =>
          html`<li><button type="button" part="button quiet" @click=${() => pick(pause.id)}>${askedOf(pause).heading}</button></li>`,
      )}
    </ul>
  </nav>`;
}

/** The names of the events for which blocks wait. */
function awaitedEvents({ waves }: RunView): string {
  const blocks = waves.flatMap((wave) => wave.blocks.flatMap((block) => [block, ...(block.items ?? [])]));
  return [...new Set(blocks.flatMap(({ events = [] }) => events))].join(", ");
}

/** When the first block that waits for an instant goes on. */
function goesOnAt({ waves }: RunView): number | undefined {
  const instants = waves.flatMap(({ blocks }) =>
    blocks.flatMap(({ status, until, items = [] }) => (status === "waiting" ? [until, ...items.map((item) => item.until)] : [])),
  );
  const known = instants.filter((until) => until !== undefined);
  return known.length > 0 ? Math.min(...known) : undefined;
}
