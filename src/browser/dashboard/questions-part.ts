import { html, nothing, type TemplateResult } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";
import type { Pause } from "../../core/model/run.ts";
import type { OpenRun } from "./open-run.ts";
import { timeTemplate, instantText } from "./wording.ts";

/** Questions that are listed. */
const LISTED = 50;

export interface QuestionsProps {
  readonly open: OpenRun;
  readonly now: number;
  /** The question whose form is open. */
  readonly answering: string | undefined;
  answer(pause: string | undefined): void;
}

/** What the run asks, since when, and the form that answers it. */
export function questionsPart(props: QuestionsProps): TemplateResult | typeof nothing {
  const { pauses, transferredTo } = props.open.view;
  if (pauses.length === 0 || transferredTo !== undefined) return nothing;
  return html`<section class="questions" aria-labelledby="questions-title">
    <h2 id="questions-title">${pauses.length === 1 ? "Waits for an answer" : `Waits for ${pauses.length} answers`}</h2>
    <ul>
      ${repeat(
        pauses.slice(0, LISTED),
        ({ id }) => id,
        (pause) => question(pause, props),
      )}
    </ul>
    ${pauses.length > LISTED ? html`<p class="hint">and ${pauses.length - LISTED} more</p>` : nothing}
  </section>`;
}

function question(pause: Pause, { open, now, answering, answer }: QuestionsProps): TemplateResult {
  const isOpen = answering === pause.id;
  const { id, path, title, prompt, askedAt, expiresAt, events } = pause;
  return html`<li class="question" data-pause=${id}>
    <div class="question-head">
      <div>
        ${isOpen ? nothing : html`<p class="question-prompt">${title === undefined ? nothing : html`<b>${title}</b> `}${prompt}</p>`}
        <p class="hint">
          <code>${path.join(" / ")}</code>, asked
          ${timeTemplate(askedAt, now)}${expiresAt === undefined ? nothing : `, ends at ${instantText(expiresAt, now)}`}${events ? `, ends with ${events.join(" or ")}` : ""}
        </p>
      </div>
      ${
        open.rights.has("answer")
          ? html`<button
              type="button"
              class=${isOpen ? "" : "primary"}
              aria-expanded=${isOpen}
              aria-label=${`${isOpen ? "Close the form" : "Answer"}: ${prompt}`}
              @click=${() => answer(isOpen ? undefined : id)}
            >
              ${isOpen ? "Close the form" : "Answer"}
            </button>`
          : nothing
      }
    </div>
    ${isOpen ? html`<wavepoint-prompt heading-level="3" .run=${open.run} .pause=${id}></wavepoint-prompt>` : nothing}
  </li>`;
}
