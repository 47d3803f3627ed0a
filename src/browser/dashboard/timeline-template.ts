import { html, nothing, type TemplateResult } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";
import type { Step } from "../../core/model/run.ts";
import type { BlockView } from "../../core/model/view.ts";
import { statusIcon } from "./status.ts";
import { timelineItems } from "./timeline-items.ts";
import { timelineOf, type Bar, type Timeline, type TimelineRow, type TimelineView } from "./timeline.ts";
import { attemptsText, blockStatusText, durationText, skipText } from "./wording.ts";

/** Blocks that are listed at first, and that each "Show more" adds. */
export const ROWS = 150;

/** Of more blocks, those out of sight are not laid out. */
export const MANY = 50;

/** What is listed of very many moves on by so many blocks at once, so that rows that stand there stay while others finish. */
const STRIDE = 25;

/** From how many milliseconds on the time that was not spent executing is named. */
const WORTH_SAYING_MS = 1_000;

/** What a timeline is drawn from. */
export interface TimelineProps {
  readonly view: TimelineView;
  readonly steps: readonly Step[];
  readonly now: number;
  /** How many attempts the retry policies of blocks allow, by block id. */
  readonly attempts?: ReadonlyMap<string, number> | undefined;
  /** Blocks to list beyond the first ones: before and after those around what begins. */
  readonly more: { readonly before: number; readonly after: number };
  /** What blocks and members of objects are called. */
  nameOf(name: string): string;
  /** Where the page of a run is; nothing where there is none. */
  addressOf?: ((run: string) => string) | undefined;
  /** Lists more blocks on one side. */
  showMore(side: "before" | "after"): void;
}

/** When each block of a run worked, and for how long: a row for each, in the order of the plan. Of very many, those around what begins. */
export function timelineTemplate({ view, steps, now, attempts, more, nameOf, addressOf, showMore }: TimelineProps): TemplateResult {
  const line = timelineOf(view, steps, now);
  const { rows } = line;
  const newest = rows.findLastIndex(({ block: { status } }) => status !== "pending" && status !== "skipped");
  const around = Math.max(0, Math.min(rows.length - ROWS, Math.floor((newest - ROWS / 2) / STRIDE) * STRIDE));
  const first = Math.max(0, around - more.before);
  const last = Math.min(rows.length, around + ROWS + more.after);
  return html`${sum(line, nameOf)} ${moreButton("before", first)}
    <ol part=${rows.length > MANY ? "timeline timeline-many" : "timeline"} aria-label="Blocks, and when they worked">
      ${repeat(
        rows.slice(first, last),
        ({ block }) => block.id,
        (row) => rowTemplate(row),
      )}
    </ol>
    ${moreButton("after", rows.length - last)}`;

  function moreButton(side: "before" | "after", rest: number): TemplateResult | typeof nothing {
    if (rest <= 0) return nothing;
    const what = side === "before" ? "earlier blocks" : "more blocks";
    return html`<button type="button" part="button" @click=${() => showMore(side)}>
      Show ${Math.min(rest, ROWS)} of ${rest} ${what}
    </button>`;
  }

  function rowTemplate({ block, bars }: TimelineRow): TemplateResult {
    const title = nameOf(block.id);
    const most = attempts?.get(block.id);
    const tried = attemptsText(block, most, now);
    return html`<li part="timeline-row" data-block=${block.id} data-status=${block.status}>
      <span part="timeline-name"
        >${statusIcon(block.status)}<strong>${title}</strong>${block.iteration === undefined ? nothing : html` <span part="hint">turn ${block.iteration}</span>`}</span
      >
      <span part="timeline-track" aria-hidden="true">${bars.map(barTemplate)}</span>
      <span part="timeline-facts"><span>${blockStatusText(block.status)}</span> ${timeOf(block, now)}</span>
      ${bars.length === 0 ? nothing : html`<span part="timeline-when">${whenText(bars, line)}</span>`}
      ${tried === undefined ? nothing : html`<span part="timeline-more timeline-tried">${tried}</span>`}
      ${block.skipped ? html`<span part="timeline-more timeline-reason">${skipText(block.skipped, nameOf)}</span>` : nothing}
      ${block.error ? html`<span part="timeline-more timeline-reason">${block.error.message}</span>` : nothing}
      ${
        block.child && addressOf
          ? html`<a part="timeline-more" href=${addressOf(block.child)} aria-label=${`Open the called run of ${title}`}
              >Open the called run</a
            >`
          : nothing
      }
      ${
        block.items
          ? html`<div part="timeline-more">${timelineItems({ title, items: block.items, attempts: most, now, nameOf })}</div>`
          : nothing
      }
    </li>`;
  }

  function barTemplate({ from, to, workedUntil, status }: Bar): TemplateResult {
    return html`<span
      part="timeline-bar"
      data-status=${status}
      ?data-waits=${workedUntil < to}
      .style=${`--from: ${line.at(from)}; --to: ${line.at(to)}`}
    ></span>`;
  }
}

/** Where the time of the whole run went. */
function sum({ startedAt, endedAt, activeMs, longest }: Timeline, nameOf: (name: string) => string): TemplateResult | typeof nothing {
  // A run that has only asked so far spent no time.
  if (!longest || activeMs < 1) return nothing;
  const wholeMs = endedAt - startedAt;
  return html`<p part="hint">
    <b>${durationText(wholeMs)}</b> in total, <b>${durationText(activeMs)}</b> of it executing. <b>${nameOf(longest.block)}</b> took
    longest: ${durationText(longest.ms)}.${wholeMs - activeMs < WORTH_SAYING_MS ? nothing : " Idle time is drawn shorter."}
  </p>`;
}

/** What the bars of a block say, in words. */
function whenText(bars: readonly Bar[], { startedAt }: Timeline): string {
  const waitedMs = bars.reduce((ms, { to, workedUntil }) => ms + to - workedUntil, 0);
  return `began after ${durationText(bars[0]!.from - startedAt)}${waitedMs < 1 ? "" : `, waited ${durationText(waitedMs)}`}`;
}

function timeOf(block: BlockView, now: number): TemplateResult | typeof nothing {
  if (block.status === "paused" || block.status === "skipped" || block.status === "waiting") return nothing;
  if (block.tookMs !== undefined) return html`<span>${durationText(block.tookMs)}</span>`;
  if (block.status !== "running" || block.startedAt === undefined) return nothing;
  return html`<span>${durationText(Math.max(0, now - block.startedAt))}</span>`;
}
