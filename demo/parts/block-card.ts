import { html, nothing, type TemplateResult } from "lit-html";
import type { BlockView, Values } from "wavepoint";
import { runAddress } from "../router.ts";
import { attemptsText, blockStatusText, durationText, skipText, titleOf } from "../wording.ts";
import { statusIcon } from "./icons.ts";
import { itemsList } from "./items-list.ts";
import { valuesList } from "./values-list.ts";

interface BlockCardProps {
  readonly block: BlockView;
  readonly now: number;
  readonly outputs?: Values | undefined;
  /** How many attempts its retry policy allows. */
  readonly attempts?: number | undefined;
}

/** A block of a run: what it is, how it stands, how long it took, its items, and why it was skipped or failed. */
export function blockCard({ block, now, outputs, attempts }: BlockCardProps): TemplateResult {
  const title = titleOf(block.id);
  const tried = attemptsText(block, attempts, now);
  return html`<li class="block" data-block=${block.id} data-status=${block.status}>
    <div class="block-top">${statusIcon(block.status)}<strong>${title}</strong></div>
    <p class="block-facts">
      <span class="block-status">${blockStatusText(block.status)}</span>
      ${timeOf(block, now)}
    </p>
    ${tried === undefined ? nothing : html`<p class="block-tried">${tried}</p>`}
    <p class="block-type">${block.type}</p>
    ${block.description ? html`<p class="quiet">${block.description}</p>` : nothing}
    ${block.skipped ? html`<p class="reason">${skipText(block.skipped)}</p>` : nothing}
    ${block.error ? html`<p class="reason">${block.error.message}</p>` : nothing}
    ${block.child ? html`<a href=${runAddress(block.child)} aria-label=${`Open the called run of ${title}`}>Open the called run</a>` : nothing}
    ${block.items ? itemsList({ title, items: block.items, attempts, now }) : nothing}
    ${
      outputs && Object.keys(outputs).length > 0
        ? html`<details>
            <summary aria-label=${`Outputs of ${title}`}>Outputs</summary>
            ${valuesList(outputs)}
          </details>`
        : nothing
    }
  </li>`;
}

function timeOf(block: BlockView, now: number): TemplateResult | typeof nothing {
  if (block.status === "paused" || block.status === "skipped" || block.status === "waiting") return nothing;
  if (block.tookMs !== undefined) return html`<span class="block-time">${durationText(block.tookMs)}</span>`;
  if (block.status !== "running" || block.startedAt === undefined) return nothing;
  return html`<span class="block-time">${durationText(Math.max(0, now - block.startedAt))}</span>`;
}
