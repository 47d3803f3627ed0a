import { html, nothing, type TemplateResult } from "lit-html";
import type { ItemView } from "wavepoint";
import { attemptsText, blockStatusText, durationText, statusIcon } from "wavepoint/dashboard";
import { titleOf } from "../wording.ts";

/** Items that a card lists; what is beyond is counted. */
const LISTED_ITEMS = 100;

interface ItemsListProps {
  /** Of the block. */
  readonly title: string;
  readonly items: readonly ItemView[];
  /** How many attempts the retry policy of the block allows. */
  readonly attempts: number | undefined;
  readonly now: number;
}

/** The items of a block with `for_each`, in their order: how each stands and how long it took. */
export function itemsList({ title, items, attempts, now }: ItemsListProps): TemplateResult {
  const settled = items.filter(({ status }) => status === "completed" || status === "failed" || status === "skipped").length;
  return html`<p class="items-count">${settled} of ${items.length} items</p>
    <ul class="items" aria-label=${`Items of ${title}`}>
      ${items.slice(0, LISTED_ITEMS).map((item) => itemRow(item, attempts, now))}
    </ul>
    ${items.length > LISTED_ITEMS ? html`<p class="quiet">and ${items.length - LISTED_ITEMS} more</p>` : nothing}`;
}

function itemRow(item: ItemView, attempts: number | undefined, now: number): TemplateResult {
  const tried = attemptsText(item, attempts, now);
  return html`<li class="item" data-status=${item.status}>
    ${statusIcon(item.status)}<span class="item-name">${nameOf(item)}</span>
    <span class="item-facts">${blockStatusText(item.status)}${item.tookMs === undefined ? nothing : `, ${durationText(item.tookMs)}`}</span>
    ${tried === undefined ? nothing : html`<span class="item-tried">${tried}</span>`}
    ${item.error && item.status === "failed" ? html`<span class="item-tried">${item.error.message}</span>` : nothing}
  </li>`;
}

/** Members of lists are counted from 1, as people do. */
function nameOf({ key }: ItemView): string {
  return /^\d+$/.test(key) ? String(Number(key) + 1) : titleOf(key);
}
