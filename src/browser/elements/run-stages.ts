import { html, nothing, svg, type TemplateResult } from "lit-html";
import { localizeSchema } from "../../core/model/localize-schema.ts";
import type { Pause } from "../../core/model/run.ts";
import type { BlockView, ItemView, RunView } from "../../core/model/view.ts";
import { askedOf } from "./read-question.ts";
import { detailsList } from "./question-notes.ts";
import type { Language } from "./value-text.ts";
import { wordsOf } from "./wizard-messages.ts";

interface EndProps extends Language {
  readonly view: RunView;
  /** Whether it is executed, or was asked to go on. */
  readonly isCarried: boolean;
  /** Whether the progress of its questions stands above. */
  readonly hasBar: boolean;
  resume(): void;
}

/** A mark for each way in which a run stands still or has ended, drawn in a square of 14 pixels. */
const MARKS = {
  completed: "M2 7l3.5 4L12 3",
  failed: "M7 2v6M7 11v.5",
  cancelled: "M3 3l8 8M11 3l-8 8",
  waiting: "M7 3v4l3 2",
  stopped: "M5 3v8M9 3v8",
  transferred: "M2 7h9M8 4l3 3-3 3",
} as const;

/** A run that asks nothing now: it works, waits for an instant, stopped on the way, or is over. */
export function endTemplate({ view, isCarried, hasBar, messages, locale, resume }: EndProps): TemplateResult {
  const words = wordsOf(messages);
  const { status, outputs = {}, outputSchema = {}, transferredTo } = view;
  const units = view.waves.flatMap((wave) => wave.blocks.flatMap((block) => [block, ...(block.items ?? [])]));
  // What the author says of the blocks that work, or wait, has the place of words that fit any block.
  const described = units
    .flatMap((unit) => ("description" in unit && (unit.status === "running" || unit.status === "waiting") ? [unit.description] : []))
    .join("\n");
  const goOn = button(words.goOn);
  if (transferredTo !== undefined) return outcome("transferred", words.transferred(transferredTo));
  if (status === "running") {
    const until = view.active ? undefined : goesOnAt(units);
    const again = units.find((unit) => unit.status === "waiting" && unit.attempts && unit.until === until);
    if (until !== undefined) {
      const when = again ? words.tryingAgain(locale.time(until)) : words.waitingUntil(locale.instant(until));
      return outcome("waiting", described || when, html`${described ? hint(when) : nothing}${isCarried || again ? nothing : goOn}`);
    }
    if (!isCarried) return outcome("stopped", words.stopped, goOn);
    return html`<div part="outcome">${heading(described || words.working)}${hasBar ? nothing : work()}${offline()}</div>`;
  }
  if (view.reason === "stopped") return outcome("stopped", words.stoppedForNow, goOn);
  if (status === "paused") return outcome("waiting", described || words.waitingFor(awaitedEvents(units)));
  if (status === "failed") return outcome("failed", words.failed, button(words.tryAgain));
  const values =
    Object.keys(outputs).length > 0 ? detailsList(outputs, { messages, locale }, localizeSchema(outputSchema, locale.tag)) : nothing;
  return status === "cancelled" ? outcome(status, words.cancelled, values) : outcome("completed", words.completed, values);

  function outcome(is: keyof typeof MARKS, title: string, then: TemplateResult | typeof nothing = nothing): TemplateResult {
    return html`<div part="outcome" data-status=${is}>
      <span part="mark"
        ><svg aria-hidden="true" width="20" height="20" viewBox="0 0 14 14">
          ${svg`<path d=${MARKS[is]} fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round" />`}
        </svg></span
      >
      ${heading(title)}${problem()}${is === "waiting" ? offline() : nothing}${then}
    </div>`;
  }

  /** How far blocks are where that is all there is to tell of: no question was asked, and none is known to come. */
  function work(): TemplateResult {
    const { answered, remaining } = view.progress;
    const steps = units.filter((unit) => !("items" in unit));
    if (answered + (remaining.max ?? remaining.min) > 0 || steps.length < 2) return html`<progress aria-label=${words.working}></progress>`;
    const done = steps.filter(({ status }) => status === "completed" || status === "skipped").length;
    return html`<progress aria-label=${words.working} value=${done} max=${steps.length}></progress
      >${hint(words.stepsDone(locale.number(done), locale.number(steps.length)))}`;
  }

  function problem(): TemplateResult | typeof nothing {
    const { error } = view;
    if (!error) return nothing;
    // The heading says that it ended. What is left to say is why.
    if (error.code === "RUN_CANCELLED") return error.details?.["reason"] ? hint(String(error.details["reason"])) : nothing;
    // That of the run names the block for developers.
    const cause = units.find((unit) => "id" in unit && unit.id === error.details?.["block"])?.error;
    return html`<p part="error">${words.error(cause ?? error)}</p>`;
  }

  function offline(): TemplateResult | typeof nothing {
    return navigator.onLine ? nothing : hint(words.offline);
  }

  function button(text: string): TemplateResult {
    return html`<div part="buttons"><button type="button" part="button primary" @click=${() => resume()}>${text}</button></div>`;
  }
}

function heading(text: string): TemplateResult {
  return html`<h2 part="heading" tabindex="-1">${text}</h2>`;
}

function hint(text: string): TemplateResult {
  return html`<p part="hint">${text}</p>`;
}

/** The questions that wait beside the one that is shown. */
export function othersTemplate(others: readonly Pause[], { messages, locale }: Language, pick: (pause: string) => void): TemplateResult {
  const { waitingToo } = wordsOf(messages);
  return html`<nav part="others" aria-label=${waitingToo}>
    <p part="hint">${waitingToo}</p>
    <ul>
      ${others.map(
        (pause) =>
          html`<li>
            <button type="button" part="button quiet" @click=${() => pick(pause.id)}>${askedOf(pause, locale.tag).heading}</button>
          </li>`,
      )}
    </ul>
  </nav>`;
}

type Unit = BlockView | ItemView;

/** The names of the events for which blocks wait. */
function awaitedEvents(units: readonly Unit[]): string {
  return [...new Set(units.flatMap(({ events = [] }) => events))].join(", ");
}

/** When the first block that waits for an instant goes on. */
function goesOnAt(units: readonly Unit[]): number | undefined {
  const known = units.flatMap(({ status, until }) => (status === "waiting" && until !== undefined ? [until] : []));
  return known.length > 0 ? Math.min(...known) : undefined;
}
