import { html, nothing, type TemplateResult } from "lit-html";
import type { ReviewItem } from "../../core/model/history.ts";
import { askedOf } from "../elements/read-question.ts";
import { createLocale } from "../elements/locale.ts";
import { en } from "../elements/messages.ts";
import { HIDDEN, valueText } from "../elements/value-text.ts";
import type { OpenRun } from "./open-run.ts";
import { timeTemplate } from "./wording.ts";

const STATUSES: Readonly<Record<ReviewItem["status"], string>> = {
  answered: "answered",
  open: "waits for an answer",
  declined: "declined",
  expired: "ended without an answer",
  skipped: "not asked",
  pending: "not asked yet",
};

const LANGUAGE = { messages: en, locale: createLocale("en") };

/** What was asked so far, and what was answered. */
export function answersPart({ answers, view }: OpenRun, now: number): TemplateResult {
  answers.look(view);
  const items = answers.value;
  if (!items) return html`<p class="hint">Reading the answers…</p>`;
  if (items.length === 0) return html`<p class="hint">This workflow asks nothing.</p>`;
  return html`<ol class="answers">
    ${items.map((item) => answerTemplate(item, now))}
  </ol>`;
}

function answerTemplate(item: ReviewItem, now: number): TemplateResult {
  const { path, status, prompt, schema = {}, metadata = {}, answer, answeredAt, sensitive } = item;
  const asked = prompt === undefined ? undefined : askedOf({ ...item, prompt, schema, metadata });
  return html`<li data-status=${status}>
    <p><b>${asked?.heading ?? path.at(-1)}</b> <code class="hint">${path.join(" / ")}</code></p>
    ${answer === undefined ? nothing : html`<p class="answer">${sensitive ? HIDDEN : valueText(asked?.schema ?? {}, answer, LANGUAGE)}</p>`}
    <p class="hint">${STATUSES[status]}${answeredAt === undefined ? nothing : html`, ${timeTemplate(answeredAt, now)}`}</p>
  </li>`;
}
