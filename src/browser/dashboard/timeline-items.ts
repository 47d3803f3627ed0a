import { html, nothing, type TemplateResult } from "lit-html";
import type { ItemView } from "../../core/model/view.ts";
import { statusIcon } from "./status.ts";
import { attemptsText, blockStatusText, durationText } from "./wording.ts";

/** Items that a row lists; what is beyond is counted. */
const LISTED_ITEMS = 100;

interface TimelineItemsProps {
  /** Of the block. */
  readonly title: string;
  readonly items: readonly ItemView[];
  /** How many attempts the retry policy of the block allows. */
  readonly attempts: number | undefined;
  readonly now: number;
  nameOf(name: string): string;
}

/** The items of a block with `for_each`, in their order: how each stands and how long it took. */
export function timelineItems({ title, items, attempts, now, nameOf }: TimelineItemsProps): TemplateResult {
  const settled = items.filter(({ status }) => status === "completed" || status === "failed" || status === "skipped").length;
  return html`<p part="timeline-count">${settled} of ${items.length} items</p>
    <ul part="timeline-items" aria-label=${`Items of ${title}`}>
      ${items.slice(0, LISTED_ITEMS).map((item) => itemRow(item))}
    </ul>
    ${items.length > LISTED_ITEMS ? html`<p part="hint">and ${items.length - LISTED_ITEMS} more</p>` : nothing}`;

  function itemRow({ key, ...item }: ItemView): TemplateResult {
    const tried = attemptsText(item, attempts, now);
    return html`<li part="timeline-item" data-status=${item.status}>
      ${statusIcon(item.status)}<span part="timeline-item-name">${memberName(key)}</span>
      <span>${blockStatusText(item.status)}${item.tookMs === undefined ? nothing : `, ${durationText(item.tookMs)}`}</span>
      ${tried === undefined ? nothing : html`<span part="timeline-item-more">${tried}</span>`}
      ${item.error && item.status === "failed" ? html`<span part="timeline-item-more">${item.error.message}</span>` : nothing}
    </li>`;
  }

  /** Members of lists are counted from 1, as people do. */
  function memberName(key: string): string {
    return /^\d+$/.test(key) ? String(Number(key) + 1) : nameOf(key);
  }
}
