import { html, nothing, type TemplateResult } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";
import type { ReviewItem, RevisionPreview } from "wavepoint";
import { answerText } from "../answer-draft.ts";
import { questionText } from "../question-text.ts";
import { isAnswered, type AnsweredItem, type Change } from "../revising.ts";
import { titleOf } from "../wording.ts";
import { question } from "./question.ts";

interface ReviewListProps {
  /** In the order of the plan. */
  readonly review: readonly ReviewItem[];
  /** The answer that somebody is changing. */
  readonly change: Change | undefined;
  begin(item: AnsweredItem): void;
  leave(): void;
}

/** Every question of a run with its answer; an answer can be changed, once it was shown what follows. */
export function reviewList(props: ReviewListProps): TemplateResult | typeof nothing {
  if (!props.review.some(isAnswered)) return nothing;
  return html`<section class="review card" aria-labelledby="review-title">
    <h2 id="review-title">Your answers</h2>
    <p class="quiet">Change one, and all that does not depend on it is kept.</p>
    <ol>
      ${repeat(props.review, lineKey, (item) => reviewLine(item, props))}
    </ol>
  </section>`;
}

function lineKey({ path, pause }: ReviewItem): string {
  return pause ?? path.join("/");
}

function reviewLine(item: ReviewItem, { change, begin, leave }: ReviewListProps): TemplateResult {
  const asked = item.prompt === undefined ? titleOf(item.block) : questionText({ prompt: item.prompt });
  const changed = change !== undefined && change.pause === item.pause ? change : undefined;
  return html`<li class="review-line" data-review=${item.path.join("/")} data-status=${item.status}>
    <div class="review-text">
      <span class="review-prompt">${asked}</span>
      ${isAnswered(item) ? html`<strong>${answerText(item, item.answer)}</strong>` : html`<span class="quiet">${STATUS_WORDS[item.status]}</span>`}
    </div>
    ${
      isAnswered(item) && !changed
        ? html`<button
            class="button small"
            type="button"
            data-change=${item.pause}
            aria-label=${`Change: ${asked}`}
            @click=${() => begin(item)}
          >
            Change
          </button>`
        : nothing
    }
    ${changed ? changing(item, changed, leave) : nothing}
  </li>`;
}

const STATUS_WORDS = {
  answered: "Answered",
  open: "Waits for you",
  declined: "Declined",
  expired: "Nobody answered in time",
  skipped: "Not asked",
  pending: "Not asked yet",
} as const satisfies Record<ReviewItem["status"], string>;

function changing({ path }: ReviewItem, change: Change, leave: () => void): TemplateResult {
  return html`<div class="changing">
    ${change.step === "answer" ? question(change.question) : consequences(change, path.join("/"))}
    <button class="button small quiet-button" type="button" @click=${leave}>Leave it as it is</button>
  </div>`;
}

function consequences({ preview, sending, make }: Change & { readonly step: "preview" }, changed: string): TemplateResult {
  const lines = consequenceLines(preview, changed);
  return html`<div class="consequences" role="group" aria-labelledby="consequences-title">
    <h3 id="consequences-title" tabindex="-1">What would change</h3>
    <dl class="values">
      ${lines.map(
        ([name, text]) =>
          html`<div>
            <dt>${name}</dt>
            <dd>${text}</dd>
          </div>`,
      )}
    </dl>
    <p class="quiet">This run stays as it is; a new one goes on with the other answer.</p>
    <div class="answers">
      <button class="button primary" type="button" data-revise aria-disabled=${sending ? "true" : "false"} @click=${make}>
        ${sending ? "Changing…" : "Change the answer"}
      </button>
    </div>
  </div>`;
}

function consequenceLines(
  { kept, asked, rerun, effects, once, skipped, uncertain }: RevisionPreview,
  changed: string,
): readonly (readonly [string, string])[] {
  // That the changed question has another answer goes without saying.
  const told = new Set([...asked, changed]);
  const lines: readonly (readonly [string, readonly string[]])[] = [
    ["Kept", kept],
    ["Asked", asked],
    ["Runs again", rerun.filter((block) => !told.has(block))],
    ["With effects outside", effects],
    ["Meant to run once", once],
    ["Left out", skipped],
    ["Not certain yet", uncertain],
  ];
  return lines.flatMap(([name, blocks]) => (blocks.length > 0 ? [[name, blocks.map(titleOf).join(", ")] as const] : []));
}
